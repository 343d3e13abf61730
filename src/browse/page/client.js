// Everything that the page asks the engine. How that is reached, `transport.js` knows.

import { isServed, send } from './transport.js';

export { addressOf, isServed } from './transport.js';

export class Refused extends Error {
  constructor(status, answer) {
    super(answer?.error ?? `the answer was ${status}`);
    this.status = status;
    this.needs = answer?.needs;
  }
}

let shown = null;
// Rows are numbered anew with each game: requests say which one is shown.
export const shows = (number) => { shown = number; };

async function ask(address, options = {}) {
  const headers = shown === null ? options.headers : { ...options.headers, 'Uncask-Game': String(shown) };
  const answer = await send(address, { ...options, headers });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
  return answer;
}

const get = async (address, signal) => (await ask(address, { signal })).json();

async function post(address, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  return (await ask(address, { method: 'POST', headers, body: JSON.stringify(body), signal })).json();
}

const query = (parameters) => new URLSearchParams(parameters).toString();

export const game = () => get('api/game');
export const open = (opening, signal) => post('api/open', opening, signal);
export const compare = (opening, signal) => post('api/compare', opening, signal);
export const forget = (path) => post('api/forget', { path });
export const endComparison = () => post('api/compare/end', {});
export const rows = (search, from, count, signal) => post('api/rows', { ...search, from, count }, signal);
export const tree = (folder, after = '', compared = false) => get(`api/tree?${query({ folder, after, compared: compared ? 1 : 0 })}`);
export const find = (name, { compared = false, container = '' } = {}) => get(`api/row?${query({ name, container, compared: compared ? 1 : 0 })}`);
export const chunk = (row, signal) => get(`api/chunk?${query({ row })}`, signal);
export const code = (row, signal) => get(`api/code?${query({ row })}`, signal);
export const references = (row, reverse, signal) => get(`api/references?${query({ row, reverse: reverse ? 1 : 0 })}`, signal);
export const preview = (row, options, signal) => get(`api/preview?${query({ row, ...options })}`, signal);
export const save = (selection) => post('api/save', selection);
export const select = (selection) => post('api/select', selection);
export const texts = (row, search, from, signal) => get(`api/texts?${query({ row, search, from })}`, signal);
export const draft = () => get('api/draft');
export const changeDraft = (how, more = {}) => post(`api/draft/${how}`, more);
export const fields = (row, at, from, signal) => post('api/edit/fields', { row, at, from }, signal);
export const valueAsJson = (row, at) => post('api/edit/json', { row, at });
export const packages = (text, signal) => post('api/edit/packages', { text }, signal);
export const checkValue = (row, address, wish, signal) => post('api/edit/check', { row, address, ...wish }, signal);
export const editValue = (row, address, wish) => post('api/edit/value', { row, address, ...wish });
export const editText = (edit) => post('api/edit/text', edit);
export const end = () => post('api/end', {});

// Integers of 64 bits keep their digits, where the browser hands these over.
export async function properties(row, signal) {
  const text = await (await ask(`api/properties?${query({ row })}`, { signal })).text();
  return JSON.parse(text, (key, value, context) => (
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context.source) : value));
}

// Replaces the picture of a texture by a file.
export async function editPicture(row, file) {
  const headers = { 'Content-Type': 'application/octet-stream' };
  return (await ask(`api/edit/picture?${query({ row })}`, { method: 'POST', headers, body: await file.arrayBuffer() })).json();
}

// A small picture as a blob; none of what has no picture.
export async function thumbnail(row) {
  const answer = await ask(`api/thumbnail?${query({ row })}`);
  const blob = await answer.blob();
  return blob.size ? blob : null;
}

export async function content(row, from, count, signal) {
  const answer = await ask(`api/bytes?${query({ row, from, count })}`, { signal });
  return new Uint8Array(await answer.arrayBuffer());
}

export async function file(url, signal) {
  return (await ask(url, { signal })).arrayBuffer();
}

// Whether a file can be had in a form is only known when it was asked for: the error comes as a message, not as a page.
export async function download(row, form) {
  const address = `api/download?${query({ row, form })}`;
  if (isServed && form === 'raw') leave(address);
  else await keep(address);
}

export async function zip(selection) {
  const address = `api/zip?${query({ selection: await select(selection) })}`;
  if (isServed) leave(address);
  else await keep(address);
}

async function keep(address) {
  const answer = await ask(address);
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('Content-Disposition') ?? '');
  const blob = URL.createObjectURL(await answer.blob());
  leave(blob, name ? decodeURIComponent(name[1]) : 'file');
  setTimeout(() => URL.revokeObjectURL(blob), 60000);
}

function leave(address, name = '') {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
