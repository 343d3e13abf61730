// Two texts, line by line.

import * as client from '../client.js';
import { lines } from '../differences.js';
import { bytes, counted, el } from '../dom.js';
import { MOST, decode } from './text.js';

// Lines around those that changed, and lines that are shown at most.
const AROUND = 3;
const SHOWN = 5000;

export async function show(into, before, row, signal) {
  const read = async ({ row: id, size }) => {
    if (size > MOST) into.append(el('p', { class: 'soft' }, `Of ${bytes(size)}, the first ${bytes(MOST)} are compared.`));
    return decode(await client.content(id, 0, MOST, signal)).replaceAll('\r\n', '\n');
  };
  compared(into, ...await Promise.all([read(before), read(row)]));
}

// The pseudo-code of a blueprint in two builds; nothing if it is the same.
export async function code(into, before, row, signal) {
  const [old, now] = await Promise.all([client.code(before.row, signal), client.code(row.row, signal)]);
  if (old.text === now.text) into.append(el('p', { class: 'soft' }, 'The same.'));
  else compared(into, old.text, now.text);
}

function compared(into, old, now) {
  const found = lines(old, now);
  const [added, removed] = ['+', '-'].map((sign) => found.filter((line) => line[0] === sign).length);
  into.append(el('p', { class: 'soft' }, `${counted(added, 'line', 'lines')} added, ${counted(removed, 'line', 'lines')} removed`));
  const isNear = new Set();
  found.forEach(([sign], at) => {
    if (sign !== ' ') for (let near = at - AROUND; near <= at + AROUND; near += 1) isNear.add(near);
  });
  const table = el('div', { class: 'lines mono', role: 'table', 'aria-label': 'Lines' });
  let [last, count] = [-1, 0];
  for (const [at, line] of found.entries()) {
    if (!isNear.has(at)) continue;
    if (count === SHOWN) {
      into.append(el('p', { class: 'soft' }, `The first ${counted(SHOWN, 'line', 'lines')} are shown.`));
      break;
    }
    if (at > last + 1) table.append(el('div', { class: 'gap', role: 'row' }, el('span', { role: 'cell' }, `… ${counted(at - last - 1, 'line', 'lines')} the same`)));
    table.append(shown(line));
    [last, count] = [at, count + 1];
  }
  into.append(table);
}

const NAMES = { '+': ['added', '+'], '-': ['removed', '−'], ' ': ['same', ' '] };

function shown([sign, text, left, right]) {
  const [kind, mark] = NAMES[sign];
  return el('div', { class: `line ${kind}`, role: 'row' }, ...[left ?? '', right ?? ''].map((at) => el('span', { class: 'at', role: 'cell' }, String(at))),
    el('span', { class: 'mark', role: 'cell', 'aria-label': kind }, mark), el('span', { class: 'text', role: 'cell' }, text));
}
