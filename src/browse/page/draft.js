// The changes that are not saved yet. The program keeps them; this is what the page knows of them.

import * as client from './client.js';

const NONE = { total: 0, changes: [], can_undo: false, can_redo: false };
const listeners = new Set();
export let now = NONE;

// Who shows changes hears of each, until it is gone; `by` is whoever made it.
export function onChange(listener, signal = null) {
  listeners.add(listener);
  signal?.addEventListener('abort', () => listeners.delete(listener));
}

export function take(listing, by = null) {
  now = listing;
  for (const listener of listeners) listener(listing, by);
}

export const load = async () => take(await client.draft());

// Changes a value, text or picture, and says so to all.
export const change = async (asked, by = null) => take(await asked, by);

export const undo = () => change(client.changeDraft('undo'));
export const redo = () => change(client.changeDraft('redo'));
export const clear = () => change(client.changeDraft('clear'));
export const remove = ({ kind, at }) => change(client.changeDraft('remove', { kind, at }));
export const open = (path) => change(client.changeDraft('open', { path }));
