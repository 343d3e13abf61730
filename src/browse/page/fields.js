import * as client from './client.js';
import { el } from './dom.js';

// What it takes to open a game: the fields of a form, and what is in them.
export function gameFields({ path = '', keys = '', mappings = '', engine = '' }) {
  const input = (name, value, placeholder) => {
    const made = el('input', { name, placeholder, spellcheck: 'false', autocomplete: 'off' });
    made.value = value;
    return made;
  };
  const place = input('path', path);
  place.required = true;
  const key = input('key', keys, '0x… or base64, several with commas');
  const names = input('mappings', mappings, 'MyGame.usmap, if it is not beside the game');
  const release = input('engine', engine, 'such as 5.4, if what is shown of packages is wrong');
  const recent = el('ul', { class: 'recent', 'aria-label': 'Games that were opened' });
  const remember = el('input', { type: 'checkbox', name: 'remember' });
  const where = el('span', { class: 'soft' }, 'Keys are gone when uncask ends.');
  client.game().then((now) => {
    showRecent(recent, now.recent, place);
    if (!now.remembered_in) return;
    where.replaceChildren(el('label', { class: 'inline' }, remember, ' Remember this key'),
      `: it is written, unencrypted, to ${now.remembered_in}, which only you can read. Otherwise, it is gone when uncask ends.`);
  }).catch(() => {});
  return {
    path: place,
    key,
    nodes: [el('label', {}, 'Folder or file on this machine', place), recent, el('label', {}, 'AES key', key), el('p', {}, where), el('label', {}, 'Mappings', names), el('label', {}, 'Engine', release)],
    opening: () => ({
      path: place.value, keys: key.value.split(',').map((text) => text.trim()).filter(Boolean), mappings: names.value || null, engine: release.value || null, remembers_keys: remember.checked,
    }),
  };
}

// What was opened before: chosen by a click, and forgotten by another one.
function showRecent(list, games, into) {
  const forget = async (path) => {
    const had = list.contains(document.activeElement);
    showRecent(list, await client.forget(path), into);
    if (had) into.focus();
  };
  const line = ({ path, has_keys: hasKeys }) => el('li', {},
    el('button', { class: 'link', type: 'button', onclick: () => { into.value = path; into.focus(); } }, path), hasKeys ? el('span', { class: 'soft' }, ' with its key') : null,
    el('button', { class: 'forget', type: 'button', title: 'Forget', 'aria-label': `Forget ${path}`, onclick: () => forget(path) }, '✕'));
  const all = games.length > 1 ? el('li', {}, el('button', { class: 'forget', type: 'button', onclick: () => forget(null) }, 'Forget all')) : null;
  list.replaceChildren(...games.map(line), ...(all ? [all] : []));
  list.hidden = !games.length;
}
