// What is known about a file without opening it, and what `inspect` says is in it.

import { bytes, counted, el, number } from '../dom.js';

export function show(into, { row, chunk }) {
  const facts = [
    ['Path', row.path], ['Id', chunk.id], ['Type', row.type.replaceAll('_', ' ')], ['Class', row.class],
    ['Size', exact(row.size)],
    ['Stored', chunk.stored === null ? null : exact(chunk.stored)],
    ['Container', row.container],
    ['Offset', chunk.offset === null ? null : `0x${chunk.offset.toString(16)} of partition ${chunk.partition}`],
    ['Hash', chunk.hash], ['Overrides', chunk.overrides.join(', ')], ['Locked', chunk.locked],
    ['Kind', chunk.what], ['Detected by', chunk.detected_by], ['Problem', chunk.problem],
  ];
  const parts = chunk.parts.filter((part) => part.name).map((part) => [part.name, part.value]);
  into.append(list(facts), list(parts));
  for (const part of chunk.parts.filter((other) => other.title && other.rows.length)) {
    const rows = part.rows.map((item) => el('li', { class: 'mono' }, item.text,
      item.details.length ? el('ul', {}, item.details.map((line) => el('li', {}, line))) : null));
    into.append(el('h2', {}, part.title), el('ol', { start: '0' }, rows));
    if (part.more) into.append(el('p', { class: 'soft' }, `and ${counted(part.more, 'more row', 'more rows')}`));
  }
}

const exact = (size) => (size < 1024 ? bytes(size) : `${bytes(size)} (${number(size)} bytes)`);

function list(facts) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return el('dl', { class: 'facts' }, known.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}
