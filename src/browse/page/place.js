// Where the page is: what is searched for, in which folder, which file is shown, how, and what part of it. It is in the address, so that back,
// forward and links work.

const NAMES = { search: 'q', folder: 'in', order: 'by', compared: 'changes', path: 'file', container: 'at', view: 'view', part: 'part' };
// What shows no file.
export const NO_FILE = { path: '', container: '', view: '', part: '' };
const listeners = [];

export const now = read();

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(Object.entries(NAMES).map(([name, short]) => [name, given.get(short) ?? '']));
}

export function onChange(listener) {
  listeners.push(listener);
}

// Goes somewhere. What is typed letter by letter replaces the last step instead of adding one.
export function go(changes, replaces = false) {
  const before = { ...now };
  Object.assign(now, changes);
  if (address() === (location.hash || '#')) return;
  history[replaces ? 'replaceState' : 'pushState'](null, '', address());
  tell(before);
}

// Goes somewhere without telling anybody: whoever does this shows everything anew.
export function set(changes) {
  Object.assign(now, changes);
  history.replaceState(null, '', address());
}

function address() {
  const given = new URLSearchParams();
  for (const [name, short] of Object.entries(NAMES)) {
    if (now[name]) given.set(short, now[name]);
  }
  return `#${given}`;
}

function tell(before) {
  for (const listener of listeners) listener(now, before);
}

addEventListener('popstate', () => {
  const before = { ...now };
  Object.assign(now, read());
  tell(before);
});
