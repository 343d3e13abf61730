// Values as a tree: what is in a branch is made when it is opened.

import * as client from '../client.js';
import { el, notice, number } from '../dom.js';
import * as place from '../place.js';
import { table } from './rows.js';

// Members that are shown at a time.
const SHOWN = 500;

// `part` is an object that is looked for: names from its outer object inwards, as in `Door.Mesh`.
export async function show(into, { row, part, signal }) {
  const objects = await client.properties(row.row, signal);
  const tree = el('div', { class: 'props mono' });
  for (const [at, object] of objects.entries()) {
    const { Type: type, Name: name, Rows: rows, ...rest } = object;
    // Of a table, the rows are what people look for.
    const isTable = rows !== null && typeof rows === 'object' && !Array.isArray(rows);
    if (isTable) tree.append(el('h2', {}, `${name}: ${number(Object.keys(rows).length)} ${Object.keys(rows).length === 1 ? 'row' : 'rows'}`), table(rows));
    const isWanted = part && `${outer(object)}.${name}`.endsWith(`.${part}`);
    const shown = branch(`${name} (${type})`, isTable ? rest : { ...rest, ...(rows === undefined ? {} : { Rows: rows }) }, isWanted || (!part && !isTable && (at === 0 || objects.length < 4)));
    if (isWanted) setTimeout(() => shown.scrollIntoView({ block: 'center' }));
    tree.append(shown);
  }
  const save = el('button', { type: 'button', onclick: () => download(row) }, 'Save as JSON');
  into.append(el('p', { class: 'soft' }, `${number(objects.length)} ${objects.length === 1 ? 'object' : 'objects'} `, save), tree);
}

// `Class'Start:PersistentLevel.Door'` is `Start:PersistentLevel.Door`.
function outer({ Outer: found }) {
  return String(found?.ObjectName ?? found ?? '').replace(/^.*?'|'$/g, '');
}

async function download(row) {
  try {
    await client.download(row.row, 'json');
  } catch (error) {
    notice(error.message, true);
  }
}

function branch(title, value, isOpen = false) {
  const details = el('details', {}, el('summary', {}, title));
  const fill = () => {
    if (details.childElementCount === 1) add(details, Object.entries(value), Array.isArray(value), 0);
  };
  details.addEventListener('toggle', fill);
  if (isOpen) {
    fill();
    details.open = true;
  }
  return details;
}

function add(into, members, isList, from) {
  for (const [key, value] of members.slice(from, from + SHOWN)) into.append(member(isList ? `[${key}]` : key, value));
  if (members.length > from + SHOWN) {
    const more = el('button', { class: 'link leaf', type: 'button', onclick: () => {
      more.remove();
      add(into, members, isList, from + SHOWN);
    } }, `${number(members.length - from - SHOWN)} more…`);
    into.append(more);
  }
}

function member(key, value) {
  if (value !== null && typeof value === 'object') {
    const size = Object.keys(value).length;
    const title = [el('span', { class: 'key' }, `${key}: `), Array.isArray(value) ? `[${number(size)}]` : summary(value)];
    const made = size ? branch('', value, key === 'Properties') : el('div', { class: 'leaf' }, title);
    if (size) made.firstChild.replaceChildren(...title);
    return made;
  }
  return el('div', { class: 'leaf' }, el('span', { class: 'key' }, `${key}: `), leaf(value));
}

function summary(value) {
  const text = value.ObjectName ?? value.AssetPathName ?? value.Name;
  return typeof text === 'string' ? text : `{${number(Object.keys(value).length)}}`;
}

function leaf(value) {
  if (typeof value !== 'string') return el('span', { class: typeof value === 'number' ? 'tok-number' : 'tok-word' }, String(value));
  const path = /^\/(?!Script\/)[^/\s]+\/[^\s'"]+$/.test(value) ? value.replace(/\.\d+$/, '') : null;
  return path ? link(path, value) : el('span', { class: 'tok-string' }, value);
}

// A link to the package that a value names.
export function link(name, text = name) {
  return el('button', { class: 'link', type: 'button', onclick: async () => {
    try {
      const { path, container } = await client.find(name);
      place.go({ path, container, view: '', part: '' });
    } catch (error) {
      notice(error.message, true);
    }
  } }, text);
}
