// Opening a game, with the keys and mappings that it needs. They are tried at once. Keys are forgotten when uncask ends, unless
// someone ticks that they are to be remembered.

import * as client from './client.js';
import { byId, counted, el } from './dom.js';

// What is said above the table about a game.
export function notes(game) {
  const { locked } = game;
  const said = [];
  if (locked.length) {
    const key = el('button', { class: 'link', type: 'button', onclick: () => byId('game').click() }, 'Give a key');
    said.push(`${counted(locked.length, 'container is', 'containers are')} encrypted. `, key, ' ');
  }
  if (game.failed.length) said.push(`${counted(game.failed.length, 'container', 'containers')} could not be opened: ${game.failed[0]} `);
  return said.length ? el('span', {}, said) : '';
}

// What it takes to open a game: the fields of a form, and what is in them.
export function gameFields({ path = '', keys = '', mappings = '' }) {
  const input = (name, value, placeholder) => {
    const made = el('input', { name, placeholder, spellcheck: 'false', autocomplete: 'off' });
    made.value = value;
    return made;
  };
  const place = input('path', path);
  place.required = true;
  const key = input('key', keys, '0x… or base64, several with commas');
  const names = input('mappings', mappings, 'MyGame.usmap, if it is not beside the game');
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
    nodes: [el('label', {}, 'Folder or file on this machine', place), recent, el('label', {}, 'AES key', key), el('p', {}, where), el('label', {}, 'Mappings', names)],
    opening: () => ({
      path: place.value, keys: key.value.split(',').map((text) => text.trim()).filter(Boolean), mappings: names.value || null, remembers_keys: remember.checked,
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

// A form in a dialog: its work is given up when it is closed.
export function ask(dialog, { title, action, fields, extra = [], problem, work }) {
  const result = el('p', { role: 'alert' });
  const say = (text, isBad) => {
    result.textContent = text;
    result.classList.toggle('bad', isBad);
  };
  say(problem ?? '', Boolean(problem));
  const button = el('button', { class: 'main', type: 'submit' }, action);
  const form = el('form', { method: 'dialog' }, el('h1', {}, title), fields, extra, result,
    el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), button));
  const given = new AbortController();
  dialog.addEventListener('close', () => given.abort(), { once: true });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    say('Opening …', false);
    try {
      const wrong = await work(given.signal);
      if (wrong) say(wrong, true);
      else dialog.close();
    } catch (error) {
      if (!given.signal.aborted) say(error.message, true);
    }
    button.disabled = false;
  });
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
}

export function askForGame(state, openGame, problem) {
  const { game, server } = state;
  const locked = game?.locked ?? [];
  const fields = gameFields({ path: game?.path ?? server?.asked ?? '', keys: state.keys, mappings: game?.mappings ?? '' });
  ask(byId('opening'), {
    title: 'Open a game',
    action: 'Open',
    fields: fields.nodes,
    extra: locked.length ? [el('ul', { class: 'soft' }, locked.map((text) => el('li', {}, text)))] : [],
    problem: problem?.message,
    work: async (signal) => {
      const opening = fields.opening();
      await openGame(opening, signal);
      state.keys = fields.key.value;
      return opening.keys.length ? stillLocked(state.game) : '';
    },
  });
  (game && !locked.length ? fields.path : game ? fields.key : fields.path).focus();
}

export function stillLocked({ locked }) {
  return locked.length ? `${counted(locked.length, 'container does', 'containers do')} not open with this key: ${locked[0]}` : '';
}
