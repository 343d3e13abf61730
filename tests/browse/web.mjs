// The page that needs no server, in Chromium: `node web.mjs [NAME]`. `PAGE` names the file; for the rest, see `harness.mjs`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEMO, ROOT, UNCASK, accessible, corpus, lookAtHostile, newTab, open, ready, run, shot, tab, texts, twoBuilds, work, writeHostile } from './harness.mjs';

const PAGE = process.env.PAGE ?? join(ROOT, 'target/web/uncask.html');

// Opens the page. It may ask nobody for anything.
async function withPage(use, { url = pathToFileURL(PAGE).href, mayRefuse = false } = {}) {
  const { page, close } = await newTab({ isOwn: (asked) => asked.split('#')[0] === url });
  await page.goto(url);
  await page.waitForSelector('#opening[open]', { timeout: 30000 });
  await use(page);
  await close((text) => mayRefuse && /Content.Security.Policy|Fetch API cannot load/i.test(text));
}

const filesIn = (folder) => readdirSync(folder).map((name) => join(folder, name));
const said = (page) => page.textContent('#opening [role=alert]');

async function pick(page, files, { key = '' } = {}) {
  if (!(await page.$('#opening[open]'))) await page.click('#game');
  await page.setInputFiles('#opening [name=files]', files);
  await page.fill('#opening [name=key]', key);
  await page.click('#opening .main');
  await page.waitForFunction(() => !document.querySelector('#opening').open || document.querySelector('#opening .bad:not(:empty)'), null, { timeout: 60000 });
}

// Saves what is shown, or all that was found; what came instead, if nothing did.
async function save(page, form, what = 'file') {
  await page.click('#save');
  await page.selectOption('#saving [name=what]', what);
  await page.selectOption('#saving [name=form]', form);
  const waits = page.waitForEvent('download', { timeout: 60000 }).catch(() => null);
  await page.click('#saving .main');
  const download = await Promise.race([waits, page.waitForSelector('#saving .bad').then(() => null)]);
  const result = await page.textContent('#saving [role=status]');
  await page.click('#saving button:has-text("Close")');
  return download ? [download.suggestedFilename(), readFileSync(await download.path())] : [null, result];
}

// The files of a zip in which all are stored as they are.
function unzip(bytes) {
  const files = {};
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(bytes.readUInt16LE(at + 10), 0, 'it is not stored');
    const [len, name, extra, comment] = [bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files[bytes.subarray(at + 46, at + 46 + name).toString()] = bytes.subarray(start, start + len);
    at += 46 + name + extra + comment;
  }
  return files;
}

// What the command line makes of a game, in a folder.
function byCommand(command, folder, ...more) {
  const out = join(work, `${command}-${Math.random().toString(36).slice(2)}`);
  execFileSync(UNCASK, [command, folder, '-o', out, '--quiet', ...more]);
  return out;
}

// A container of the demo with all of its data far away, where 32 bits do not reach; before it there is nothing.
const FAR = 'Cave.umap';

function writeFar(folder, { offset, cut = 0, damage = false }) {
  mkdirSync(folder);
  const toc = readFileSync(join(DEMO, 'pakchunk1-Demo.utoc'));
  const [chunks, blocks, seeds, others] = [24, 28, 84, 96].map((at) => toc.readUInt32LE(at));
  let at = toc.readUInt32LE(20) + chunks * 22 + seeds * 4 + others * 4;
  for (let block = 0; block < blocks; block += 1, at += 12) toc.writeUIntLE(toc.readUIntLE(at, 5) + offset, at, 5);
  writeFileSync(join(folder, 'far.utoc'), toc);
  const data = readFileSync(join(DEMO, 'pakchunk1-Demo.ucas'));
  if (damage) data[data.length >> 1] ^= 0xff;
  const file = openSync(join(folder, 'far.ucas'), 'w');
  ftruncateSync(file, offset);
  writeSync(file, data, 0, data.length - cut, offset);
  closeSync(file);
  for (const name of ['global.utoc', 'global.ucas']) copyFileSync(join(DEMO, name), join(folder, name));
  return filesIn(folder);
}

const tests = {
  'the demo is searched, looked into and saved': async () => {
    await withPage(async (page) => {
      await shot(page, 'opening');
      await pick(page, filesIn(DEMO));
      await ready(page);
      const count = execFileSync(UNCASK, ['list', DEMO, '--quiet']).toString().trim().split('\n').length;
      assert.equal(await page.textContent('#count'), `${count} files`);
      await accessible(page, 'the table');
      await page.fill('#search', 'class:world');
      await page.waitForFunction(() => [...document.querySelectorAll('.row .file')].every((node) => node.textContent.endsWith('.umap')));
      await page.fill('#search', '');
      await page.locator('#tree .line', { hasText: 'Textures' }).click();
      await page.waitForFunction(() => [...document.querySelectorAll('.row')].every((row) => row.title.includes('/Textures/')));
      await page.locator('#tree .line', { hasText: 'Everything' }).click();
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
      assert.deepEqual(await page.$eval('.stage canvas', (canvas) => [canvas.width, canvas.height]), [256, 256]);
      await shot(page, 'texture');
      await page.selectOption('.tools select', '1');
      await page.waitForFunction(() => document.querySelector('.stage canvas').width === 128);
      await tab(page, 'properties');
      await page.waitForSelector('.props details');
      await shot(page, 'properties');
      await tab(page, 'hex');
      await page.waitForFunction(() => document.querySelector('.hex')?.textContent.startsWith('00000000'));
      await tab(page, 'references');
      await page.waitForSelector('.sides .link');
      await tab(page, 'facts');
      await page.waitForSelector('.facts dd');

      const [unpacked, exported, legacy] = ['unpack', 'export', 'to-legacy'].map((command) => byCommand(command, DEMO));
      const textures = 'Demo/Content/Textures';
      const [rawName, raw] = await save(page, 'raw');
      assert.equal(rawName, 'T_Rock.uasset');
      assert.ok(raw.equals(readFileSync(join(unpacked, textures, rawName))), 'not what `unpack` writes');
      const [pngName, png] = await save(page, 'png');
      assert.ok(png.equals(readFileSync(join(exported, textures, pngName))), 'not what `export` writes');
      const [zipName, zip] = await save(page, 'legacy');
      assert.equal(zipName, 'T_Rock.zip');
      const files = Object.entries(unzip(zip)).filter(([name]) => /\.(uasset|uexp|ubulk)$/.test(name));
      assert.ok(files.length >= 2, files.map(([name]) => name).join());
      for (const [name, bytes] of files) assert.ok(bytes.equals(readFileSync(join(legacy, name))), `${name} is not what \`to-legacy\` writes`);
      await page.fill('#search', '.umap');
      await page.waitForFunction(() => [...document.querySelectorAll('.row .file')].every((node) => node.textContent.endsWith('.umap')));
      const [, found] = await save(page, 'raw', 'found');
      for (const [name, bytes] of Object.entries(unzip(found))) assert.ok(bytes.equals(readFileSync(join(unpacked, name))), name);
      await open(page, '.ini', (await texts(page, '.row .file')).find((name) => name.endsWith('.ini')) ?? await firstIni(page));
      await page.waitForSelector('pre.text');
      assert.ok((await page.textContent('pre.text')).length > 5);
    });
  },

  'a folder from a server, and back and forward': async () => {
    const server = createServer((_, answer) => {
      answer.setHeader('Content-Type', 'text/html; charset=utf-8');
      answer.end(readFileSync(PAGE));
    });
    await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
    const url = `http://127.0.0.1:${server.address().port}/`;
    try {
      await withPage(async (page) => {
        await page.setInputFiles('#opening [name=folder]', DEMO);
        await page.click('#opening .main');
        await ready(page);
        assert.equal(await page.textContent('#game'), 'demo');
        await open(page, 't_rock', 'T_Rock.uasset');
        await page.waitForSelector('.stage canvas');
        await page.goBack();
        await page.waitForSelector('#detail', { state: 'hidden' });
        await page.goForward();
        await page.waitForSelector('.stage canvas');
      }, { url });
    } finally {
      server.close();
    }
  },

  'files are dropped': async () => {
    const files = ['global.utoc', 'global.ucas', 'pakchunk1-Demo.utoc', 'pakchunk1-Demo.ucas'];
    await withPage(async (page) => {
      await page.evaluate((dropped) => {
        // Just closed, so that the browser has not told of it when the drop opens it again.
        document.querySelector('#opening').close();
        const dataTransfer = new DataTransfer();
        for (const [name, text] of dropped) dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, files.map((name) => [name, readFileSync(join(DEMO, name)).toString('base64')]));
      await ready(page);
      assert.equal(await page.textContent('#game'), 'pakchunk1-Demo.utoc and others');
      assert.ok((await texts(page, '.row .file')).includes(FAR));
    });
  },

  'a blueprint as code, and the search in it': async () => {
    const mods = corpus('mods/drg');
    if (!mods) return;
    await withPage(async (page) => {
      await pick(page, [join(mods, 'missionselector_P.pak')]);
      await ready(page);
      await open(page, 'calls:IsDRGLibReady', 'MissionSelector.uasset');
      await page.waitForSelector('.code .found:has-text("IsDRGLibReady")');
      assert.match(await page.textContent('.tools [role="status"]'), /^1 of 2 lines$/);
    });
  },

  'sounds, meshes and values of a real game': async () => {
    const game = corpus('iostore/ue5.8/tagged/Zlib');
    if (!game) return;
    await withPage(async (page) => {
      await pick(page, [...filesIn(game), join(game, '../global.utoc'), join(game, '../global.ucas')].filter((path) => /\.(utoc|ucas|pak)$/.test(path) && existsSync(path)));
      await ready(page);
      await open(page, 'class:.StaticMesh sm_', 'SM_Nanite.uasset');
      await page.waitForSelector('canvas.model[data-drawn]', { timeout: 30000 });
      await page.waitForFunction(() => /[1-9][\d,]* triangles/.test(document.querySelector('#view').textContent));
      await page.waitForTimeout(300);
      const drawn = await page.locator('canvas.model').screenshot();
      assert.ok(drawn.length > 6000, `the picture of the mesh has only ${drawn.length} bytes`);
      await shot(page, 'model');
      await open(page, 'class:SoundWave adpcm', 'SW_Format_ADPCM.uasset');
      await page.waitForSelector('audio');
      await page.waitForFunction(() => / s · /.test(document.querySelector('#view').textContent));
      await tab(page, 'properties');
      await page.waitForSelector('.props .leaf');
    });
  },

  'a level is drawn, and leads to the values of what is in it': async () => {
    const game = corpus('iostore/ue5.8/tagged/Zlib');
    if (!game) return;
    await withPage(async (page) => {
      await pick(page, [...filesIn(game), join(game, '../global.utoc'), join(game, '../global.ucas')].filter((path) => /\.(utoc|ucas|pak)$/.test(path) && existsSync(path)));
      await ready(page);
      await open(page, 'class:.World instancing', 'Instancing.umap');
      await page.waitForSelector('canvas.model[data-drawn]', { timeout: 30000 });
      await page.waitForFunction(() => /5 components · [1-9][\d,]* triangles/.test(document.querySelector('#view').textContent));
      await page.waitForTimeout(300);
      await page.fill('[aria-label="Find in this level"]', 'hism');
      await page.waitForFunction(() => document.querySelectorAll('.scroll tbody tr').length === 1);
      await page.click('.scroll tbody button');
      await page.click('.chosen button:has-text("Values")');
      await page.waitForFunction(() => document.querySelector('.props > details[open] > summary')?.textContent.startsWith('HISM_Fixture'));
    });
  },

  'Zstandard is read': async () => {
    // One container, because packages of the others are of another release.
    const unpacked = byCommand('unpack', join(DEMO, 'pakchunk0-Demo.utoc'));
    const folder = join(work, 'zstandard');
    mkdirSync(folder);
    execFileSync(UNCASK, ['pack', unpacked, '-o', join(folder, 'small.utoc'), '--method', 'zstd', '--quiet']);
    assert.ok(readFileSync(join(folder, 'small.ucas')).includes(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), 'there is no frame');
    await withPage(async (page) => {
      await pick(page, filesIn(folder));
      await ready(page);
      const [, all] = await save(page, 'raw', 'found');
      const files = Object.entries(unzip(all)).filter(([name]) => !name.startsWith('chunks/'));
      assert.ok(files.length > 5, files.map(([name]) => name).join());
      for (const [name, bytes] of files) assert.ok(bytes.equals(readFileSync(join(unpacked, name))), name);
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
    });
  },

  'mappings are asked for, and tried at once': async () => {
    const game = corpus('iostore/ue5.8/unversioned/Uncompressed');
    if (!game) return;
    const files = [...filesIn(game), join(game, '../global.utoc'), join(game, '../global.ucas')].filter((path) => /\.(utoc|ucas)$/.test(path));
    await withPage(async (page) => {
      await pick(page, files);
      await open(page, 'da_allproperties', 'DA_AllProperties.uasset');
      await tab(page, 'properties');
      await page.waitForSelector('#view .bad');
      assert.match(await page.textContent('#view .bad'), /have no names/);
      const none = join(work, 'none.usmap');
      writeFileSync(none, 'no mappings');
      for (const [mappings, fails] of [[none, true], [corpus('properties/ue5.8/mappings/Zstandard.usmap'), false]]) {
        if (!(await page.$('#opening[open]'))) await page.click('#view button:has-text("Give mappings")');
        await page.setInputFiles('#opening [name=mappings]', mappings);
        await page.click('#opening .main');
        await page.waitForSelector('#opening', { state: fails ? 'visible' : 'hidden' });
        if (fails) assert.match(await (await page.waitForSelector('#opening .bad:not(:empty)')).textContent(), /none\.usmap/);
      }
      await page.waitForSelector('.props .leaf');
    });
    // Beside the game, they are found without being asked for.
    await withPage(async (page) => {
      await pick(page, [...files, corpus('properties/ue5.8/mappings/Brotli.usmap')]);
      await open(page, 'da_allproperties', 'DA_AllProperties.uasset');
      await tab(page, 'properties');
      await page.waitForSelector('.props .leaf');
    });
  },

  'a wrong key and the right one': async () => {
    await withPage(async (page) => {
      const files = filesIn(join(ROOT, 'testdata/encrypted'));
      await pick(page, files, { key: '22'.repeat(32) });
      assert.match(await said(page), /not open with this key/);
      await pick(page, files, { key: 'nonsense' });
      assert.match(await said(page), /key/);
      await pick(page, files, { key: '11'.repeat(32) });
      await page.waitForSelector('#opening', { state: 'hidden' });
      await ready(page);
      assert.equal(await page.evaluate(() => document.cookie + JSON.stringify(localStorage)), '{}');
    });
  },

  'data beyond 2 and 4 GiB': async () => {
    const expected = readFileSync(join(byCommand('unpack', join(DEMO, 'pakchunk1-Demo.utoc')), 'Demo/Content/Maps', FAR));
    for (const gib of [2.5, 5]) {
      await withPage(async (page) => {
        await pick(page, writeFar(join(work, `far-${gib}`), { offset: gib * 2 ** 30 }));
        await ready(page);
        await open(page, FAR, FAR);
        const [, bytes] = await save(page, 'raw');
        assert.ok(bytes.equals(expected));
        await tab(page, 'facts');
        await page.waitForFunction((offset) => document.querySelector('.facts').textContent.includes(offset), `0x${(gib * 2 ** 30).toString(16).slice(0, -5)}`);
      });
    }
  },

  'damage is said, and the page goes on': async () => {
    await withPage(async (page) => {
      await pick(page, writeFar(join(work, 'damaged'), { offset: 2 ** 31, damage: true }));
      await ready(page);
      await open(page, FAR, FAR);
      const [none, wrong] = await save(page, 'raw');
      assert.equal(none, null);
      assert.match(wrong, /hash|decode|decompress|corrupt|malformed/i);
      await pick(page, writeFar(join(work, 'cut'), { offset: 2 ** 31, cut: 40000 }));
      await open(page, FAR, FAR);
      const [, cut] = await save(page, 'raw');
      assert.match(cut, /far\.ucas/);
      writeFileSync(join(work, 'none.utoc'), 'no table');
      await pick(page, [join(work, 'none.utoc')]);
      await page.waitForFunction(() => /none\.utoc/.test(document.body.textContent));
      await pick(page, filesIn(DEMO));
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
    });
  },

  'two builds are compared: texts, values and pictures': async () => {
    const [older, newer] = await twoBuilds();
    await withPage(async (page) => {
      await pick(page, filesIn(newer));
      await ready(page);
      await page.click('#compare');
      await page.click('#comparing .main');
      await page.waitForSelector('#comparing .bad:not(:empty)');
      await page.setInputFiles('#comparing [name=files]', filesIn(older));
      await page.click('#comparing .main');
      await page.waitForSelector('#comparison:not([hidden])');
      await open(page, 'changed:changed rules', 'Rules.ini');
      await page.waitForSelector('.lines .added');
      assert.deepEqual(await texts(page, '.lines .removed .text'), ['Key20=20']);
      await open(page, 'changed:changed start', 'Start.umap');
      await page.waitForSelector('.props.pair .leaf.changed');
      await open(page, 'changed:changed t_rock.uasset', 'T_Rock.uasset');
      await page.waitForFunction(() => document.querySelectorAll('.pictures canvas').length === 3);
      await shot(page, 'compare');
      // Files of both builds are read after the other one was given.
      await open(page, 'changed:removed', 'Gone.ini');
      assert.match(await page.textContent('pre.text'), /gone/);
      await page.click('#comparison button:has-text("Stop comparing")');
      await page.waitForSelector('#comparison', { state: 'hidden' });
      await open(page, 't_rock .uasset', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
    });
  },

  'hostile names are texts': async () => {
    const path = writeHostile(join(work, 'hostile<img src=x>.pak'));
    await withPage(async (page) => {
      await pick(page, path);
      await lookAtHostile(page);
    });
  },

  'no server can be reached': async () => {
    let asked = 0;
    const server = createServer((_, answer) => { asked += 1; answer.end(); });
    await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
    const url = `http://127.0.0.1:${server.address().port}/`;
    await withPage(async (page) => {
      const outcome = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        navigator.sendBeacon(address, 'x');
        return fetch(address, { mode: 'no-cors' }).then(() => 'sent', () => 'refused');
      }, url);
      assert.equal(outcome, 'refused');
      await page.waitForTimeout(200);
    }, { mayRefuse: true }).catch((error) => { if (!/asked for/.test(error.message)) throw error; });
    server.close();
    assert.equal(asked, 0);
  },
};

async function firstIni(page) {
  await page.fill('#search', '.ini');
  await page.waitForFunction(() => document.querySelector('.row .file')?.textContent.endsWith('.ini'));
  return page.textContent('.row .file');
}

await run(tests);
