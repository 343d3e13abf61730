// Texts of a localization file: searched, and edited where they stand.

import * as client from '../client.js';
import * as draft from '../draft.js';
import { counted, el, number } from '../dom.js';

export async function show(into, { row, signal }) {
  const search = el('input', { type: 'search', placeholder: 'Search in texts and keys', 'aria-label': 'Search in texts and keys', spellcheck: 'false' });
  const count = el('span', { class: 'soft', role: 'status' });
  const body = el('tbody');
  const more = el('button', { class: 'link', type: 'button', hidden: true });
  const head = el('thead', {}, el('tr', {}, ['Namespace', 'Key', 'Text'].map((name) => el('th', { scope: 'col' }, name))));
  let asking;
  const load = async (from) => {
    asking?.abort();
    asking = new AbortController();
    const own = asking.signal;
    const found = await client.texts(row.row, search.value, from, own);
    if (own.aborted || signal.aborted) return;
    if (!from) body.replaceChildren();
    body.append(...found.texts.map((text) => line(found, text)));
    const shown = from + found.texts.length;
    count.textContent = [counted(found.total, 'text', 'texts'), found.culture, ...found.problems].filter(Boolean).join(' · ');
    more.hidden = shown >= found.total;
    more.textContent = `${number(found.total - shown)} more…`;
    more.onclick = () => load(shown);
  };
  let pause;
  search.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => load(0).catch(() => {}), 150);
  });
  draft.onChange((_, by) => { if (by !== show) load(0).catch(() => {}); }, signal);
  into.append(el('div', { class: 'tools' }, search, count), el('div', { class: 'scrolled' }, el('table', { class: 'values texts' }, head, body), more));
  await load(0);
}

function line({ file, culture }, { namespace, key, text }) {
  const isSame = (change) => change.kind === 'text' && change.of === file && change.what === key && change.text_of[0] === culture && change.text_of[1] === namespace;
  const find = () => draft.now.changes.find(isSame);
  let shown = find()?.to ?? text;
  const made = el('tr', { class: find() ? 'changed' : '' }, el('td', {}, namespace), el('td', { class: 'mono' }, key));
  if (!client.isServed) {
    made.append(el('td', {}, text));
    return made;
  }
  const said = el('span', { class: 'bad said', role: 'alert' });
  const area = el('textarea', { 'aria-label': `Text of ${key}`, rows: String(Math.min(6, shown.split('\n').length)) });
  area.value = shown;
  area.addEventListener('change', async () => {
    try {
      await draft.change(client.editText({ file, culture, namespace, key, from: text, set: area.value }), show);
      shown = area.value;
      made.classList.toggle('changed', Boolean(find()));
      said.textContent = '';
    } catch (error) {
      said.textContent = error.message;
    }
  });
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    area.value = shown;
  });
  made.append(el('td', {}, area, said));
  return made;
}
