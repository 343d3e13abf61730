// What the tests of both pages share: the browser, what a page may not say, and what somebody does in it.
//
// `UNCASK` names the program, `CHROMIUM` the browser, and `SCREENSHOTS` a folder for pictures.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { writeLarge, writePak } from './large.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const DEMO = join(ROOT, 'testdata/demo');
export const UNCASK = process.env.UNCASK ?? join(ROOT, 'target/debug/uncask');
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
const CORPUS = process.env.UNCASK_CORPUS ?? join(ROOT, '../shared/corpus');
const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const SCREENSHOTS = process.env.SCREENSHOTS;

export const work = mkdtempSync(join(tmpdir(), 'uncask-page-'));
if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
export const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--autoplay-policy=no-user-gesture-required'],
});

// A tab, and all that it said which it should not: errors, warnings, and questions to others than `isOwn`.
export async function newTab({ isOwn, viewport = DESKTOP, permissions = [] }) {
  const context = await browser.newContext({ viewport, acceptDownloads: true, permissions });
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) said.push(message.text()); });
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('dialog', (dialog) => { said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (!isOwn(request.url()) && !/^(blob|data):/.test(request.url())) said.push(`asked for ${request.url()}`);
  });
  // Software rendering warns of itself.
  const close = async (isExpected = () => false) => {
    assert.deepEqual(said.filter((text) => !/GPU stall|software|WebGL-|ReadPixels/i.test(text) && !isExpected(text)), []);
    await context.close();
  };
  return { page, said, close };
}

export const ready = (page) => page.waitForSelector('.row:not(.waiting)', { timeout: 60000 });
export const texts = (page, selector) => page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));

// A picture for the documentation: paths of this machine are none of its readers' concern.
export async function shot(page, name) {
  if (!SCREENSHOTS) return;
  await page.evaluate((folders) => {
    const tidy = (text) => folders.reduce((rest, folder) => rest.replaceAll(folder, '/games'), text);
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) nodes.currentNode.data = tidy(nodes.currentNode.data);
    for (const input of document.querySelectorAll('input')) if (input.value !== tidy(input.value)) input.dataset.kept = input.value;
    for (const input of document.querySelectorAll('[data-kept]')) input.value = tidy(input.value);
  }, [join(ROOT, 'testdata'), work]);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  await page.evaluate(() => { for (const input of document.querySelectorAll('[data-kept]')) input.value = input.dataset.kept; });
}

// Whether everybody can use what is shown, as far as axe can tell.
const AXE = readFileSync(join(ROOT, 'tests/browse/node_modules/axe-core/axe.min.js'), 'utf8');

export async function accessible(page, what) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`));
  assert.deepEqual(found, [], what);
}

// Searches for a file and opens it.
export async function open(page, text, file) {
  await page.fill('#search', text);
  await page.waitForFunction((name) => [...document.querySelectorAll('.row .file')].some((node) => node.textContent === name), file);
  await page.locator('.row', { has: page.locator('.file', { hasText: file }) }).first().click();
  await page.waitForFunction((name) => document.querySelector('#detail h1')?.textContent === name, file);
}

export async function tab(page, name) {
  await page.click(`#tab-${name}`);
  await page.waitForFunction((id) => document.getElementById(id)?.getAttribute('aria-selected') === 'true', `tab-${name}`);
}

// A folder of the corpus; nothing if there is none, which only a machine that checks changes may not have.
export function corpus(folder) {
  const path = join(CORPUS, folder);
  if (existsSync(path)) return path;
  assert.notEqual(process.env.CI, 'true', 'the corpus is missing');
  console.log('  skipped: there is no corpus');
  return null;
}

// A pak whose names would be markup, if they were not texts.
const HOSTILE = ['<img src=x onerror=alert(1)>.txt', '"><script>alert(1)</script>.txt', "javascript:alert('1').txt", '../../evil.txt'];

export function writeHostile(path) {
  writeLarge(path, HOSTILE.length, (at) => HOSTILE[at]);
  return path;
}

export async function lookAtHostile(page) {
  await ready(page);
  const shown = (await texts(page, '.row .path')).join('\n');
  assert.ok(shown.includes('<img src=x onerror=alert(1)>.txt') && shown.includes('alert(1)</script>.txt'), shown);
  assert.equal(await page.$('#table img, #table script, #tree img, #bar img'), null);
  for (let at = 0; at < HOSTILE.length; at += 1) {
    await page.locator('.row').nth(at).click();
    await page.waitForSelector('#view .hex, #view pre, #view .facts');
  }
}

// Two builds of the demo, in folders: pictures, values and files differ.
export async function twoBuilds() {
  const [older, newer] = ['older', 'newer'].map((name) => join(work, name));
  for (const folder of [older, newer]) cpSync(DEMO, folder, { recursive: true });
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
  return [older, newer];
}

// Runs the tests whose names contain what the command line says.
export async function run(tests) {
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
}
