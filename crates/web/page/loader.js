// Makes modules of the parts of this file. Each has its imports replaced by the addresses of those before it.
(async () => {
  const { modules, worker, wasm } = JSON.parse(document.getElementById('parts').textContent);
  const unpack = (packed) => {
    const text = atob(packed);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  };
  const address = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  globalThis.uncask = { worker: address(worker), wasm: await unpack(wasm) };
  const addresses = {};
  for (const { name, text, packed } of modules) {
    const source = text ?? new TextDecoder().decode(await unpack(packed));
    addresses[name] = address(source.replace(/(["'])module:([^"']+)\1/g, (all, quote, other) => quote + addresses[other] + quote));
  }
  await import(addresses['main.js']);
})();
