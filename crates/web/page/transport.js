// How questions get to the engine: it is in a worker of this page, and answers one after the other.

export const isServed = false;

// Previews whose files are kept: a model asks for its pictures by and by.
const KEPT = 8;

const { worker: script, wasm } = globalThis.uncask;
const worker = new Worker(script);
const queue = [];
let working = null;
let last = 0;

worker.addEventListener('message', ({ data }) => {
  const { done } = working;
  working = null;
  next();
  done(data);
});
worker.addEventListener('error', (event) => {
  event.preventDefault();
  const stopped = working;
  working = null;
  stopped?.fail(new Error(`the engine has stopped; reload the page (${event.message})`));
  next();
});

// What nobody waits for any more is not asked.
function next() {
  while (!working && queue.length) {
    const job = queue.shift();
    if (job.signal?.aborted) continue;
    working = job;
    last += 1;
    worker.postMessage({ id: last, ...job.message }, job.moved ?? []);
  }
}

function run(message, { signal, moved } = {}) {
  return new Promise((done, fail) => {
    if (signal?.aborted) {
      fail(signal.reason);
      return;
    }
    signal?.addEventListener('abort', () => fail(signal.reason), { once: true });
    queue.push({ message, signal, moved, done, fail });
    next();
  });
}

const started = run({ step: 'start', wasm }, { moved: [wasm] });

// Gives the engine files: pairs of a path and a File.
export async function give(given) {
  await started;
  await run({ step: 'give', given });
}

export async function send(address, { body, signal } = {}) {
  const answer = await run({ step: 'ask', address, body: body ?? null }, { signal });
  if (address.startsWith('api/preview?') && answer.status === 200) await keep(answer.content);
  const headers = { 'Content-Type': answer.kind };
  if (answer.name) headers['Content-Disposition'] = `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`;
  return new Response(answer.content, { status: answer.status, headers });
}

// Addresses of files that were made, by those that the engine has for them; the oldest previews first.
const kept = new Map();

async function keep(preview) {
  const { shown } = JSON.parse(new TextDecoder().decode(preview));
  const urls = new Map();
  for (const { url } of shown) {
    const { status, kind, content } = await run({ step: 'ask', address: url, body: null });
    if (status === 200) urls.set(plain(url), URL.createObjectURL(new Blob([content], { type: kind })));
  }
  kept.set(shown[0]?.url, urls);
  for (const [oldest, files] of kept) {
    if (kept.size <= KEPT) break;
    for (const address of files.values()) URL.revokeObjectURL(address);
    kept.delete(oldest);
  }
}

// What other files refer to may have `..` in it, and other letters encoded.
function plain(url) {
  try {
    return decodeURIComponent(new URL(url, 'http://page/').pathname);
  } catch {
    return url;
  }
}

// The address by which the browser itself gets a file that was made.
export function addressOf(url) {
  const name = plain(url);
  for (const urls of kept.values()) if (urls.has(name)) return urls.get(name);
  return url;
}
