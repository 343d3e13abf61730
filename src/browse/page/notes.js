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
