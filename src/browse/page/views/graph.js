// Packages around one, drawn: on the left those that need it, on the right those that it needs.

import { counted } from '../dom.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

// Packages of each side that are drawn; the lists below have more.
const DRAWN = 12;
const [LINE, BOX, WIDTH, GAP] = [30, 22, 160, 40];
const LETTERS = 22;

function make(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// `open` is called with the path of a package that somebody chooses. Those in none of the containers cannot be chosen.
export function graph(name, needed, needs, open) {
  const sides = [needed, needs].map(({ links }) => links.slice(0, DRAWN));
  const lines = Math.max(...sides.map((side) => side.length), 1);
  const [width, height] = [3 * WIDTH + 2 * GAP, lines * LINE];
  const drawing = make('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `Graph: ${counted(needed.total, 'package needs', 'packages need')} ${short(name)}, which needs ${counted(needs.total, 'package', 'packages')}. The lists below have the same.` });
  const middle = height / 2;
  for (const [at, side] of sides.entries()) {
    const x = at * 2 * (WIDTH + GAP);
    const start = middle - (side.length * LINE) / 2 + LINE / 2;
    for (const [line, link] of side.entries()) {
      const y = start + line * LINE;
      const [from, to] = at ? [[WIDTH * 2 + GAP, middle], [x, y]] : [[WIDTH, y], [WIDTH + GAP, middle]];
      const bend = (from[0] + to[0]) / 2;
      drawing.append(make('path', { class: `edge ${link.kind}`, d: `M${from} C${bend},${from[1]} ${bend},${to[1]} ${to}` }), node(link, x, y, open));
    }
  }
  drawing.append(box('self', short(name), name, WIDTH + GAP, middle));
  return drawing;
}

function node(link, x, y, open) {
  const kind = link.kind === 'hard' ? '' : `, ${link.kind}`;
  if (!link.row) return box('missing', short(link.name), `${link.name}: in none of the containers`, x, y);
  const made = box('other', short(link.name), `${link.name}${kind}`, x, y);
  for (const [name, value] of Object.entries({ role: 'link', tabindex: 0, 'aria-label': `${link.name}${kind}` })) made.setAttribute(name, value);
  made.addEventListener('click', () => open(link.row));
  made.addEventListener('keydown', (event) => { if (event.key === 'Enter') open(link.row); });
  return made;
}

function box(kind, text, title, x, y) {
  return make('g', { class: `box ${kind}` }, make('title', {}, title), make('rect', { x, y: y - BOX / 2, width: WIDTH, height: BOX, rx: 5 }),
    make('text', { x: x + WIDTH / 2, y: y + 4, 'text-anchor': 'middle' }, text));
}

// The last part of a name, which is what tells packages apart.
function short(name) {
  const last = name.split('/').pop();
  return last.length > LETTERS ? `${last.slice(0, LETTERS - 1)}…` : last;
}
