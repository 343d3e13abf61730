// Short dialogs: help, and questions before something that cannot be taken back.

import { byId, el } from './dom.js';

function show(title, content, ...buttons) {
  const dialog = byId('asking');
  dialog.setAttribute('aria-label', title);
  dialog.replaceChildren(el('form', { method: 'dialog' }, el('h1', {}, title), content, el('div', { class: 'buttons' }, buttons)));
  dialog.showModal();
  return dialog;
}

// Asks before something is done.
export function confirm(title, text, action, work) {
  const dialog = show(title, el('p', {}, text),
    el('button', { type: 'submit' }, 'Cancel'),
    el('button', { class: 'main', type: 'button', onclick: () => { dialog.close(); work(); } }, action));
}

const SEARCHES = [
  ['rock .uasset', 'both words, anywhere in the path; files of that name come first'],
  ['class:Texture2D', 'the class of a package'], ['type:bulk', 'the type of a chunk'], ['container:pakchunk1', 'the container'],
  ['size:>1M  size:<=4K', 'the size'], ['calls:Open', 'blueprints that call a function'],
  ['code:"if (Is"', 'blueprints with such a line, a regular expression'], ['changed:added', 'while two builds are compared'],
];
const KEYS = [
  ['/', 'search'], ['↓ or Enter in the search', 'to the files'], ['↑ ↓ Page Up Page Down Home End', 'move'], ['Enter', 'open the file'],
  ['Space, Ctrl+click', 'select for saving'], ['Escape', 'close the file'], ['← →', 'between views, and in the folders'], ['Ctrl+Z  Ctrl+Y', 'take back a change, or make it again'], ['?', 'this help'],
];

export function help() {
  const list = (rows) => el('dl', { class: 'facts' }, rows.map(([name, text]) => [el('dt', { class: 'mono' }, name), el('dd', {}, text)]));
  const content = el('div', {}, el('h2', {}, 'Search'), list(SEARCHES), el('h2', {}, 'Keys'), list(KEYS));
  show('Help', content, el('button', { class: 'main', type: 'submit' }, 'Close'));
}
