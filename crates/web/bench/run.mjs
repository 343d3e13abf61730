// How fast Oodle streams are decoded as WebAssembly in Node, beside the same decoder natively: one thread each, the fastest of
// some rounds. `node run.mjs [ROUNDS]`; it builds what it needs. The streams are those of the corpus.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const STREAMS = join(process.env.UNCASK_CORPUS ?? join(ROOT, '../shared/corpus'), 'oodle');
const ROUNDS = Number(process.argv[2] ?? 9);
const TARGET = join(ROOT, 'target/web');

const cargo = (args, flags = '') => execFileSync('cargo', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, RUSTFLAGS: flags } });
const wasmOf = ['build', '--locked', '-p', 'uncask-web-bench', '--lib', '--profile', 'web', '--target-dir', TARGET, '--target', 'wasm32-unknown-unknown'];
cargo(wasmOf, '-C target-feature=+simd128');
cargo(['build', '--locked', '-p', 'uncask-web-bench', '--bin', 'uncask-web-bench', '--release', '--target-dir', TARGET]);
cargo(['run', '--locked', '-p', 'uncask-web-bundle', '--', 'bind', join(TARGET, 'wasm32-unknown-unknown/web/uncask_web_bench.wasm'), join(TARGET, 'bench')]);

// A module of another realm would not be taken for one.
vm.runInThisContext(`${readFileSync(join(TARGET, 'bench/bound/uncask.js'))}; globalThis.wasm_bindgen = wasm_bindgen;`);
const { wasm_bindgen: library } = globalThis;
library.initSync({ module: readFileSync(join(TARGET, 'bench/bound/uncask_bg.wasm')) });

console.log('stream                 raw MB   native MB/s   wasm MB/s   ratio');
for (const name of readdirSync(STREAMS).filter((file) => /\.(kraken|mermaid|selkie|leviathan)$/.test(file))) {
  const file = join(STREAMS, name);
  const bytes = readFileSync(file);
  const rawLen = bytes.readUInt32LE(0);
  // Some lengths have eight bytes; no stream starts with a zero.
  const skip = bytes.readUInt32LE(4) === 0 ? 8 : 4;
  const stream = bytes.subarray(skip);
  const [nativeSum, native] = execFileSync(join(TARGET, 'release/uncask-web-bench'), [rawLen, skip, ROUNDS, file].map(String)).toString().trim().split(' ').map(Number);
  let best = Infinity;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = performance.now();
    const sum = library.decode(stream, rawLen, 1);
    best = Math.min(best, (performance.now() - start) / 1000);
    if (sum !== nativeSum) throw new Error(`${name} decodes to something else`);
  }
  const speed = (seconds) => rawLen / seconds / 1e6;
  console.log(`${name.padEnd(20)} ${(rawLen / 1e6).toFixed(1).padStart(8)} ${speed(native).toFixed(0).padStart(13)} ${speed(best).toFixed(0).padStart(11)} ${(native / best).toFixed(2).padStart(7)}`);
}
