// Another build beside the one that is shown: asking for it, and what changed as a whole.

import * as client from './client.js';
import { CHANGES, byId, bytes, counted, el, number, sign } from './dom.js';
import { gameFields } from './fields.js';
import { ask, stillLocked } from './opening.js';
import * as place from './place.js';

const name = (path) => path.split(/[\\/]/).filter(Boolean).pop() ?? path;

export function askForComparison(state, onCompared, onEnd) {
  const fields = gameFields({ keys: state.keys, isOther: true });
  const which = el('select', { name: 'which' }, el('option', { value: 'older' }, 'the older one'), el('option', { value: 'newer' }, 'the newer one'));
  ask(byId('comparing'), {
    title: 'Compare with another build',
    action: 'Compare',
    fields: [el('p', { class: 'soft' }, `Beside ${state.game.path}`), fields.nodes, el('label', {}, 'The other build is', which)],
    work: async (signal) => {
      const opening = await fields.opening();
      // Two at a time would take twice the memory.
      if (state.comparison) await onEnd();
      const comparison = await client.compare({ ...opening, is_newer: which.value === 'newer' }, signal);
      await onCompared(comparison);
      const other = which.value === 'newer' ? comparison.new : comparison.old;
      return opening.keys.length ? stillLocked(other) : '';
    },
  });
  fields.path.focus();
}

// Which changes a search asks for: one of them, or `` for all.
const asked = (text) => /(?:^|\s)changed:(\w+)(?=\s|$)/.exec(text)?.[1] ?? '';

function askOnlyFor(change) {
  const others = place.now.search.split(/\s+/).filter((word) => word && !word.startsWith('changed:'));
  place.go({ search: [...others, ...(change ? [`changed:${change}`] : [])].join(' '), compared: '1' });
}

// The bar above the table.
export function showComparison(comparison, onEnd) {
  const bar = byId('comparison');
  bar.hidden = !comparison;
  document.body.classList.toggle('compared', Boolean(comparison && place.now.compared));
  if (!comparison) {
    bar.replaceChildren();
    return;
  }
  const isAll = !place.now.compared;
  const choice = (label, isChosen, onclick, title = '') => el('button', { type: 'button', 'aria-pressed': String(isChosen), onclick, title }, label);
  const total = Object.values(comparison.changes).reduce((sum, { files }) => sum + files, 0);
  const now = asked(place.now.search);
  const changes = Object.entries(comparison.changes).map(([change, { files, bytes: size }]) => choice(
    [sign(change), ` ${CHANGES[change].name} ${number(files)}`], !isAll && now === change, () => askOnlyFor(change), bytes(size)));
  const { packages: of, same, uncertain } = comparison;
  const length = uncertain ? `, ${number(uncertain)} of them compared by length only` : '';
  bar.replaceChildren(
    el('span', { class: 'builds', title: `${comparison.old.path} → ${comparison.new.path}` }, `${name(comparison.old.path)} → ${name(comparison.new.path)}`),
    choice(`All changes ${number(total)}`, !isAll && !now, () => askOnlyFor('')), ...changes,
    choice('All files', isAll, () => place.go({ compared: '', search: place.now.search.replace(/\s*changed:\S*/g, '').trim() }), 'All files of the build that was opened first'),
    el('span', { class: 'soft' }, `${counted(same, 'file', 'files')} the same${length}; packages: ${number(of.added)} added, ${number(of.removed)} removed, ${number(of.changed)} changed`),
    el('button', { type: 'button', onclick: onEnd }, 'Stop comparing'));
}
