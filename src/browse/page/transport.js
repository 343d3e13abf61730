// How questions get to the engine: over HTTP, to the program on this machine.

// Whether a program answers: it can be ended, and lets the browser download what is longer than memory.
export const isServed = true;

export const send = (address, options) => fetch(address, options);

// The address by which the browser itself gets a file that was made.
export const addressOf = (url) => url;
