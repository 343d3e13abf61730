// What it takes to open a game: files are picked or dropped. Nothing leaves this machine.

import { byId, counted, el } from './dom.js';
import { give } from './transport.js';

const WANTED = /\.(utoc|ucas|pak|usmap)$/i;
const CONTAINER = /\.(utoc|pak)$/i;
const GLOBAL = /(^|\/)global\.utoc$/i;

// What was picked for the game that is shown: paths with their File. A better key opens it again.
let game = [];
// Takes what is dropped on the page.
let take;

export function gameFields({ keys = '', isOther = false }) {
  let picked = isOther ? [] : game;
  const chosen = el('p', { class: 'soft' }, said(picked));
  const input = (name, title, attributes) => {
    const made = el('input', { type: 'file', name, ...attributes });
    return [made, el('label', {}, title, made)];
  };
  const [files, filesField] = input('files', 'Files', { multiple: true, accept: '.utoc,.ucas,.pak,.usmap' });
  const [folder, folderField] = input('folder', 'Or a folder', { webkitdirectory: true, multiple: true });
  const [mappings, mappingsField] = input('mappings', 'Mappings (.usmap)', { accept: '.usmap' });
  const key = el('input', { name: 'key', value: keys, placeholder: '0x… or base64, several with commas', spellcheck: 'false', autocomplete: 'off' });
  take = (given) => {
    picked = withRoot(given);
    if (!isOther) game = picked;
    chosen.textContent = said(picked);
  };
  const taken = take;
  for (const field of [files, folder]) {
    field.addEventListener('change', () => taken([...field.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))));
  }
  return {
    path: files,
    key,
    nodes: [
      el('p', {}, 'Pick the .utoc and .ucas files of a game, its .pak files, or the folder that they are in; or drop them on this page. ',
        'They are read on this machine, and nothing is uploaded.'),
      filesField, folderField, chosen, el('label', {}, 'AES key', key), mappingsField,
      el('p', { class: 'soft' }, 'Keys are not stored: they are gone when you close this tab.'),
    ],
    opening: () => opening(picked, key.value, mappings.files[0]),
  };
}

function said(picked) {
  const containers = picked.filter(({ path }) => CONTAINER.test(path));
  if (!containers.length) return picked.length ? 'There is no .utoc or .pak among these files.' : '';
  return `${counted(containers.length, 'container', 'containers')} in ${counted(picked.length, 'file', 'files')}`;
}

// Gives the engine what was picked, and says how to open it.
async function opening(picked, keys, extra) {
  if (!picked.some(({ path }) => CONTAINER.test(path))) throw new Error('Pick at least one .utoc with its .ucas files, or a .pak.');
  const root = picked[0].path.split('/')[0];
  const given = extra ? [...picked, { path: `${root}/${extra.name}`, file: extra }] : picked;
  await give(given);
  const mappings = extra ? `${root}/${extra.name}` : given.find(({ path }) => /\.usmap$/i.test(path))?.path;
  return { path: root, keys: keys.split(',').map((text) => text.trim()).filter(Boolean), mappings: mappings ?? null };
}

// Files without a folder get one, so that all have the same.
function withRoot(all) {
  const wanted = all.filter(({ path }) => WANTED.test(path));
  const roots = new Set(wanted.map(({ path }) => (path.includes('/') ? path.split('/')[0] : '')));
  if (roots.size === 1 && !roots.has('')) return wanted;
  const containers = wanted.filter(({ path }) => CONTAINER.test(path)).map(({ path }) => path);
  const first = (containers.find((path) => !GLOBAL.test(path)) ?? containers[0] ?? 'files').split('/').pop();
  const root = wanted.length > 2 ? `${first} and others` : first;
  return wanted.map(({ path, file }) => ({ path: `${root}/${path}`, file }));
}

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', async (event) => {
  event.preventDefault();
  // Only until the event has been handled can its items be asked.
  const dropped = [...event.dataTransfer.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(dropped.map(({ entry, file }) => (entry ? filesOf(entry) : file ? [{ path: file.name, file }] : [])));
  if (!byId('opening').open && !byId('comparing').open) byId('game').click();
  take(found.flat());
  document.querySelector('#opening[open] form, #comparing[open] form').requestSubmit();
});

// The files of a dropped file or folder.
async function filesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, fail) => { entry.file(done, fail); });
    return [{ path: entry.fullPath.slice(1), file }];
  }
  const folder = entry.createReader();
  const found = [];
  for (;;) {
    // A folder is read some hundred entries at a time.
    const some = await new Promise((done, fail) => { folder.readEntries(done, fail); });
    if (!some.length) return found;
    for (const child of some) found.push(...await filesOf(child));
  }
}
