// Tables of data as tables: a line for each row, a column for each member.

import { el, number } from '../dom.js';

// Rows that are shown at a time, and letters of a cell.
const SHOWN = 300;
const LETTERS = 160;

export function table(rows) {
  const named = Object.entries(rows);
  const columns = [...new Set(named.slice(0, SHOWN).flatMap(([, row]) => Object.keys(row ?? {})))];
  const body = el('tbody');
  const add = (from) => {
    for (const [name, row] of named.slice(from, from + SHOWN)) {
      body.append(el('tr', {}, el('th', { scope: 'row' }, name), columns.map((column) => cell(row?.[column]))));
    }
    more.hidden = from + SHOWN >= named.length;
    more.textContent = `${number(named.length - from - SHOWN)} more…`;
    more.onclick = () => add(from + SHOWN);
  };
  const more = el('button', { class: 'link', type: 'button' });
  add(0);
  const head = el('thead', {}, el('tr', {}, ['Row', ...columns].map((name) => el('th', { scope: 'col' }, name))));
  return el('div', { class: 'scrolled', tabIndex: 0, role: 'region', 'aria-label': 'Rows of the table' }, el('table', { class: 'values' }, head, body), more);
}

function cell(value) {
  const text = shown(value);
  return el('td', { title: text }, text.length > LETTERS ? `${text.slice(0, LETTERS)}…` : text);
}

// A text as it is, what refers to something as its name, and the rest as JSON.
function shown(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const name = value.ObjectName ?? value.AssetPathName ?? value.LocalizedString ?? value.SourceString ?? value.CultureInvariantString;
  return typeof name === 'string' ? name : JSON.stringify(value, (key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}
