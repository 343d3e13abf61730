// The page: what is where, and who hears of what.

import { confirm, help } from './asking.js';
import * as client from './client.js';
import { byId, bytes, counted, notice, number, el } from './dom.js';
import * as place from './place.js';
import { askForComparison, showComparison } from './comparing.js';
import { Detail } from './detail.js';
import * as draft from './draft.js';
import { Drawer } from './drawer.js';
import { askForGame, notes } from './opening.js';
import { askForSaving } from './saving.js';
import { Table } from './table.js';
import { forget as forgetThumbnails } from './thumbnails.js';
import { Tree } from './tree.js';

const state = { game: null, server: null, comparison: null };
const detail = new Detail(state);
const drawer = new Drawer(state);
const table = new Table({
  onOpen: (row) => place.go({ path: row.path, container: row.container, view: '', part: '' }),
  onFound: ({ total, took, micros }) => {
    byId('count').textContent = counted(total, 'file', 'files');
    byId('count').title = micros === null ? `found after ${took.toFixed(0)} ms` : `found in ${(micros / 1000).toFixed(1)} ms, shown after ${took.toFixed(0)} ms`;
    showEmpty(total);
    performance.mark('uncask-found');
  },
});
table.isDetailShown = () => !byId('detail').hidden;
const tree = new Tree((folder) => {
  byId('side').classList.remove('shown');
  place.go({ folder });
});

// What to do where nothing is found.
function showEmpty(total) {
  const { search: text, folder } = place.now;
  const clear = text ? el('button', { type: 'button', onclick: () => place.go({ search: '' }) }, 'Clear the search') : null;
  const leave = folder ? el('button', { type: 'button', onclick: () => place.go({ folder: '' }) }, 'Search everywhere') : null;
  const said = text ? `Nothing matches ${text}${folder ? ` in ${folder}` : ''}.` : 'There are no files here.';
  byId('empty').replaceChildren(...[el('p', {}, said), clear, leave].filter(Boolean));
  byId('empty').hidden = total > 0;
}

const HEADS = [['path', 'Path'], ['class', 'Class or type'], ['size', 'Size'], ['container', 'Container']];

function search() {
  const { search: text, folder, order, compared } = place.now;
  const by = order.replace('-', '') || 'path';
  return { text, folder, order: by, reversed: order.startsWith('-'), compared: Boolean(compared) };
}

function heads() {
  const order = place.now.order || 'path';
  byId('head').replaceChildren(...HEADS.map(([name, title]) => {
    if (name === 'class' || name === 'container') return el('span', { class: name }, title);
    const mark = order === name ? ' ▲' : order === `-${name}` ? ' ▼' : '';
    const next = order === name ? `-${name}` : order === `-${name}` ? 'path' : name === 'size' ? '-size' : name;
    return el('button', { class: name, type: 'button', onclick: () => place.go({ order: next === 'path' ? '' : next }) }, title + mark);
  }));
}

async function showList() {
  heads();
  showComparison(state.comparison, endComparison);
  tree.choose(place.now.folder);
  if (byId('search').value !== place.now.search) byId('search').value = place.now.search;
  try {
    await table.search(search(), place.now);
    notice(notes(state.game));
  } catch (error) {
    notice(error.message);
  }
}

// Shows a game, and what differs between it and another one if that is open.
async function showGame(game, comparison = null) {
  const isOther = state.game && state.game.path !== game.path;
  Object.assign(state, { game, comparison });
  client.shows(game.number);
  forgetThumbnails();
  document.title = `${game.path.split(/[\\/]/).filter(Boolean).pop()} – uncask`;
  byId('game').textContent = game.path.split(/[\\/]/).filter(Boolean).pop();
  byId('game').title = `${game.path}: ${counted(game.chunks, 'file', 'files')}, ${bytes(game.bytes)}`;
  if (isOther) place.set({ search: '', folder: '', ...place.NO_FILE });
  if (!comparison) place.set({ compared: '', search: place.now.search.replace(/\s*changed:\S*/g, '').trim() });
  await showAll();
}

async function showAll() {
  await Promise.all([tree.load(Boolean(place.now.compared)), showList()]);
  await detail.show(place.now, true);
}

async function openGame(opening, signal) {
  await showGame(await client.open(opening, signal));
}

async function startComparison(comparison) {
  state.comparison = comparison;
  place.set({ compared: '1', search: '', folder: '', ...place.NO_FILE });
  await showAll();
}

async function endComparison() {
  await client.endComparison();
  state.comparison = null;
  place.set({ compared: '', search: '', folder: '', ...place.NO_FILE });
  await showAll();
}

place.onChange((now, before) => {
  if (!state.game) return;
  const differs = (...names) => names.some((name) => now[name] !== before[name]);
  if (differs('compared')) tree.load(Boolean(now.compared)).catch((error) => notice(error.message));
  if (differs('search', 'folder', 'order', 'compared')) showList();
  if (differs('path', 'container', 'view', 'part', 'compared')) detail.show(now);
});

let typed;
byId('search').addEventListener('input', () => {
  clearTimeout(typed);
  typed = setTimeout(() => place.go({ search: byId('search').value }, true), 60);
});
byId('search').addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'Enter') {
    table.place.focus();
    table.moveTo(Math.max(0, table.cursor));
    event.preventDefault();
  }
});
addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, select, textarea');
  if (event.key === '/' && !isTyping) {
    byId('search').focus();
    event.preventDefault();
  } else if (event.key === '?' && !isTyping && !document.querySelector('dialog[open]')) help();
  else if ((event.ctrlKey || event.metaKey) && ['z', 'y'].includes(event.key.toLowerCase()) && !isTyping && client.isServed) {
    const isRedo = event.shiftKey || event.key.toLowerCase() === 'y';
    (isRedo ? draft.redo : draft.undo)().catch((error) => notice(error.message, true));
    event.preventDefault();
  } else if (event.key === 'Escape' && !drawer.place.hidden && drawer.place.contains(document.activeElement)) drawer.show(false);
  else if (event.key === 'Escape' && !byId('detail').hidden && !document.querySelector('dialog[open]')) {
    place.go(place.NO_FILE);
    table.place.focus();
  }
});
byId('menu').addEventListener('click', () => {
  const isShown = byId('side').classList.toggle('shown');
  byId('menu').setAttribute('aria-expanded', String(isShown));
});
byId('game').addEventListener('click', () => askForGame(state, openGame));
byId('compare').addEventListener('click', () => state.game && askForComparison(state, startComparison, endComparison));
byId('save').addEventListener('click', () => state.game && askForSaving(state, {
  rows: [...table.marked], search: table.searched ?? search(), total: table.total, row: detail.row,
}));
byId('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  sessionStorage.setItem('theme', root.dataset.theme);
});
byId('help').addEventListener('click', help);
byId('end').addEventListener('click', () => confirm('End uncask', 'The program ends, and this page with it.', 'End', async () => {
  await client.end().catch(() => {});
  byId('main').replaceChildren(el('p', { class: 'view' }, 'uncask has ended. You can close this tab.'));
}));
function setGrid(isGrid) {
  byId('grid').setAttribute('aria-pressed', String(isGrid));
  byId('list').classList.toggle('with-pictures', isGrid);
  table.setGrid(isGrid);
  sessionStorage.setItem('grid', isGrid ? '1' : '');
}
byId('grid').addEventListener('click', () => setGrid(!table.isGrid));
if (sessionStorage.getItem('grid')) setGrid(true);

// What only a program can do.
byId('end').hidden = !client.isServed;

async function start() {
  const theme = sessionStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  try {
    state.server = await client.game();
    if (client.isServed) await draft.load();
    if (state.server.game) await showGame(state.server.game, state.server.comparison);
    else if (state.server.asked) {
      notice(`Opening ${state.server.asked} …`);
      await openGame({ path: state.server.asked });
    } else askForGame(state, openGame);
  } catch (error) {
    notice(error.message);
    askForGame(state, openGame, error);
  }
  document.body.dataset.ready = String(number(state.game?.chunks ?? 0));
}

start();
