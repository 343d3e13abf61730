import * as client from './client.js';
import { el } from './dom.js';

// What it takes to open a game: the fields of a form, and what is in them.
export function gameFields({ path = '', keys = '', mappings = '' }) {
  const input = (name, value, placeholder) => {
    const made = el('input', { name, placeholder, spellcheck: 'false', autocomplete: 'off' });
    made.value = value;
    return made;
  };
  const place = input('path', path);
  place.required = true;
  place.setAttribute('list', 'recent');
  const key = input('key', keys, '0x… or base64, several with commas');
  const names = input('mappings', mappings, 'MyGame.usmap, if it is not beside the game');
  const recent = el('datalist', { id: 'recent' });
  client.game().then((now) => recent.append(...now.recent.map((value) => el('option', { value })))).catch(() => {});
  return {
    path: place,
    key,
    nodes: [el('label', {}, 'Folder or file on this machine', place), recent, el('label', {}, 'AES key', key), el('label', {}, 'Mappings', names),
      el('p', { class: 'soft' }, 'Keys are not stored: they are gone when uncask ends.')],
    opening: () => ({ path: place.value, keys: key.value.split(',').map((text) => text.trim()).filter(Boolean), mappings: names.value || null }),
  };
}
