// Texts, with the words of .ini, JSON, Lua and the like in colours.

import * as client from '../client.js';
import { bytes, el } from '../dom.js';

export const MOST = 1 << 20;
const COLOURED = 200000;
const TOKENS = /(?<comment>^[ \t]*[;#].*$|\/\/.*$|--.*$)|(?<string>"(?:[^"\\\n]|\\.){0,400}"|^\[[^\]\n]*\])|(?<number>\b-?\d[\w.]*\b)|(?<word>\b(?:true|false|null|nil|local|function|end|if|then|else|return|for|while|do|and|or|not|True|False)\b)/gm;

export async function show(into, { row, signal }) {
  const content = await client.content(row.row, 0, MOST, signal);
  if (row.size > content.length) into.append(el('p', { class: 'soft' }, `The first ${bytes(content.length)} of ${bytes(row.size)}.`));
  into.append(el('pre', { class: 'text mono', tabIndex: 0 }, coloured(decode(content))));
}

export function decode(content) {
  const [a, b] = content;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder('utf-8').decode(content);
}

export function coloured(text) {
  const nodes = [];
  let done = 0;
  for (const found of text.slice(0, COLOURED).matchAll(TOKENS)) {
    const [kind] = Object.entries(found.groups).find(([, value]) => value !== undefined);
    nodes.push(text.slice(done, found.index), el('span', { class: `tok-${kind}` }, found[0]));
    done = found.index + found[0].length;
  }
  nodes.push(text.slice(done));
  return nodes;
}
