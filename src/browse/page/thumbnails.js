// Small pictures of files, a few at a time, and only of those that are still seen.

import * as client from './client.js';

const AT_ONCE = 4;
// Pictures that are kept, and what is known to have none.
const KEPT = 400;

const known = new Map();
const waiting = [];
let working = 0;
// Rows are numbered anew with each game: what was asked for before belongs to another one.
let game = 0;

export function forget() {
  game += 1;
  for (const address of known.values()) if (address) URL.revokeObjectURL(address);
  known.clear();
}

// Puts a picture into an image as soon as there is one.
export function show(image, row) {
  const address = known.get(row);
  if (address) image.src = address;
  if (address !== undefined) return;
  waiting.push({ image, row });
  next();
}

async function next() {
  if (working >= AT_ONCE) return;
  // The last one asked for is the one that is looked at.
  const one = waiting.pop();
  if (!one) return;
  working += 1;
  if (one.image.isConnected && !known.has(one.row)) {
    const asked = game;
    const picture = await client.thumbnail(one.row).catch(() => null);
    if (asked === game) keep(one.row, picture && URL.createObjectURL(picture));
  }
  const address = known.get(one.row);
  if (address && one.image.isConnected) one.image.src = address;
  working -= 1;
  next();
}

function keep(row, address) {
  known.set(row, address);
  if (known.size <= KEPT) return;
  const [[oldest, old]] = known;
  if (old) URL.revokeObjectURL(old);
  known.delete(oldest);
}
