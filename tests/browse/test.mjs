// The page in Chromium: `node test.mjs`. `UNCASK` names the program, `CHROMIUM` the browser, `FILES` how many files the large
// table has, and `SCREENSHOTS` a folder for pictures.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { writeLarge, writePak } from './large.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const UNCASK = process.env.UNCASK ?? join(ROOT, 'target/debug/uncask');
const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const FILES = Number(process.env.FILES ?? 1000000);
const SCREENSHOTS = process.env.SCREENSHOTS;
// A folder whose files take the place of those that are built in: no build while you work on them.
const PAGE = process.env.PAGE;
const CORPUS = process.env.UNCASK_CORPUS ?? join(ROOT, '../shared/corpus');
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const work = mkdtempSync(join(tmpdir(), 'uncask-browse-'));
if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--autoplay-policy=no-user-gesture-required'],
});

// Starts uncask, and opens its page. What the console says is an error of the page.
async function withPage(args, use, viewport = DESKTOP, environment = { XDG_CONFIG_HOME: join(work, 'config') }) {
  const program = spawn(UNCASK, ['browse', '--no-open', '--quiet', ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  try {
    // The first address, and one more whenever a browser has used the last one.
    const addresses = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    const next = async () => {
      const { value } = await addresses.next();
      assert.ok(value, 'uncask ended before it printed an address');
      return value;
    };
    const url = await next();
    const context = await browser.newContext({ viewport, acceptDownloads: true, permissions: ['clipboard-read'] });
    const page = await context.newPage();
    const said = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) said.push(message.text()); });
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('dialog', (dialog) => { said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', (request) => {
      if (!request.url().startsWith(url.split('?')[0]) && !/^(blob|data):/.test(request.url())) said.push(`asked for ${request.url()}`);
    });
    if (PAGE) {
      await page.route((asked) => existsSync(join(PAGE, asked.pathname.split('/').slice(2).join('/') || 'index.html')), async (route) => {
        const response = await route.fetch({ maxRedirects: 0 });
        if (response.status() !== 200) return route.fulfill({ response });
        const path = new URL(route.request().url()).pathname.split('/').slice(2).join('/') || 'index.html';
        return route.fulfill({ response, body: readFileSync(join(PAGE, path)) });
      });
    }
    await page.goto(url);
    await use(page, { said, program, url, next });
    // What a view that is not there answers is an error of HTTP, which Chromium reports; software rendering warns of itself.
    const wrong = said.filter((text) => !/Failed to load resource.*(4\d\d)|GPU stall|software|WebGL-|ReadPixels/i.test(text));
    assert.deepEqual(wrong, []);
    await context.close();
  } finally {
    program.kill();
  }
}

const ready = (page) => page.waitForSelector('.row:not(.waiting)', { timeout: 60000 });
const texts = (page, selector) => page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));

// A picture for the documentation: paths of this machine are none of its readers' concern.
async function shot(page, name) {
  if (!SCREENSHOTS) return;
  await page.evaluate((folders) => {
    const tidy = (text) => folders.reduce((rest, folder) => rest.replaceAll(folder, '/games'), text);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = tidy(texts.currentNode.data);
    for (const input of document.querySelectorAll('input')) if (input.value !== tidy(input.value)) input.dataset.kept = input.value;
    for (const input of document.querySelectorAll('[data-kept]')) input.value = tidy(input.value);
  }, [join(ROOT, 'testdata'), work]);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  await page.evaluate(() => { for (const input of document.querySelectorAll('[data-kept]')) input.value = input.dataset.kept; });
}

async function open(page, text, file) {
  await page.fill('#search', text);
  await page.waitForFunction((name) => [...document.querySelectorAll('.row .file')].some((node) => node.textContent === name), file);
  await page.locator('.row', { has: page.locator('.file', { hasText: file }) }).first().click();
  await page.waitForFunction((name) => document.querySelector('#detail h1')?.textContent === name, file);
}

async function tab(page, name) {
  await page.click(`#tab-${name}`);
  await page.waitForFunction((id) => document.getElementById(id)?.getAttribute('aria-selected') === 'true', `tab-${name}`);
}

const tests = {
  'the demo is searched, sorted and walked through': async () => {
    await withPage([join(ROOT, 'testdata/demo')], async (page) => {
      await ready(page);
      assert.match(await page.textContent('#count'), /^\d+ files$/);
      await shot(page, 'table');
      await page.fill('#search', 't_rock .uasset');
      await page.waitForFunction(() => document.querySelector('#count').textContent.startsWith('1 '));
      assert.deepEqual(await texts(page, '.row .file'), ['T_Rock.uasset']);
      await page.fill('#search', 'class:world');
      await page.waitForFunction(() => [...document.querySelectorAll('.row .file')].every((node) => node.textContent.endsWith('.umap')));
      await page.fill('#search', '');
      await page.locator('#tree .line', { hasText: 'Textures' }).click();
      await page.waitForFunction(() => [...document.querySelectorAll('.row')].every((row) => row.title.includes('/Textures/')));
      await page.goBack();
      await page.waitForFunction(() => [...document.querySelectorAll('.row')].some((row) => row.title.includes('/Maps/')));
      await page.click('#head .size');
      await page.waitForFunction(() => location.hash.includes('by=-size'));
      await page.focus('#table');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#detail h1');
      const address = page.url();
      await page.reload();
      await page.waitForSelector('#detail h1');
      assert.equal(page.url(), address);
      await page.keyboard.press('Escape');
      await page.waitForSelector('#detail', { state: 'hidden' });
      await page.keyboard.press('/');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
    });
  },

  'a texture, its values, its bytes and who refers to it': async () => {
    await withPage([join(ROOT, 'testdata/demo')], async (page) => {
      await ready(page);
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
      assert.deepEqual(await page.$eval('.stage canvas', (canvas) => [canvas.width, canvas.height]), [256, 256]);
      const pixel = () => page.$eval('.stage canvas', (canvas) => [...canvas.getContext('2d').getImageData(9, 9, 1, 1).data]);
      const before = await pixel();
      for (const name of ['G', 'B', 'A']) await page.click(`[title="Channel ${name}"]`);
      const [red, green, blue, alpha] = await pixel();
      assert.deepEqual([red, green, blue, alpha], [before[0], before[0], before[0], 255]);
      await page.selectOption('.tools select', '1');
      await page.waitForFunction(() => document.querySelector('.stage canvas').width === 128);
      for (const name of ['G', 'B', 'A']) await page.click(`[title="Channel ${name}"]`);
      await page.selectOption('.tools select', '0');
      await page.waitForFunction(() => document.querySelector('.stage canvas').width === 256);
      await shot(page, 'texture');
      await tab(page, 'properties');
      await page.waitForSelector('.props details');
      await page.waitForSelector('.props .leaf');
      await shot(page, 'properties');
      await tab(page, 'hex');
      await page.waitForFunction(() => document.querySelector('.hex')?.textContent.startsWith('00000000'));
      await shot(page, 'bytes');
      await tab(page, 'references');
      await page.waitForSelector('.sides .link');
      assert.match(await page.getAttribute('.graph', 'aria-label'), /packages? needs? T_Rock/);
      assert.equal(await page.locator('.graph .other').count(), await page.locator('.sides .link').count());
      await shot(page, 'references');
      // By keyboard to a package that needs it, which needs it, and back.
      await page.focus('.graph .other');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('#detail h1')?.textContent !== 'T_Rock.uasset');
      await page.waitForSelector('.graph .other:has-text("T_Rock")');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('#detail h1')?.textContent === 'T_Rock.uasset');
      await page.waitForSelector('.sides .link');
      await page.locator('.sides .link').first().click();
      await page.waitForFunction(() => document.querySelector('#detail h1')?.textContent !== 'T_Rock.uasset');
      await tab(page, 'facts');
      await page.waitForSelector('.facts dd');
      await shot(page, 'facts');
      await open(page, '.ini', (await firstFile(page, '.ini')));
      await page.waitForSelector('pre.text');
      assert.ok((await page.textContent('pre.text')).length > 5);
    });
  },

  'sounds, meshes and values of a real game': async () => {
    const game = join(CORPUS, 'iostore/ue5.8/tagged/Zlib');
    if (!existsSync(game)) {
      assert.notEqual(process.env.CI, 'true', 'the corpus is missing');
      console.log('  skipped: there is no corpus');
      return;
    }
    await withPage([game, '--base', join(game, '../global.utoc')], async (page) => {
      await ready(page);
      await open(page, 'class:.StaticMesh sm_', 'SM_Nanite.uasset');
      await page.waitForSelector('canvas.model[data-drawn]');
      await page.waitForFunction(() => /[1-9][\d,]* triangles/.test(document.querySelector('#view').textContent));
      await page.waitForTimeout(300);
      // Of one colour, a picture of this size has some hundred bytes.
      const drawn = await page.locator('canvas.model').screenshot();
      assert.ok(drawn.length > 6000, `the picture of the mesh has only ${drawn.length} bytes`);
      await shot(page, 'model');
      await open(page, 'class:.Skeleton skel_', 'SKEL_Fixture.uasset');
      await page.waitForFunction(() => /[1-9]\d* bones?/.test(document.querySelector('#view').textContent));
      await page.waitForSelector('canvas.model[data-drawn]');
      await open(page, 'class:AnimSequence as_fixture', 'AS_Fixture.uasset');
      await page.waitForFunction(() => /bones? · \d+\.\d s/.test(document.querySelector('#view').textContent));
      await page.waitForSelector('canvas.model[data-drawn]');
      await open(page, 'class:SoundWave adpcm', 'SW_Format_ADPCM.uasset');
      await page.waitForSelector('audio');
      await page.waitForFunction(() => / s · /.test(document.querySelector('#view').textContent));
      await page.waitForTimeout(300);
      await shot(page, 'sound');
      await tab(page, 'properties');
      await page.waitForSelector('.props .leaf');
      await tab(page, 'references');
      await page.waitForSelector('.sides');
    });
  },

  'mappings are asked for, and tried at once': async () => {
    const game = join(CORPUS, 'iostore/ue5.8/unversioned/Uncompressed');
    if (!existsSync(game)) {
      assert.notEqual(process.env.CI, 'true', 'the corpus is missing');
      console.log('  skipped: there is no corpus');
      return;
    }
    await withPage([game, '--base', join(game, '../global.utoc')], async (page) => {
      await ready(page);
      await open(page, 'class:SoundWave adpcm', 'SW_Format_ADPCM.uasset');
      await tab(page, 'properties');
      await page.waitForSelector('#view .bad');
      assert.match(await page.textContent('#view .bad'), /have no names/);
      await page.click('#view button:has-text("Give mappings")');
      await page.fill('#opening [name=mappings]', join(CORPUS, 'nowhere.usmap'));
      await page.click('#opening .main');
      await page.waitForSelector('#opening .bad:not(:empty)');
      await page.fill('#opening [name=mappings]', join(CORPUS, 'properties/ue5.8/mappings/Zstandard.usmap'));
      await page.click('#opening .main');
      await page.waitForSelector('#opening', { state: 'hidden' });
      await page.waitForSelector('.props .leaf');
    });
  },

  'two builds are compared: texts, values and pictures': async () => {
    const [older, newer] = ['older', 'newer'].map((name) => join(work, name));
    for (const folder of [older, newer]) cpSync(join(ROOT, 'testdata/demo'), folder, { recursive: true });
    const uncask = (...args) => execFileSync(UNCASK, [...args, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
    // Another picture: the smaller mip of the same one would be too much alike, so it is painted here.
    const painter = await browser.newPage();
    const painted = await painter.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 256, height: 256 });
      const context = canvas.getContext('2d');
      context.fillStyle = '#346';
      context.fillRect(0, 0, 256, 256);
      context.fillStyle = '#e83';
      context.fillRect(64, 64, 128, 128);
      return canvas.toDataURL('image/png').split(',')[1];
    });
    await painter.close();
    writeFileSync(join(work, 'painted.png'), Buffer.from(painted, 'base64'));
    uncask('replace', `${older}:/Game/Textures/T_Rock`, join(work, 'painted.png'), '-o', join(newer, 'pakchunk0-Demo_8_P.utoc'));
    uncask('set', `${older}:/Game/Maps/Start`, 'Start.Count', '7', '-o', join(newer, 'pakchunk0-Demo_9_P.utoc'));
    const lines = Array.from({ length: 40 }, (_, at) => `Key${at}=${at}`);
    writePak(join(older, 'pakchunk9-Demo.pak'), { 'Demo/Config/Rules.ini': lines.join('\n'), 'Demo/Config/Gone.ini': 'gone' });
    lines.splice(20, 1, 'Key20=<b>twenty</b>', 'Key20b=new');
    writePak(join(newer, 'pakchunk9-Demo.pak'), { 'Demo/Config/Rules.ini': lines.join('\n'), 'Demo/Config/Fresh.ini': 'fresh and long' });
    await withPage([newer], async (page) => {
      await ready(page);
      await page.click('#compare');
      await page.fill('#comparing [name=path]', join(work, 'nowhere'));
      await page.click('#comparing .main');
      await page.waitForSelector('#comparing .bad:not(:empty)');
      await page.fill('#comparing [name=path]', older);
      await page.click('#comparing .main');
      await page.waitForSelector('#comparison:not([hidden])');
      await page.waitForSelector('.row .sign.removed');
      await shot(page, 'compare-table');
      const files = () => texts(page, '.row .file');
      await page.click('#comparison button:has-text("Added")');
      await page.waitForFunction(() => !document.querySelector('.row .sign:not(.added)') && document.querySelector('.row .sign'));
      assert.ok((await files()).includes('Fresh.ini'));
      assert.equal(await page.inputValue('#search'), 'changed:added');
      await page.click('#comparison button:has-text("Changed")');
      await open(page, 'changed:changed rules', 'Rules.ini');
      await page.waitForSelector('.lines .added');
      assert.deepEqual(await texts(page, '.lines .added .text'), ['Key20=<b>twenty</b>', 'Key20b=new']);
      assert.deepEqual(await texts(page, '.lines .removed .text'), ['Key20=20']);
      assert.equal(await page.$('.lines b'), null);
      await shot(page, 'compare-text');
      await open(page, 'changed:changed start', 'Start.umap');
      await page.waitForSelector('.props.pair .leaf.changed');
      const changed = await texts(page, '.props.pair .leaf.changed');
      assert.ok(changed.some((line) => /Count: .* → 7/.test(line)), changed.join());
      assert.equal(await page.$('.props.pair .leaf.same'), null);
      await page.check('.view input[type=checkbox]');
      await page.waitForSelector('.props.pair .same');
      await shot(page, 'compare-values');
      await open(page, 'changed:changed t_rock.uasset', 'T_Rock.uasset');
      await page.waitForFunction(() => document.querySelectorAll('.pictures canvas').length === 3);
      assert.match(await page.textContent('.pictures figure:last-child'), /pixels differ/);
      const pixel = (at) => page.$$eval('.pictures canvas', (all, which) => [...all[which].getContext('2d').getImageData(128, 128, 1, 1).data], at);
      assert.deepEqual(await pixel(1), [0xee, 0x88, 0x33, 255]);
      await page.waitForTimeout(200);
      await shot(page, 'compare-picture');
      await page.setViewportSize(PHONE);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px too wide`);
      await shot(page, 'phone-compare');
      await page.setViewportSize(DESKTOP);
      const address = page.url();
      await page.reload();
      await page.waitForFunction(() => document.querySelectorAll('.pictures canvas').length === 3);
      assert.equal(page.url(), address);
      await open(page, 'changed:removed', 'Gone.ini');
      assert.match(await page.textContent('#detail .where'), /Removed/);
      await page.waitForSelector('pre.text');
      await page.click('#comparison button:has-text("All files")');
      await page.waitForFunction(() => document.querySelectorAll('.row').length > 5 && !document.querySelector('.row .sign'));
      await page.click('#comparison button:has-text("Stop comparing")');
      await page.waitForSelector('#comparison', { state: 'hidden' });
      await ready(page);
    });
  },

  'saving: a file, a zip, a folder': async () => {
    const folder = join(work, 'saved');
    await withPage([join(ROOT, 'testdata/demo'), '--save-to', folder], async (page) => {
      await ready(page);
      await open(page, 't_rock', 'T_Rock.uasset');
      const got = async (form, what) => {
        await page.click('#save');
        await page.selectOption('#saving [name=what]', what);
        await page.selectOption('#saving [name=form]', form);
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('#saving .main')]);
        await page.click('#saving button:has-text("Close")');
        return [download.suggestedFilename(), readFileSync(await download.path())];
      };
      const [png, bytes] = await got('png', 'file');
      assert.equal(png, 'T_Rock.png');
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      const [zip, packed] = await got('raw', 'found');
      assert.equal(zip, 'demo.zip');
      assert.equal(packed.readUInt32LE(0), 0x04034b50);
      assert.equal(packed.readUInt32LE(packed.length - 22), 0x06054b50);
      await page.click('#save');
      await shot(page, 'saving');
      await page.selectOption('#saving [name=what]', 'found');
      await page.selectOption('#saving [name=form]', 'export');
      await page.click('#saving button:has-text("Save to")');
      await page.waitForFunction(() => /Saved \d+ file/.test(document.querySelector('#saving [role=status]').textContent));
      assert.ok(existsSync(join(folder, 'Demo/Content/Textures/T_Rock.png')), readdirSync(folder).join());
    });
  },

  'a wrong key and the right one': async () => {
    await withPage([join(ROOT, 'testdata/encrypted')], async (page) => {
      await page.waitForSelector('#notice:not([hidden]), .row, #opening[open]');
      if (!(await page.$('#opening[open]'))) await page.click('#game');
      await page.fill('#opening [name=key]', '22'.repeat(32));
      await page.click('#opening .main');
      await page.waitForSelector('#opening .bad:not(:empty)');
      await shot(page, 'key');
      await page.fill('#opening [name=key]', '11'.repeat(32));
      await page.click('#opening .main');
      await page.waitForSelector('#opening', { state: 'hidden' });
      await ready(page);
      assert.equal(await page.evaluate(() => document.cookie + JSON.stringify(localStorage)), '{}');
    });
  },

  'games are remembered, keys only if asked, and both are forgotten': async () => {
    const settings = { XDG_CONFIG_HOME: join(work, 'settings') };
    const file = join(work, 'settings/uncask/browse.json');
    const secret = join(ROOT, 'testdata/encrypted');
    await withPage([secret], async (page) => {
      await page.waitForSelector('.row, #opening[open]');
      if (!(await page.$('#opening[open]'))) await page.click('#game');
      await page.waitForSelector('#opening .recent .link');
      assert.deepEqual(await texts(page, '#opening .recent .link'), [secret]);
      await page.fill('#opening [name=key]', '11'.repeat(32));
      await page.check('#opening [name=remember]');
      await page.click('#opening .main');
      await page.waitForSelector('#opening', { state: 'hidden' });
      await ready(page);
      assert.ok(readFileSync(file, 'utf8').includes('1111'));
    }, DESKTOP, settings);
    await withPage([], async (page) => {
      await page.click('#opening .recent .link');
      assert.equal(await page.inputValue('#opening [name=path]'), secret);
      assert.match(await page.textContent('#opening .recent'), /with its key/);
      await shot(page, 'recent');
      await page.click('#opening .main');
      await page.waitForSelector('#opening', { state: 'hidden' });
      await ready(page);
      assert.equal(await page.$('#notice:not([hidden])'), null);
      await page.click('#game');
      await page.click('#opening .recent .forget');
      await page.waitForSelector('#opening .recent', { state: 'hidden' });
      assert.ok(!readFileSync(file, 'utf8').includes('1111'));
    }, DESKTOP, settings);
    rmSync(join(work, 'settings'), { recursive: true });
    await withPage([secret, '--no-recent'], async (page) => {
      await page.waitForSelector('.row, #opening[open]');
      if (!(await page.$('#opening[open]'))) await page.click('#game');
      await page.waitForSelector('#opening .recent .link');
      assert.equal(await page.$('#opening [name=remember]'), null);
      assert.ok(!existsSync(file));
    }, DESKTOP, settings);
  },

  'hostile names are texts': async () => {
    const names = ['<img src=x onerror=alert(1)>.txt', '"><script>alert(1)</script>.txt', "javascript:alert('1').txt", '../../evil.txt'];
    const path = join(work, 'hostile.pak');
    writeLarge(path, names.length, (at) => names[at]);
    await withPage([path], async (page) => {
      await ready(page);
      const shown = (await texts(page, '.row .path')).join('\n');
      assert.ok(shown.includes('<img src=x onerror=alert(1)>.txt') && shown.includes('alert(1)</script>.txt'), shown);
      assert.equal(await page.$('#table img, #table script, #tree img'), null);
      for (let at = 0; at < names.length; at += 1) {
        await page.locator('.row').nth(at).click();
        await page.waitForSelector('#view .hex, #view pre, #view .facts');
      }
    });
  },

  'strangers are refused': async () => {
    await withPage([join(ROOT, 'testdata/demo')], async (page, { url, next }) => {
      await ready(page);
      const { origin, pathname } = new URL(url);
      const status = async (path, headers = {}) => (await fetch(origin + path, { headers, redirect: 'manual' })).status;
      assert.deepEqual(await Promise.all([status('/'), status(pathname), status(`${pathname}api/game`), status(`${pathname}?token=x`)]), [403, 403, 403, 403]);
      // The address was used; the same browser may open it again, another one takes the next address.
      await page.goto(url);
      await ready(page);
      const stranger = await (await browser.newContext()).newPage();
      await stranger.goto(url);
      assert.match(await stranger.textContent('h1'), /has been used/);
      const fresh = await next();
      await stranger.goto(fresh);
      await ready(stranger);
      await stranger.context().close();
      // Another page of this browser, which has the cookie.
      const other = await page.context().newPage();
      await other.goto('data:text/html,<title>other</title>');
      const answer = await other.evaluate(async (address) => {
        try { return (await fetch(address, { credentials: 'include' })).status; } catch { return 'blocked'; }
      }, `${origin}${pathname}api/game`);
      assert.equal(answer, 'blocked');
      await other.close();
    });
  },

  'a large table scrolls': async () => {
    const path = join(work, 'large.pak');
    writeLarge(path, FILES);
    const start = performance.now();
    await withPage([path], async (page, { program }) => {
      await ready(page);
      const first = performance.now() - start;
      assert.equal(await page.textContent('#count'), `${FILES.toLocaleString('en')} files`);
      const latencies = [];
      for (const text of ['o', 'object_99', 'folder77 object', 'zzzz', 'size:>1k', 'area3/ 5.bin']) {
        latencies.push(await page.evaluate(async (search) => {
          const from = performance.now();
          const answer = await fetch('api/rows', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text: search, count: 200 }) });
          const { micros } = await answer.json();
          return [search, micros / 1000, performance.now() - from];
        }, text));
      }
      // Frames while somebody turns the wheel, and while somebody drags the scroll bar from end to end.
      const frames = await page.evaluate(async () => {
        const table = document.querySelector('#table');
        const times = [];
        let before = performance.now();
        for (let at = 0; at < 240; at += 1) {
          if (at < 120) table.dispatchEvent(new WheelEvent('wheel', { deltaY: 240, bubbles: true, cancelable: true }));
          else table.scrollTop = ((at - 120) / 120) * table.scrollHeight;
          await new Promise((done) => { requestAnimationFrame(done); });
          const now = performance.now();
          times.push(now - before);
          before = now;
        }
        return times.sort((a, b) => a - b);
      });
      await page.focus('#table');
      await page.keyboard.press('End');
      await page.waitForFunction((last) => document.querySelector('.row[aria-selected="true"] .file')?.textContent && document.querySelector(`#row-${last}`), FILES - 1);
      await page.keyboard.press('ArrowUp');
      await page.waitForSelector(`#row-${FILES - 2}[aria-selected="true"]`);
      const rows = await page.$$eval('.row', (nodes) => nodes.length);
      assert.ok(rows < 100, `${rows} rows exist`);
      const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1] ?? 0) >> 10;
      const [median, slow] = [frames[120], frames[Math.floor(240 * 0.95)]];
      console.log(`  ${FILES} files: first row after ${Math.round(first)} ms, ${memory} MiB; frames ${median.toFixed(1)} ms, 95% within ${slow.toFixed(1)} ms`);
      for (const [text, search, all] of latencies) console.log(`  ${text}: ${search.toFixed(1)} ms in the index, ${all.toFixed(1)} ms in all`);
      // Seconds, if a million rows were drawn; 17 to 34 on a machine that does nothing else.
      assert.ok(median < 150, `a frame takes ${median} ms`);
      await shot(page, 'large');
    });
  },

  'on a phone': async () => {
    await withPage([join(ROOT, 'testdata/demo')], async (page) => {
      await ready(page);
      await shot(page, 'phone-table');
      await page.click('#menu');
      await page.waitForSelector('#side.shown');
      await shot(page, 'phone-tree');
      await page.locator('#tree .line', { hasText: 'Textures' }).click();
      await page.waitForSelector('#side.shown', { state: 'hidden' });
      await page.locator('.row', { hasText: 'T_Rock.uasset' }).click();
      await page.waitForSelector('.stage canvas');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px too wide`);
      await shot(page, 'phone-texture');
      await tab(page, 'properties');
      await page.waitForSelector('.props .leaf');
      await shot(page, 'phone-properties');
      await tab(page, 'references');
      await page.waitForSelector('.graph');
      await shot(page, 'phone-references');
    }, PHONE);
  },

  'the page ends the program': async () => {
    await withPage([join(ROOT, 'testdata/demo')], async (page, { program }) => {
      await ready(page);
      const ended = new Promise((done) => { program.once('exit', done); });
      await page.click('#end');
      assert.equal(await ended, 0);
    });
  },
};

// The first file that a search finds.
async function firstFile(page, text) {
  return page.evaluate(async (search) => {
    const answer = await fetch('api/rows', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text: search, count: 1 }) });
    return (await answer.json()).rows[0].path.split('/').pop();
  }, text);
}

let failed = 0;
const only = process.argv[2];
for (const [name, test] of Object.entries(tests).filter(([name]) => !only || name.includes(only))) {
  const start = performance.now();
  try {
    await test();
    console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(work, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
