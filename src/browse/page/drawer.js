// The drawer: all changes, with what was before, and ways to take them back, save them and open others.

import * as client from './client.js';
import { confirm } from './asking.js';
import { byId, counted, el, notice, number, split } from './dom.js';
import * as draft from './draft.js';
import * as place from './place.js';

const ACTIONS = { set: '', multiply: '×', add: '+', append: 'add', remove: 'removed', replace: 'new picture', assemble: 'code' };

export class Drawer {
  constructor(state) {
    this.state = state;
    this.place = byId('drawer');
    this.button = byId('changes');
    this.button.hidden = !client.isServed;
    this.button.addEventListener('click', () => this.show(this.place.hidden));
    draft.onChange(() => this.draw());
  }

  show(isShown) {
    this.place.hidden = !isShown;
    this.button.setAttribute('aria-expanded', String(isShown));
    if (isShown) this.draw();
    else this.button.focus();
  }

  draw() {
    const { total, changes, can_undo: canUndo, can_redo: canRedo } = draft.now;
    this.button.textContent = total ? `Changes (${number(total)})` : 'Changes';
    if (this.place.hidden) return;
    const button = (title, work, isEnabled = true) => el('button', { type: 'button', disabled: !isEnabled, onclick: () => work()?.catch?.((error) => notice(error.message, true)) }, title);
    const saveTo = this.state.server?.save_to;
    this.place.replaceChildren(...[
      el('header', {}, el('h2', {}, counted(total, 'change', 'changes')), button('Undo', draft.undo, canUndo), button('Redo', draft.redo, canRedo),
        el('button', { type: 'button', title: 'Close the drawer', 'aria-label': 'Close the drawer', onclick: () => this.show(false) }, '✕')),
      total ? el('ul', { class: 'changes' }, changes.map((change) => this.line(change))) : el('p', { class: 'soft' }, 'Nothing is changed yet. Edit values in the view “Edit” of a package, and texts in that of a .locres file; drop a picture on the preview of a texture.'),
      changes.length < total ? el('p', { class: 'soft' }, `… and ${counted(total - changes.length, 'more', 'more')}`) : null,
      el('footer', {},
        saveTo ? null : el('p', { class: 'soft' }, 'Start uncask with --save-to FOLDER to save them.'),
        button('Save as mod…', () => this.askToSave('mod'), Boolean(saveTo && total)), button('Save as recipe…', () => this.askToSave('recipe'), Boolean(saveTo && total)),
        button('Open a recipe…', () => this.askToOpen()), button('Clear', () => confirm('Take all changes back', `${counted(total, 'change is', 'changes are')} taken back. Undo brings them again.`, 'Take back', () => draft.clear()), total > 0))].filter(Boolean));
  }

  line(change) {
    const { kind, of, what, action, from, to } = change;
    const short = (text) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
    const isOne = /^\/[^*?,]+$/.test(of);
    const name = isOne && kind !== 'files' ? el('button', { class: 'link', type: 'button', title: of, onclick: () => this.go(of) }, split(of)[1]) : el('span', { title: of }, of);
    const said = ACTIONS[action] ?? action;
    const old = from === null ? [] : [el('del', {}, short(from)), ' → '];
    return el('li', {}, el('div', { class: 'top' }, el('div', {}, name, what ? ` ${what}` : ''),
      el('button', { class: 'tool', type: 'button', title: 'Take this change back', 'aria-label': `Take back: ${what || of}`, onclick: () => draft.remove(change).catch((error) => notice(error.message, true)) }, '✕')),
    el('div', { class: 'mono' }, old, said ? `${said} ` : '', to === null ? '' : el('ins', {}, short(to))));
  }

  async go(name) {
    try {
      const { path, container } = await client.find(name);
      place.go({ path, container, view: 'edit', part: '' });
    } catch (error) {
      notice(error.message, true);
    }
  }

  askToSave(form) {
    const dialog = byId('saving');
    const name = el('input', { required: true, spellcheck: 'false', autocomplete: 'off' });
    name.value = draft.now.name ?? 'MyMod';
    const overwrite = el('input', { type: 'checkbox' });
    const result = el('div', { role: 'status' });
    const made = el('form', { method: 'dialog' }, el('h1', {}, form === 'mod' ? 'Save as mod' : 'Save as recipe'),
      el('label', {}, 'Name', name), el('label', { class: 'inline' }, overwrite, ' Replace files of that name'),
      el('p', { class: 'soft' }, form === 'mod' ? `A container or pak in ${this.state.server.save_to}, for the folder of the game’s mods.` : `A folder in ${this.state.server.save_to}, for “uncask build” and version control.`),
      result, el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'), el('button', { class: 'main', type: 'submit' }, 'Save')));
    made.addEventListener('submit', async (event) => {
      event.preventDefault();
      result.replaceChildren('Working …');
      try {
        const saved = await client.changeDraft('save', { name: name.value, form, overwrite: overwrite.checked });
        const lines = [...saved.warnings, ...saved.doubts].map((text) => el('li', {}, text));
        result.replaceChildren(el('p', {}, `Saved: ${saved.path}`), lines.length ? el('ul', {}, lines) : '');
      } catch (error) {
        result.replaceChildren(el('p', { class: 'bad' }, error.message));
      }
    });
    dialog.replaceChildren(made);
    dialog.showModal();
  }

  askToOpen() {
    const dialog = byId('opening');
    const path = el('input', { required: true, spellcheck: 'false', autocomplete: 'off', placeholder: 'MyMod/mod.toml' });
    const said = el('p', { class: 'bad', role: 'alert' });
    const made = el('form', { method: 'dialog' }, el('h1', {}, 'Open a recipe'), el('label', {}, 'Folder or file on this machine', path),
      el('p', { class: 'soft' }, 'It takes the place of the changes so far; undo brings them back.'), said,
      el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), el('button', { class: 'main', type: 'submit' }, 'Open')));
    made.addEventListener('submit', async (event) => {
      event.preventDefault();
      try {
        await draft.open(path.value);
        dialog.close();
      } catch (error) {
        said.textContent = error.message;
      }
    });
    dialog.replaceChildren(made);
    dialog.showModal();
  }
}
