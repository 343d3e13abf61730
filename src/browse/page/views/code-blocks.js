// Lines of code as blocks that fold: a line, and the lines after it that are further in.

import { el } from '../dom.js';

// Blocks of a text, and all of its lines in order.
export function blocks(text) {
  const top = { depth: -1, body: [] };
  const open = [top];
  const lines = [];
  let empty = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const depth = line.search(/\S/);
    // Empty lines are only known to be between blocks when the next line is seen.
    if (depth < 0) {
      empty += 1;
      continue;
    }
    while (open.at(-1).depth >= depth) open.pop();
    const outer = open.at(-1);
    const block = { text: line, at, depth, outer, gap: empty > 0, body: [], node: null };
    empty = 0;
    outer.body.push(block);
    lines.push(block);
    open.push(block);
  }
  return { top, lines };
}

// Puts blocks into the page. What is in a closed one is made when it is opened.
export function add(into, body, shownLine, isOpen) {
  for (const block of body) {
    const line = el('code', { class: `line${block.gap ? ' gap' : ''}`, 'data-at': String(block.at) }, shownLine(block));
    if (!block.body.length) {
      block.node = line;
      into.append(line);
      continue;
    }
    block.node = el('details', { class: 'block' }, el('summary', {}, line));
    let isFilled = false;
    block.fill = () => {
      if (!isFilled) add(block.node, block.body, shownLine, () => true);
      isFilled = true;
    };
    block.node.addEventListener('toggle', block.fill);
    if (isOpen(block)) openBlock(block);
    into.append(block.node);
  }
}

export function openBlock(block) {
  block.fill();
  block.node.open = true;
}

// Opens everything around a line, and scrolls to it.
export function reveal(block) {
  const around = [];
  for (let { outer } = block; outer.depth >= 0; outer = outer.outer) around.push(outer);
  around.reverse().forEach(openBlock);
  const line = block.body.length ? block.node.firstChild.firstChild : block.node;
  line.scrollIntoView({ block: 'center' });
  return line;
}
