// Opening a game, with the keys and mappings that it needs. They are tried at once. Keys are forgotten when uncask ends, unless
// someone ticks that they are to be remembered.

import { byId, counted, el } from './dom.js';
import { gameFields } from './fields.js';

export { notes } from './notes.js';

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
  // The browser tells of a closing later on: by then the dialog may be open again, with this form.
  const closed = () => {
    if (dialog.open && dialog.contains(form)) return;
    dialog.removeEventListener('close', closed);
    given.abort();
  };
  dialog.addEventListener('close', closed);
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
  const fields = gameFields({ path: game?.path ?? server?.asked ?? '', keys: state.keys, mappings: game?.mappings ?? '', engine: game?.engine ?? '' });
  ask(byId('opening'), {
    title: 'Open a game',
    action: 'Open',
    fields: fields.nodes,
    extra: locked.length ? [el('ul', { class: 'soft' }, locked.map((text) => el('li', {}, text)))] : [],
    problem: problem?.message,
    work: async (signal) => {
      const opening = await fields.opening();
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
