// A .pak of version 8 with many files, all of which are the same bytes.

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
function entry() {
  const bytes = Buffer.alloc(53);
  bytes.writeBigUInt64LE(BigInt(CONTENT.length), 8);
  bytes.writeBigUInt64LE(BigInt(CONTENT.length), 16);
  createHash('sha1').update(CONTENT).digest().copy(bytes, 28);
  return bytes;
}

const usual = (at) => `Large/Content/Area${Math.floor(at / 10000)}/Folder${Math.floor(at / 100)}/SM_Object_${at}.bin`;

export function writeLarge(path, files, name = usual) {
  const one = entry();
  const count = Buffer.alloc(4);
  count.writeUInt32LE(files);
  const parts = [string('../../../'), count];
  for (let at = 0; at < files; at += 1) {
    parts.push(string(name(at)), one);
  }
  const index = Buffer.concat(parts);
  const footer = Buffer.alloc(16 + 1 + 4 + 4 + 8 + 8 + 20 + 5 * 32);
  footer.writeUInt32LE(0x5a6f12e1, 17);
  footer.writeUInt32LE(8, 21);
  footer.writeBigUInt64LE(BigInt(one.length + CONTENT.length), 25);
  footer.writeBigUInt64LE(BigInt(index.length), 33);
  createHash('sha1').update(index).digest().copy(footer, 41);
  writeFileSync(path, Buffer.concat([one, CONTENT, index, footer]));
}
