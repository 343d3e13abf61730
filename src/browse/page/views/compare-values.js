// The values of a package in two builds, as one tree: what differs is marked, and opened.

import * as client from '../client.js';
import { isTree, objects } from '../differences.js';
import { CHANGES, counted, el, number, sign } from '../dom.js';

// Members that are shown at a time.
const SHOWN = 500;

export async function show(into, before, row, signal) {
  const [old, now] = await Promise.all([client.properties(before.row, signal), client.properties(row.row, signal)]);
  const found = objects(old, now);
  const count = found.reduce((sum, object) => sum + object.count, 0);
  const all = el('input', { type: 'checkbox' });
  const tree = el('div', { class: 'props pair mono' });
  const draw = () => {
    tree.replaceChildren();
    add(tree, found, all.checked, 0, 1);
  };
  all.addEventListener('change', draw);
  const what = count ? `${counted(count, 'value differs', 'values differ')}` : 'All values are the same; the bytes differ elsewhere';
  into.append(el('p', { class: 'soft' }, what, ' · ', el('label', {}, all, ' show unchanged values')), tree);
  draw();
}

function add(into, members, showsAll, from, depth) {
  const wanted = showsAll ? members : members.filter((member) => member.count);
  for (const member of wanted.slice(from, from + SHOWN)) into.append(line(member, showsAll, depth));
  const left = wanted.length - from - SHOWN;
  if (left > 0) {
    const more = el('button', { class: 'link leaf', type: 'button', onclick: () => {
      more.remove();
      add(into, members, showsAll, from + SHOWN, depth);
    } }, `${number(left)} more…`);
    into.append(more);
  }
}

function line(member, showsAll, depth) {
  const { key, change, old, now, members } = member;
  const mark = change === 'same' ? el('span', { class: 'sign' }) : sign(change);
  const title = [mark, el('span', { class: 'key' }, `${key}: `)];
  if (members) {
    const details = el('details', { class: change }, el('summary', {}, title, member.count ? counted(member.count, 'difference', 'differences') : 'the same'));
    const fill = () => {
      if (details.childElementCount === 1) add(details, members, showsAll, 0, depth + 1);
    };
    details.addEventListener('toggle', fill);
    // What differs is seen at once, unless it is a great deal.
    if (member.count && member.count <= 200) {
      fill();
      details.open = true;
    }
    return details;
  }
  const said = { added: [text(now)], removed: [text(old)], same: [text(now)], changed: [text(old), el('span', { class: 'soft' }, ' → '), text(now)] }[change];
  const node = el('div', { class: `leaf ${change}` }, title, said);
  node.title = CHANGES[change]?.name ?? '';
  return node;
}

// A value on one line; of long ones the start.
function text(value) {
  const whole = isTree(value) ? JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) : String(value);
  return el('span', { class: typeof value === 'number' || typeof value === 'bigint' ? 'tok-number' : 'tok-string' }, whole.length > 400 ? `${whole.slice(0, 400)}…` : whole);
}
