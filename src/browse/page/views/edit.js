// Values to edit, as a tree: what is in a branch is asked for when it is opened.

import * as client from '../client.js';
import * as draft from '../draft.js';
import { counted, el, notice } from '../dom.js';
import { askForJson, askForName } from '../editing.js';
import { editor } from './edit-value.js';

const BRANCHES = ['object', 'struct', 'list', 'map', 'rows'];
// Branches that are open, so that they are again after a change.
const opened = new Map();

export async function show(into, { row, signal }) {
  const place = el('div');
  into.append(place);
  const tree = new Tree(row, signal);
  await tree.draw(place);
  draft.onChange((_, by) => {
    if (by !== tree) tree.draw(place).catch((error) => { if (!signal.aborted) notice(error.message); });
  }, signal);
}

class Tree {
  constructor(row, signal) {
    Object.assign(this, { row: row.row, signal });
    if (!opened.has(row.path)) opened.set(row.path, null);
    this.path = row.path;
  }

  get open() { return opened.get(this.path); }

  async draw(into) {
    const found = await client.fields(this.row, '', 0, this.signal);
    if (this.signal.aborted) return;
    this.changed = new Map(found.changed.map(([address, from, to]) => [address.toLowerCase(), { from, to }]));
    // At first the object that people look for: the defaults of a blueprint, or what is called like the package.
    const name = this.path.split('/').pop().replace(/\.\w+$/, '');
    const main = found.fields.find((field) => field.name.startsWith('Default__')) ?? found.fields.find((field) => field.name === name) ?? found.fields[0];
    if (!this.open) opened.set(this.path, new Set(main ? [main.address] : []));
    const tree = el('div', { class: 'props edit mono' });
    await this.fill(tree, '', found);
    if (this.signal.aborted) return;
    const problems = found.problems.map((text) => el('p', { class: 'bad', role: 'alert' }, text));
    into.replaceChildren(...problems, tree);
  }

  // Fills a branch with the values inside, and what can be added there.
  async fill(into, at, found) {
    const from = into.dataset.from ? Number(into.dataset.from) : 0;
    for (const field of found.fields) into.append(await this.field(field, found.inside));
    const shown = from + found.fields.length;
    if (found.problem) into.append(el('p', { class: 'bad' }, `Not all of it can be read: ${found.problem}`));
    if (shown < found.total) {
      const more = el('button', { class: 'link leaf', type: 'button', onclick: async () => {
        more.remove();
        into.dataset.from = String(shown);
        await this.fill(into, at, await client.fields(this.row, at, shown, this.signal));
      } }, `${counted(found.total - shown, 'more value', 'more values')}…`);
      into.append(more);
    } else if (at) into.append(...this.adders(at, found));
  }

  async field(field, inside) {
    const change = this.changed.get(field.address.toLowerCase());
    field.inside = inside;
    if (!BRANCHES.includes(field.kind)) {
      const leaf = el('div', { class: 'leaf', 'data-address': field.address }, el('span', { class: 'key' }, `${field.name}: `), editor(this, field));
      this.mark(leaf, field, change);
      return leaf;
    }
    const tools = this.tools(field, change);
    const said = field.kind === 'object' ? `(${field.text})` : shorten(field.text);
    const details = el('details', { 'data-address': field.address }, el('summary', {}, el('span', { class: 'key' }, field.name), ` ${said}`, tools));
    const fill = async () => {
      this.open.add(field.address);
      const found = await client.fields(this.row, field.address, 0, this.signal);
      const inner = el('div');
      await this.fill(inner, field.address, found);
      details.append(inner);
    };
    if (this.open.has(field.address)) {
      await fill();
      details.open = true;
    }
    details.addEventListener('toggle', () => {
      if (!details.open) this.open.delete(field.address);
      else if (details.childElementCount === 1) fill().catch((error) => notice(error.message));
    });
    return details;
  }

  // Says what a value was before.
  mark(leaf, field, change) {
    leaf.classList.toggle('changed', Boolean(change));
    for (const old of leaf.querySelectorAll(':scope > .was, :scope > .doing')) old.remove();
    if (change) leaf.append(el('span', { class: 'soft was' }, change.from === null ? ' was left out' : ` was ${shorten(change.from)}`));
    leaf.append(this.tools(field, change));
  }

  // A value that was set where it stands.
  isSet(leaf, field) {
    const change = draft.now.changes.find(({ kind, what }) => kind === 'value' && what.toLowerCase() === field.address.toLowerCase());
    this.mark(leaf, field, change);
  }

  // What can be done with a value besides changing it.
  tools({ address, kind, name, inside }, change) {
    const isItem = ['list', 'map', 'rows'].includes(inside);
    const tool = (sign, label, work) => el('button', { class: 'tool', type: 'button', title: label, 'aria-label': `${label}: ${name}`, onclick: (event) => {
      event.preventDefault();
      work().catch((error) => notice(error.message, true));
    } }, sign);
    return el('span', { class: 'doing' },
      change && !isItem ? tool('↶', 'Take the change back', () => this.edit(address, { action: 'reset' }, null)) : null,
      ['struct', 'list', 'map'].includes(kind) ? tool('{ }', 'Edit as JSON', () => this.editJson(address)) : null,
      isItem ? tool('Copy', 'Copy', () => this.duplicate(address, inside)) : null,
      isItem ? tool('✕', 'Remove', () => this.edit(address, { action: 'remove' }, null)) : null);
  }

  // Forms for what is not there yet: elements, keys, rows, and properties that are left out.
  adders(at, { inside, unset }) {
    const adders = [];
    const input = (name, label) => el('input', { name, 'aria-label': label, placeholder: label, spellcheck: 'false', autocomplete: 'off' });
    const form = (nodes, work) => {
      const made = el('form', { class: 'leaf adding' }, nodes, el('button', { type: 'submit' }, 'Add'));
      made.addEventListener('submit', async (event) => {
        event.preventDefault();
        await work().catch((error) => notice(error.message, true));
      });
      adders.push(made);
    };
    const [key, value] = [input('key', inside === 'rows' ? 'Name of a new row' : 'New key'), input('value', 'Value')];
    if (inside === 'list') form([value], () => this.edit(at, { action: 'append', value: value.value }, null));
    else if (inside === 'map') form([key, value], () => this.edit(at, { action: 'append', key: key.value, value: value.value }, null));
    else if (inside === 'rows') form([key], () => this.edit(rowAddress(at, key.value), { action: 'set', value: '{}' }, null));
    if (unset.length) {
      const pick = el('select', { 'aria-label': 'Value that is left out' }, unset.map(([name, type]) => el('option', { value: name }, `${name} (${type})`)));
      const set = input('value', 'Value; struct, array and map as JSON');
      form([pick, set], () => this.edit(`${at}.${pick.value}`, { action: 'set', value: set.value }, null));
    }
    return adders;
  }

  // Makes a change. Whoever shows it already is `by`; all others are drawn anew.
  edit(address, wish, by = this) { return draft.change(client.editValue(this.row, address, wish), by); }

  check(address, wish, signal) { return client.checkValue(this.row, address, wish, signal); }

  async editJson(address) {
    const text = await client.valueAsJson(this.row, address);
    askForJson(address, text, (value) => this.edit(address, { action: 'set', value }, null));
  }

  async duplicate(address, inside) {
    const value = await client.valueAsJson(this.row, address);
    const at = address.slice(0, address.lastIndexOf('['));
    if (inside === 'list') await this.edit(at, { action: 'append', value }, null);
    else askForName(inside === 'rows' ? 'Name of the new row' : 'New key', (key) => this.edit(...(inside === 'rows' ? [rowAddress(at, key), { action: 'set', value }] : [at, { action: 'append', key, value }]), null));
  }
}

// The address of a row that is not there yet: `Table.Row`, for `Table.Rows`.
function rowAddress(rows, name) {
  return `${rows.replace(/\.Rows$/, '')}.${/[.[\]"]/.test(name) ? JSON.stringify(name) : name}`;
}

const shorten = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
