// Who refers to whom: on the left those that need this package, on the right those that it needs.

import * as client from '../client.js';
import { counted, el, split } from '../dom.js';
import * as place from '../place.js';
import { graph } from './graph.js';
import { link } from './properties.js';

export async function show(into, { row, signal }) {
  const [needs, needed] = await Promise.all([client.references(row.row, false, signal), client.references(row.row, true, signal)]);
  const name = split(row.path)[1].replace(/\.\w+$/, '');
  if (needs.total + needed.total) into.append(el('div', { class: 'drawn' }, graph(name, needed, needs, ({ path, container }) => place.go({ path, container, view: 'references' }))));
  into.append(el('div', { class: 'sides' }, side('Needed by', needed), side('Needs', needs)));
}

function side(title, { links, total }) {
  const item = (other) => el('li', {}, other.row ? link(other.row.path, other.name) : other.name,
    el('span', { class: 'soft' }, [other.row?.class?.split(/[./]/).pop(), other.kind === 'hard' ? null : other.kind, other.row ? null : 'in none of the containers']
      .filter(Boolean).map((text) => ` · ${text}`).join('')));
  return el('section', {}, el('h2', {}, `${title} ${counted(total, 'package', 'packages')}`), el('ul', {}, links.map(item)),
    total > links.length ? el('p', { class: 'soft' }, `The first ${links.length} are shown.`) : null);
}
