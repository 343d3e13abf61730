// One file: its views as tabs.

import * as client from './client.js';
import { Refused } from './client.js';
import { CHANGES, SEEN, byId, bytes, el, split } from './dom.js';
import * as place from './place.js';
import * as code from './views/code.js';
import * as compare from './views/compare.js';
import * as edit from './views/edit.js';
import * as facts from './views/facts.js';
import * as hex from './views/hex.js';
import * as properties from './views/properties.js';
import * as references from './views/references.js';
import * as text from './views/text.js';
import * as texts from './views/texts.js';
import { preview } from './views/picture.js';

const TEXTS = /\.(ini|txt|json|lua|csv|xml|upluginmanifest|uplugin|uproject|md|html?|js|css|log|cfg|yaml|yml|usf|ush|verse|py)$/i;
const LOCALIZED = /\.locres$/i;
const CODE = /\.(\w*Blueprint\w*|World|Function)$/;
const WORLD = /\.World$/;
const SEARCHED = /(?:^|\s)(?:code|calls):\S/i;

// Drawing takes more code than the rest of the page: it is loaded when it is needed.
const world = async (...given) => (await import('./views/world.js')).show(...given);

// The views that a file has, the one that is shown first at the front.
function views(row, chunk) {
  const all = [];
  const isSeen = chunk.is_package && SEEN.test(row.class ?? '');
  const isCode = chunk.is_package && CODE.test(row.class ?? '');
  const isWorld = chunk.is_package && WORLD.test(row.class ?? '');
  const isText = !chunk.is_package && TEXTS.test(row.path);
  if (chunk.is_package) {
    if (!isWorld) all.push({ name: 'preview', title: 'Preview', show: preview });
    all.push({ name: 'properties', title: 'Properties', show: properties.show });
    if (row.class && !isSeen) all.reverse();
    if (isWorld) all.unshift({ name: 'world', title: 'World', show: world });
    if (isCode) {
      const tab = { name: 'code', title: 'Code', show: code.show };
      // Of a blueprint, and of what was found by its code, that is what people look for.
      if (SEARCHED.test(place.now.search) || /BlueprintGeneratedClass$/.test(row.class)) all.unshift(tab);
      else all.push(tab);
    }
    // Rows of two builds are compared, not edited.
    if (client.isServed && !place.now.compared) all.push({ name: 'edit', title: 'Edit', show: edit.show });
  } else if (isText) all.push({ name: 'text', title: 'Text', show: text.show });
  else if (LOCALIZED.test(row.path)) all.push({ name: 'texts', title: 'Texts', show: texts.show });
  all.push({ name: 'facts', title: 'Facts', show: facts.show });
  if (chunk.is_package) all.push({ name: 'references', title: 'References', show: references.show });
  all.push({ name: 'hex', title: 'Bytes', show: hex.show });
  if (row.before) {
    const isPicture = /\.\w*Texture\w*$/.test(row.class ?? '');
    all.unshift({ name: 'compare', title: 'Compare', show: (into, file) => compare.show(into, { ...file, isText, isPicture, isCode }) });
  }
  return all;
}

export class Detail {
  constructor(state) {
    this.state = state;
    this.place = byId('detail');
  }

  // Shows the file of a path in a view; nothing for no path.
  async show({ path, container, compared, view, part }, isReload = false) {
    this.working?.abort();
    this.working = new AbortController();
    const { signal } = this.working;
    byId('main').classList.toggle('with-detail', Boolean(path));
    this.place.hidden = !path;
    if (!path) {
      this.row = null;
      this.place.replaceChildren();
      return;
    }
    try {
      const wanted = JSON.stringify([path, container, compared]);
      if (!this.row || this.wanted !== wanted || isReload) {
        this.row = null;
        this.wanted = wanted;
        const row = await client.find(path, { compared: Boolean(compared), container });
        if (signal.aborted) return;
        const chunk = await client.chunk(row.row, signal);
        if (signal.aborted) return;
        Object.assign(this, { row, chunk });
        this.frame();
      }
      await this.open(view, part, signal);
    } catch (error) {
      if (!signal.aborted) this.place.replaceChildren(el('p', { class: 'view bad', role: 'alert' }, error.message));
    }
  }

  frame() {
    const [folder, file] = split(this.row.path);
    this.views = views(this.row, this.chunk);
    this.tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' }, this.views.map((view) => el('button', {
      role: 'tab', type: 'button', id: `tab-${view.name}`, 'aria-controls': 'view', onclick: () => place.go({ view: view.name, part: '' }),
    }, view.title)));
    this.tabs.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = [...this.tabs.children].indexOf(event.target);
      if (step && at >= 0) {
        const next = this.tabs.children[(at + step + this.views.length) % this.views.length];
        next.focus();
        next.click();
      }
    });
    this.view = el('div', { class: 'view', id: 'view', role: 'tabpanel', tabIndex: 0 });
    const close = el('button', { type: 'button', title: 'Close (Escape)', 'aria-label': 'Close', onclick: () => place.go(place.NO_FILE) }, '✕');
    const { change } = this.row;
    const where = [folder || 'at the top', bytes(this.row.size), this.row.class ?? this.row.type, change && CHANGES[change].name + (change === 'removed' ? ': this is the file of the old build' : '')];
    this.place.replaceChildren(
      el('header', {},
        el('div', { class: 'top' }, el('h1', {}, file), close),
        el('p', { class: 'where' }, where.filter(Boolean).join(' · ')),
        this.tabs),
      this.view);
    this.place.scrollTop = 0;
  }

  async open(name, part, signal) {
    const view = this.views.find((other) => other.name === name) ?? this.views[0];
    for (const tab of this.tabs.children) {
      const isChosen = tab.id === `tab-${view.name}`;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    this.view.setAttribute('aria-labelledby', `tab-${view.name}`);
    this.view.replaceChildren(el('p', { class: 'soft' }, 'Working …'));
    const into = el('div');
    try {
      if (this.chunk.locked && !['facts', 'compare'].includes(view.name)) throw new Refused(422, { error: this.chunk.locked, needs: 'key' });
      await view.show(into, { row: this.row, chunk: this.chunk, part, signal });
    } catch (error) {
      if (signal.aborted) return;
      into.replaceChildren(problem(error));
    }
    if (!signal.aborted) this.view.replaceChildren(into);
  }
}

function problem(error) {
  const said = el('div', { role: 'alert' }, el('p', { class: 'bad' }, error.message));
  const label = { key: 'Give a key', mappings: 'Give mappings' }[error.needs];
  if (label) said.append(el('button', { type: 'button', onclick: () => byId('game').click() }, label));
  return said;
}
