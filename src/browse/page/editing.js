// Dialogs for what is typed as a whole.

import { byId, el } from './dom.js';

function ask(title, field, action, work) {
  const dialog = byId('asking');
  dialog.setAttribute('aria-label', title);
  const said = el('p', { class: 'bad', role: 'alert' });
  const form = el('form', { method: 'dialog' }, el('h1', {}, title), field, said, el('div', { class: 'buttons' },
    el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), el('button', { class: 'main', type: 'submit' }, action)));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await work(field.value ?? field.querySelector('input').value);
      dialog.close();
    } catch (error) {
      said.textContent = error.message;
    }
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}

// A value with all that is in it.
export function askForJson(address, text, work) {
  const area = el('textarea', { class: 'mono', 'aria-label': `JSON of ${address}`, rows: '16', spellcheck: 'false' });
  area.value = pretty(text);
  ask(address, area, 'Set', work);
}

export function askForName(title, work) {
  const input = el('input', { 'aria-label': title, required: true, spellcheck: 'false', autocomplete: 'off' });
  ask(title, input, 'Add', work);
}

// Indented, but only if no number loses digits by that.
function pretty(text) {
  try {
    const parsed = JSON.parse(text);
    const indented = JSON.stringify(parsed, null, 2);
    return JSON.stringify(parsed) === text ? indented : text;
  } catch {
    return text;
  }
}
