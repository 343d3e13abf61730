// The functions of a blueprint as pseudo-code, which folds, is searched, and leads to what it calls.

import * as client from '../client.js';
import { counted, el, number } from '../dom.js';
import * as place from '../place.js';
import { add, blocks, openBlock, reveal } from './code-blocks.js';
import { words } from './code-words.js';

// Lines up to which all functions are open at first.
const OPEN = 1000;
const HEAD = /^(?:event|function|delegate)\s+([\p{L}\p{N}_]+)\(/u;

export async function show(into, { row, part, signal }) {
  const { text, functions, links } = await client.code(row.row, signal);
  if (!text) {
    into.append(el('p', { class: 'soft' }, 'No functions in this package.'));
    return;
  }
  const { top, lines } = blocks(text);
  const heads = new Map(top.body.filter((block) => HEAD.test(block.text)).map((block) => [HEAD.exec(block.text)[1], block]));
  const here = new Map([...heads].map(([name, block]) => [name, () => mark([block], 0)]));
  const code = el('div', { class: 'code mono', role: 'group', 'aria-label': 'Code' });
  add(code, top.body, (block) => words(block.text.trimStart(), { here, links }), () => lines.length <= OPEN);

  let found = [];
  let at = 0;
  const mark = (blocksToMark, from) => {
    code.querySelectorAll('.found').forEach((line) => line.classList.remove('found'));
    [found, at] = [blocksToMark, from];
    if (!found.length) return;
    reveal(found[at]).classList.add('found');
    if (found[at].body.length) openBlock(found[at]);
  };
  const count = el('span', { class: 'soft', role: 'status' });
  const say = () => { count.textContent = find.value ? (found.length ? `${number(at + 1)} of ${counted(found.length, 'line', 'lines')}` : 'not found') : ''; };
  const look = (matches) => {
    mark(find.value ? lines.filter((block) => matches(block.text)) : [], 0);
    say();
  };
  const step = (by) => {
    if (found.length) mark(found, (at + by + found.length) % found.length);
    say();
  };
  const find = el('input', {
    type: 'search', placeholder: 'Find in this code', 'aria-label': 'Find in this code', spellcheck: 'false',
    oninput: () => look(contains(find.value)),
    onkeydown: (event) => { if (event.key === 'Enter') step(event.shiftKey ? -1 : 1); },
  });
  const everywhere = el('button', { type: 'button', title: 'Find it in the code of all packages', onclick: () => {
    if (find.value) place.go({ search: `code:"${escaped(find.value)}"`, folder: '' });
  } }, 'In all packages');
  const folds = [['Fold all', false], ['Unfold all', true]].map(([title, isOpen]) => el('button', { type: 'button', onclick: () => {
    for (const block of top.body.filter((other) => other.body.length)) {
      if (isOpen) openBlock(block);
      else block.node.open = false;
    }
  } }, title));
  into.append(
    el('div', { class: 'tools' }, el('span', { class: 'soft' }, counted(functions, 'function', 'functions')), find, everywhere, count, folds),
    code);
  // Once it is in the page, it can be scrolled.
  requestAnimationFrame(() => {
    const searched = wanted(place.now.search);
    if (part && heads.has(part)) mark([heads.get(part)], 0);
    else if (searched) {
      find.value = searched.text;
      look(searched.matches);
    }
  });
}

const contains = (text) => (line) => line.toLowerCase().includes(text.toLowerCase());

// A text as an expression that matches only it. A quote would end what is searched for.
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('"', '.');

// What the files were searched for, to be found again in their code.
function wanted(search) {
  const given = /(?:^|\s)(code|calls):(?:"([^"]*)"?|(\S+))/i.exec(search);
  const text = given?.[2] ?? given?.[3];
  if (!text) return null;
  if (given[1].toLowerCase() === 'calls') return { text, matches: contains(`${text.replace(/[^\p{L}\p{N}]/gu, '_')}(`) };
  try {
    const expression = new RegExp(text, 'i');
    return { text, matches: (line) => expression.test(line) };
  } catch {
    return { text, matches: contains(text) };
  }
}
