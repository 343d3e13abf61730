// A .pak of version 8 with many files, all of which are the same bytes, or with a few of their own.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const CONTENT = Buffer.alloc(64, 7);

function string(text) {
  const bytes = Buffer.from(`${text}\0`);
  const len = Buffer.alloc(4);
  len.writeInt32LE(bytes.length);
  return Buffer.concat([len, bytes]);
}

// Offset, stored and uncompressed size, method, SHA-1, flags, block size.
function entry(content, offset) {
  const bytes = Buffer.alloc(53);
  bytes.writeBigUInt64LE(BigInt(offset), 0);
  bytes.writeBigUInt64LE(BigInt(content.length), 8);
  bytes.writeBigUInt64LE(BigInt(content.length), 16);
  createHash('sha1').update(content).digest().copy(bytes, 28);
  return bytes;
}

const usual = (at) => `Large/Content/Area${Math.floor(at / 10000)}/Folder${Math.floor(at / 100)}/SM_Object_${at}.bin`;

export function writeLarge(path, files, name = usual) {
  const one = entry(CONTENT, 0);
  const parts = [];
  for (let at = 0; at < files; at += 1) parts.push(string(name(at)), one);
  write(path, [one, CONTENT], files, parts);
}

// Files by their paths, with these texts.
export function writePak(path, texts) {
  const [data, parts] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(texts)) {
    const content = Buffer.from(text);
    parts.push(string(name), entry(content, offset));
    data.push(entry(content, 0), content);
    offset += 53 + content.length;
  }
  write(path, data, Object.keys(texts).length, parts);
}

function write(path, data, files, entries) {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(files);
  const index = Buffer.concat([string('../../../'), count, ...entries]);
  const start = data.reduce((sum, part) => sum + part.length, 0);
  const footer = Buffer.alloc(16 + 1 + 4 + 4 + 8 + 8 + 20 + 5 * 32);
  footer.writeUInt32LE(0x5a6f12e1, 17);
  footer.writeUInt32LE(8, 21);
  footer.writeBigUInt64LE(BigInt(start), 25);
  footer.writeBigUInt64LE(BigInt(index.length), 33);
  createHash('sha1').update(index).digest().copy(footer, 41);
  writeFileSync(path, Buffer.concat([...data, index, footer]));
}
