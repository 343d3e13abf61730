// One file in two builds, side by side.

import * as client from '../client.js';
import { bytes, el, number } from '../dom.js';

export async function show(into, { row, chunk, signal, isText, isPicture, isCode }) {
  const { before } = row;
  const old = await client.chunk(before.row, signal);
  into.append(facts(before, old, row, chunk));
  if (chunk.is_package && isPicture) await part(into, 'Picture', signal, async (place) => (await import('./compare-pictures.js')).show(place, before, row, signal));
  if (isCode) await part(into, 'Code', signal, async (place) => (await import('./compare-text.js')).code(place, before, row, signal));
  if (chunk.is_package) await part(into, 'Values', signal, async (place) => (await import('./compare-values.js')).show(place, before, row, signal));
  else if (isText) await part(into, 'Text', signal, async (place) => (await import('./compare-text.js')).show(place, before, row, signal));
}

// A part that cannot be shown does not hide the others.
async function part(into, title, signal, show) {
  const place = el('section', { 'aria-label': title }, el('h2', {}, title));
  into.append(place);
  try {
    await show(place);
  } catch (error) {
    if (!signal.aborted) place.append(el('p', { class: 'bad', role: 'alert' }, error.message));
  }
}

function facts(before, old, row, chunk) {
  const size = (value) => (value === null ? '' : `${bytes(value)}${value < 1024 ? '' : ` (${number(value)} bytes)`}`);
  const lines = [
    ['Path', before.path, row.path], ['Class', before.class, row.class], ['Size', size(before.size), size(row.size)],
    ['Stored', size(old.stored), size(chunk.stored)], ['Hash', old.hash, chunk.hash], ['Container', before.container, row.container],
    ['Kind', old.what, chunk.what], ['Problem', old.problem, chunk.problem],
  ].filter(([, left, right]) => left || right);
  const head = ['', 'Old build', 'New build'].map((text) => el('th', { scope: 'col' }, text));
  return el('table', { class: 'pair' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, lines.map(([name, left, right]) => el('tr',
    { class: left === right ? '' : 'differs' }, el('th', { scope: 'row' }, name), el('td', {}, left ?? ''), el('td', {}, right ?? '')))));
}
