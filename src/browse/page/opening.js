// Opening a game, with the keys and mappings that it needs. They are tried at once, and forgotten when uncask ends.

import * as client from './client.js';
import { byId, counted, el } from './dom.js';

export { notes } from './notes.js';

export function askForGame(state, openGame, problem) {
  const { game, server } = state;
  const dialog = byId('opening');
  const path = el('input', { name: 'path', required: true, spellcheck: 'false', autocomplete: 'off' });
  path.value = game?.path ?? server?.asked ?? '';
  path.setAttribute('list', 'recent');
  const recent = el('datalist', { id: 'recent' });
  client.game().then((now) => recent.append(...now.recent.map((value) => el('option', { value })))).catch(() => {});
  const mappings = el('input', { name: 'mappings', placeholder: 'MyGame.usmap, if it is not beside the game', spellcheck: 'false', autocomplete: 'off' });
  mappings.value = game?.mappings ?? '';
  const key = el('input', { name: 'key', placeholder: '0x… or base64, several with commas', spellcheck: 'false', autocomplete: 'off' });
  key.value = state.keys ?? '';
  const result = el('p', { role: 'alert' }, problem?.message ?? '');
  result.classList.toggle('bad', Boolean(problem));
  const locked = game?.locked ?? [];
  const button = el('button', { class: 'main', type: 'submit' }, 'Open');
  const form = el('form', { method: 'dialog' },
    el('h1', {}, 'Open a game'),
    el('label', {}, 'Folder or file on this machine', path),
    recent,
    el('label', {}, 'AES key', key),
    el('label', {}, 'Mappings', mappings),
    el('p', { class: 'soft' }, 'Keys are not stored: they are gone when uncask ends.'),
    locked.length ? el('ul', { class: 'soft' }, locked.map((text) => el('li', {}, text))) : null,
    result,
    el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), button));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    result.classList.remove('bad');
    result.textContent = 'Opening …';
    try {
      const keys = key.value.split(',').map((text) => text.trim()).filter(Boolean);
      await openGame({ path: path.value, keys, mappings: mappings.value || null });
      state.keys = key.value;
      const still = state.game.locked;
      if (keys.length && still.length) {
        result.classList.add('bad');
        result.textContent = `${counted(still.length, 'container does', 'containers do')} not open with this key: ${still[0]}`;
      } else dialog.close();
    } catch (error) {
      result.classList.add('bad');
      result.textContent = error.message;
    }
    button.disabled = false;
  });
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  (game && !locked.length ? path : game ? key : path).focus();
}
