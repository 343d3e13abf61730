// The page in Chromium: `node test.mjs [NAME]`. `FILES` says how many files the large table has; for the rest, see `harness.mjs`.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { editingTests } from './editing.mjs';
import { writeLarge } from './large.mjs';
import { DEMO, DESKTOP, PHONE, ROOT, UNCASK, accessible, browser, corpus, lookAtHostile, newTab, open, ready, run, shot, tab, texts, twoBuilds, work, writeHostile } from './harness.mjs';

const FILES = Number(process.env.FILES ?? 1000000);
// A folder whose files take the place of those that are built in: no build while you work on them.
const PAGE = process.env.PAGE;

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
    const { page, said, close } = await newTab({ isOwn: (asked) => asked.startsWith(url.split('?')[0]), viewport, permissions: ['clipboard-read'] });
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
    // What a view that is not there answers is an error of HTTP, which Chromium reports.
    await close((text) => /Failed to load resource.*(4\d\d)/.test(text));
  } finally {
    program.kill();
  }
}

const tests = {
  ...editingTests(withPage),

  'the demo is searched, sorted and walked through': async () => {
    await withPage([DEMO], async (page) => {
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
    await withPage([DEMO], async (page) => {
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

  'a blueprint as code, which folds, is searched, and leads to what it calls': async () => {
    const mods = corpus('mods/drg');
    if (!mods) return;
    await withPage([join(mods, 'missionselector_P.pak')], async (page) => {
      await ready(page);
      await open(page, 'calls:IsDRGLibReady', 'MissionSelector.uasset');
      // What it was found by is marked, and in the picture.
      await page.waitForSelector('.code .found:has-text("IsDRGLibReady")');
      assert.equal(await page.getAttribute('#tab-code', 'aria-selected'), 'true');
      assert.match(await page.textContent('.tools [role="status"]'), /^1 of 2 lines$/);
      await page.press('.tools input', 'Enter');
      await page.waitForFunction(() => document.querySelector('.tools [role="status"]').textContent === '2 of 2 lines');
      assert.equal(await page.locator('.code .found').count(), 1);
      await shot(page, 'code');
      // Folded, a block is its first line; what is found in it opens it.
      await page.click('.tools button:has-text("Fold all")');
      await page.waitForFunction(() => !document.querySelector('.code > details[open]'));
      assert.equal(await page.locator('.code .line:has-text("DEBUGFixedPLSSeed")').isVisible(), false);
      await page.fill('.tools input', 'debugfixed');
      await page.waitForSelector('.code .found:has-text("DEBUGFixedPLSSeed")');
      // To the settings that it makes, and back; then to everything that calls a function of the engine.
      await page.click('.tools button:has-text("Unfold all")');
      await page.locator('.code .link:has-text("MissionSelectorSettings_C")').first().click();
      await page.waitForFunction(() => document.querySelector('#detail h1')?.textContent === 'MissionSelectorSettings.uasset');
      await page.waitForSelector('.code .line');
      await page.goBack();
      await page.waitForSelector('.code .call:has-text("Delay")');
      await page.locator('.code .call:has-text("Delay")').first().click();
      await page.waitForFunction(() => document.getElementById('search').value === 'calls:Delay');
      await page.waitForFunction(() => document.getElementById('count').textContent.startsWith('2 '));
      // In the code of everything, from a text that is no expression.
      await page.fill('.tools input', 'IsOnSpaceRig) {');
      await page.click('.tools button:has-text("In all packages")');
      await page.waitForFunction(() => document.getElementById('search').value.includes('IsOnSpaceRig\\) '));
      await page.waitForFunction(() => document.getElementById('count').textContent.startsWith('1 '));
    });
  },

  'sounds, meshes and values of a real game': async () => {
    const game = corpus('iostore/ue5.8/tagged/Zlib');
    if (!game) return;
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

  'a level is drawn, and leads to the values of what is in it': async () => {
    const game = corpus('iostore/ue5.8/tagged/Zlib');
    if (!game) return;
    await withPage([game, '--base', join(game, '../global.utoc')], async (page) => {
      await ready(page);
      await open(page, 'class:.World instancing', 'Instancing.umap');
      await page.waitForSelector('canvas.model[data-drawn]');
      await page.waitForFunction(() => /5 components · [1-9][\d,]* triangles/.test(document.querySelector('#view').textContent));
      await page.waitForTimeout(300);
      const drawn = await page.locator('canvas.model').screenshot();
      assert.ok(drawn.length > 6000, `the picture of the level has only ${drawn.length} bytes`);
      await shot(page, 'world');
      await page.fill('[aria-label="Find in this level"]', 'hism');
      await page.waitForFunction(() => document.querySelectorAll('.scroll tbody tr').length === 1);
      await page.click('.scroll tbody button');
      await page.waitForFunction(() => document.querySelector('.chosen h2')?.textContent === 'InstancingFixture.HISM_Fixture');
      await page.click('.chosen button:has-text("Values")');
      await page.waitForFunction(() => document.querySelector('.props > details[open] > summary')?.textContent.startsWith('HISM_Fixture'));
      await open(page, 'class:.World landscape', 'Landscape.umap');
      await page.waitForFunction(() => /7,938 triangles/.test(document.querySelector('#view').textContent));
      await page.waitForSelector('canvas.model[data-drawn]');
      await page.waitForTimeout(300);
    });
  },

  'mappings are asked for, and tried at once': async () => {
    const game = corpus('iostore/ue5.8/unversioned/Uncompressed');
    if (!game) return;
    await withPage([game, '--base', join(game, '../global.utoc')], async (page) => {
      await ready(page);
      await open(page, 'da_allproperties', 'DA_AllProperties.uasset');
      await tab(page, 'properties');
      await page.waitForSelector('#view .bad');
      assert.match(await page.textContent('#view .bad'), /have no names/);
      await page.click('#view button:has-text("Give mappings")');
      await page.fill('#opening [name=mappings]', join(work, 'nowhere.usmap'));
      await page.click('#opening .main');
      await page.waitForSelector('#opening .bad:not(:empty)');
      await page.fill('#opening [name=mappings]', corpus('properties/ue5.8/mappings/Zstandard.usmap'));
      await page.click('#opening .main');
      await page.waitForSelector('#opening', { state: 'hidden' });
      await page.waitForSelector('.props .leaf');
    });
  },

  'two builds are compared: texts, values and pictures': async () => {
    const [older, newer] = await twoBuilds();
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
    await withPage([DEMO, '--save-to', folder], async (page) => {
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

  'pictures instead of lines': async () => {
    await withPage([DEMO], async (page) => {
      await ready(page);
      await page.click('#grid');
      await page.waitForSelector('.grid .row');
      await page.fill('#search', 'class:texture2d');
      await page.waitForFunction(() => document.querySelector('.grid img[src^="blob:"]')?.naturalWidth === 128);
      await page.fill('#search', '');
      await page.waitForFunction(() => document.querySelectorAll('.grid .row').length > 10);
      await page.waitForSelector('.grid img[src^="blob:"]');
      await shot(page, 'pictures');
      await accessible(page, 'pictures');
      // The arrows go from tile to tile.
      const chosen = () => page.$eval('.row[aria-selected="true"]', (node) => Number(node.dataset.at));
      await page.focus('#table');
      await page.keyboard.press('Home');
      const across = await page.evaluate(() => Math.floor(document.querySelector('#table').clientWidth / 168));
      assert.ok(across > 3, `${across} tiles beside each other`);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      assert.equal(await chosen(), 1 + across);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#detail h1');
      await page.reload();
      await page.waitForSelector('.grid .row');
      await page.click('#grid');
      await page.waitForSelector('.row .class');
    });
  },

  'tables of data are tables': async () => {
    const game = corpus('iostore/ue5.8/tagged/Zlib');
    if (!game) return;
    await withPage([game, '--base', join(game, '../global.utoc')], async (page) => {
      await ready(page);
      await open(page, 'class:datatable all', 'DT_AllProperties.uasset');
      await tab(page, 'properties');
      await page.waitForSelector('table.values tbody tr');
      assert.equal(await page.textContent('table.values thead th'), 'Row');
      assert.ok(await page.locator('table.values thead th').count() > 1);
      await shot(page, 'data-table');
      await accessible(page, 'a table of data');
    });
  },

  'nothing is found, help is shown, and the end asks': async () => {
    await withPage([DEMO], async (page, { program }) => {
      await ready(page);
      await accessible(page, 'the table');
      await page.locator('#tree .line', { hasText: 'Textures' }).click();
      await page.fill('#search', 'nothing of the kind');
      await page.waitForSelector('#empty:not([hidden])');
      assert.match(await page.textContent('#empty'), /^Nothing matches nothing of the kind in /);
      await accessible(page, 'nothing found');
      await page.click('#empty button:has-text("Clear the search")');
      await page.waitForSelector('#empty', { state: 'hidden' });
      // Exactly what was typed comes first.
      await page.click('#tree .line');
      await page.fill('#search', 'start');
      await page.waitForFunction(() => document.querySelector('.row .file')?.textContent === 'Start.umap');
      await page.focus('#table');
      await page.keyboard.press('?');
      await page.waitForSelector('#asking[open]');
      assert.match(await page.textContent('#asking'), /class:Texture2D.*Escape/s);
      await accessible(page, 'help');
      await page.keyboard.press('Escape');
      await page.click('#end');
      await page.click('#asking button:has-text("Cancel")');
      await page.waitForSelector('#asking', { state: 'hidden' });
      assert.equal(program.exitCode, null);
      await open(page, 't_rock', 'T_Rock.uasset');
      await page.waitForSelector('.stage canvas');
      await accessible(page, 'a picture');
      for (const name of ['properties', 'references', 'facts', 'hex']) {
        await tab(page, name);
        await page.waitForFunction(() => !document.querySelector('#view').textContent.startsWith('Working'));
        await accessible(page, name);
      }
      await page.click('#save');
      assert.equal(await page.inputValue('#saving [name=form]'), 'export', 'a picture is saved as one');
      await accessible(page, 'saving');
      await page.keyboard.press('Escape');
      await page.click('#end');
      await page.click('#asking .main');
      await page.waitForFunction(() => document.querySelector('#main').textContent.includes('uncask has ended'));
    });
  },

  'everybody can use a report': async () => {
    for (const gallery of [false, true]) {
      const out = join(work, gallery ? 'gallery' : 'report.html');
      execFileSync(UNCASK, ['report', DEMO, '-o', out, '--quiet', ...(gallery ? ['--gallery'] : [])]);
      const file = gallery ? join(out, readdirSync(out).find((name) => name.endsWith('.html'))) : out;
      const { page, close } = await newTab({ isOwn: (asked) => asked.startsWith('file:') });
      await page.goto(`file://${file}`);
      await page.waitForFunction(() => !document.querySelector('#subtitle').textContent.startsWith('Opening'));
      await page.waitForSelector('#map > *');
      await accessible(page, file);
      await close();
    }
  },

  'paths are taken as people paste them': async () => {
    await withPage([], async (page) => {
      await page.waitForSelector('#opening[open]');
      await page.fill('#opening [name=path]', `"${DEMO}" `);
      await page.click('#opening .main');
      await ready(page);
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
    await withPage([writeHostile(join(work, 'hostile.pak'))], lookAtHostile);
  },

  'strangers are refused': async () => {
    await withPage([DEMO], async (page, { url, next }) => {
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
    await withPage([DEMO], async (page) => {
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
    await withPage([DEMO], async (page, { program }) => {
      await ready(page);
      const ended = new Promise((done) => { program.once('exit', done); });
      await page.click('#end');
      await page.click('#asking .main');
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

await run(tests);
