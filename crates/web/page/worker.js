// The engine, in a worker: one question after the other. Files are read by blocking calls, which only workers have.

const reader = new FileReaderSync();
// Parts of a file to save are put together up to this size; what is longer, a browser keeps on disk if it has to.
const PART = 16 << 20;

let engine;
// All files that were ever given: a game keeps its own while another one is opened beside it.
const files = [];
let parts = [];
let small = [];
let smallBytes = 0;
// Why the engine has stopped for good.
let broken;

self.readInto = (file, offset, into) => {
  let bytes;
  try {
    bytes = new Uint8Array(reader.readAsArrayBuffer(files[file].slice(offset, offset + into.length)));
  } catch (error) {
    throw `the browser cannot read it: ${error.message}`;
  }
  if (bytes.length !== into.length) throw 'the file is shorter than it was when it was picked';
  into.set(bytes);
};

self.takePart = (bytes) => {
  small.push(bytes.slice());
  smallBytes += bytes.length;
  if (smallBytes >= PART) pack();
};

function pack() {
  parts.push(new Blob(small));
  small = [];
  smallBytes = 0;
}

// The file that was written part by part; nothing if none was.
function written(kind) {
  if (!parts.length && !small.length) return null;
  pack();
  const file = new Blob(parts, { type: kind });
  parts = [];
  return file;
}

const steps = {
  start: ({ wasm }) => {
    wasm_bindgen.initSync({ module: wasm });
    engine = new wasm_bindgen.Engine();
    return {};
  },
  give: ({ given }) => {
    engine.give(files.length, given.map(({ path }) => path), new Float64Array(given.map(({ file }) => file.size)));
    files.push(...given.map(({ file }) => file));
    return {};
  },
  ask: ({ address, body }) => {
    const reply = engine.ask(address, body ?? undefined);
    const { status, kind, name } = reply;
    const bytes = reply.bytes();
    reply.free();
    const file = written(kind);
    return { status, kind, name, content: status === 200 && file ? file : bytes.buffer };
  },
};

onmessage = ({ data: { id, step, ...given } }) => {
  let answer;
  try {
    if (broken) throw broken;
    answer = steps[step](given);
  } catch (error) {
    broken ??= error;
    const text = JSON.stringify({ error: `the engine has stopped; reload the page (${error?.message ?? error})` });
    answer = { status: 500, kind: 'application/json', content: new TextEncoder().encode(text).buffer };
  }
  postMessage({ id, ...answer }, answer.content instanceof ArrayBuffer ? [answer.content] : []);
};
