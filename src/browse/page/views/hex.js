// Bytes, a page at a time, and where the parts of a package are.

import * as client from '../client.js';
import { el, number } from '../dom.js';

const PAGE = 4096;
const MOST_PARTS = 24;
const hex = (value, digits) => value.toString(16).padStart(digits, '0');

export async function show(into, { row, chunk, signal }) {
  const dump = el('pre', { class: 'hex mono', tabIndex: 0, 'aria-label': 'Bytes' });
  const where = el('input', { class: 'mono', size: 12, 'aria-label': 'Offset, in hex' });
  const last = Math.max(0, Math.floor((row.size - 1) / PAGE) * PAGE);
  let from = 0;
  const goTo = async (offset) => {
    const at = Math.max(0, Math.min(last, Math.floor(offset / 16) * 16));
    from = at;
    where.value = `0x${hex(at, 1)}`;
    const content = await client.content(row.row, at, PAGE, signal);
    if (from === at) dump.textContent = lines(content, at);
  };
  const move = (offset) => goTo(offset).catch((error) => { dump.textContent = error.message; });
  const step = (title, offset) => el('button', { type: 'button', onclick: () => move(offset()) }, title);
  where.addEventListener('change', () => move(parseInt(where.value, 16) || 0));
  into.append(el('div', { class: 'tools' }, step('First', () => 0), step('Back', () => from - PAGE), where,
    step('Next', () => from + PAGE), step('Last', () => last), el('span', { class: 'soft' }, `of ${number(row.size)} bytes`)));
  const parts = sections(chunk);
  if (parts.length) {
    into.append(el('div', { class: 'tools', 'aria-label': 'Parts' }, parts.map(([name, start, end]) => el('button', {
      type: 'button', title: `0x${start.toString(16)} to 0x${end.toString(16)}`, onclick: () => move(start),
    }, name))));
  }
  into.append(dump);
  await goTo(0);
}

// Parts as `inspect` names them: `names 0x40..0x120`, and `T_Rock /Script/Engine.Texture2D, 46 bytes at 0x18b`.
function sections(chunk) {
  const text = chunk.parts.filter((part) => part.name).map((part) => part.value).join(', ');
  const named = [...text.matchAll(/([^,]+?) 0x([0-9a-f]+)\.\.0x([0-9a-f]+)/g)]
    .map(([, name, start, end]) => [name.trim(), parseInt(start, 16), parseInt(end, 16)]);
  const rows = chunk.parts.filter((part) => part.title === 'exports').flatMap((part) => part.rows).slice(0, MOST_PARTS);
  const exports = rows.map((row) => /^(\S+) .*?([\d,]+) bytes? at 0x([0-9a-f]+)/.exec(row.text)).filter(Boolean)
    .map(([, name, len, start]) => [name, parseInt(start, 16), parseInt(start, 16) + Number(len.replaceAll(',', ''))]);
  return [...named, ...exports];
}

function lines(bytes, from) {
  const all = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)];
    const codes = line.map((byte) => hex(byte, 2)).join(' ').padEnd(47);
    const text = line.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    all.push(`${hex(from + at, 8)}  ${codes}  ${text}`);
  }
  return all.join('\n');
}
