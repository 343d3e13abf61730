// Words of code in colours, and as links to what they name.

import * as client from '../client.js';
import { el, notice } from '../dom.js';
import * as place from '../place.js';

const TOKENS = /(?<comment>\/\/.*$)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<name>@?[\p{L}_][\p{L}\p{N}_]*)|(?<number>\d[\w.]*)/gu;
const KEYWORDS = new Set(('class component event function delegate if else while for in switch case default return await parallel goto '
  + 'break continue out cast true false None this super').split(' '));

// What a line is made of. `here` knows the functions of the same text, `links` the objects of other packages.
export function words(line, { here, links }) {
  const nodes = [];
  let done = 0;
  let of = null;
  for (const found of line.matchAll(TOKENS)) {
    const [kind, text] = Object.entries(found.groups).find(([, value]) => value !== undefined);
    const between = line.slice(done, found.index);
    done = found.index + text.length;
    const isCalled = line[done] === '(';
    // `Class::Function(` is a function of the package of the class.
    const link = kind === 'name' && (between === '::' && isCalled && of ? { package: of.package, is_function: true } : linkOf(links, text));
    nodes.push(between, kind === 'name' ? word(text, isCalled, { here, link }) : el('span', { class: `tok-${kind}` }, text));
    of = link;
  }
  nodes.push(line.slice(done));
  return nodes;
}

const linkOf = (links, text) => (Object.hasOwn(links, text.replace('@', '')) ? links[text.replace('@', '')] : null);

function word(text, isCalled, { here, link }) {
  const name = text.replace('@', '');
  if (KEYWORDS.has(text)) return el('span', { class: 'tok-word' }, text);
  if (isCalled && here.has(name)) return el('button', { class: 'link here', type: 'button', onclick: () => here.get(name)() }, text);
  if (link) return el('button', { class: 'link', type: 'button', title: link.package, onclick: () => follow(link, name) }, text);
  if (!isCalled) return text;
  const title = `Find all calls of ${name}`;
  return el('button', { class: 'call', type: 'button', tabIndex: -1, title, onclick: () => place.go({ search: `calls:${name}`, folder: '' }) }, text);
}

async function follow(link, name) {
  try {
    const { path, container } = await client.find(link.package);
    place.go({ path, container, ...(link.is_function ? { view: 'code', part: name } : { view: '', part: '' }) });
  } catch (error) {
    notice(error.message, true);
  }
}
