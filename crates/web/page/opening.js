// Opening a game: files are picked or dropped, with the keys and mappings that they need. Nothing leaves this machine.

import { byId, counted, el } from './dom.js';
import { give } from './transport.js';

export { notes } from './notes.js';

const WANTED = /\.(utoc|ucas|pak|usmap)$/i;
const CONTAINER = /\.(utoc|pak)$/i;

// What was picked: pairs of a path and a File.
let picked = [];
let keys = '';

export function askForGame(state, openGame, problem) {
  const dialog = byId('opening');
  const locked = state.game?.locked ?? [];
  const chosen = el('p', { class: 'soft', id: 'picked' }, said());
  const files = el('input', { type: 'file', name: 'files', multiple: true, accept: '.utoc,.ucas,.pak,.usmap' });
  const folder = el('input', { type: 'file', name: 'folder', webkitdirectory: true, multiple: true });
  const mappings = el('input', { type: 'file', name: 'mappings', accept: '.usmap' });
  const key = el('input', { name: 'key', value: keys, placeholder: '0x… or base64, several with commas', spellcheck: 'false', autocomplete: 'off' });
  const result = el('p', { role: 'alert', class: problem ? 'bad' : '' }, problem?.message ?? '');
  const button = el('button', { class: 'main', type: 'submit' }, 'Open');
  const take = (list) => {
    picked = withRoot([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
    chosen.textContent = said();
  };
  files.addEventListener('change', () => take(files.files));
  folder.addEventListener('change', () => take(folder.files));
  const form = el('form', { method: 'dialog' },
    el('h1', {}, 'Open a game'),
    el('p', {}, 'Pick the .utoc and .ucas files of a game, its .pak files, or the folder that they are in; or drop them on this page. ',
      'They are read on this machine, and nothing is uploaded.'),
    el('label', {}, 'Files', files),
    el('label', {}, 'Or a folder', folder),
    chosen,
    el('label', {}, 'AES key', key),
    el('label', {}, 'Mappings (.usmap)', mappings),
    locked.length ? el('ul', { class: 'soft' }, locked.map((text) => el('li', {}, text))) : null,
    result,
    el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), button));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    result.classList.remove('bad');
    result.textContent = 'Opening …';
    try {
      keys = key.value;
      await open(openGame, mappings.files[0]);
      const still = state.game.locked;
      if (key.value.trim() && still.length) {
        result.classList.add('bad');
        result.textContent = `${counted(still.length, 'container does', 'containers do')} not open with this key: ${still[0]}`;
      } else dialog.close();
    } catch (error) {
      result.classList.add('bad');
      result.textContent = error.message;
    }
    button.disabled = false;
  });
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  (locked.length ? key : files).focus();
  acceptDrops(state, openGame);
}

function said() {
  const containers = picked.filter(({ path }) => CONTAINER.test(path));
  if (!containers.length) return picked.length ? 'There is no .utoc or .pak among these files.' : '';
  return `${counted(containers.length, 'container', 'containers')} in ${counted(picked.length, 'file', 'files')}`;
}

// Opens what was picked. Files without a folder get one, so that all have the same.
async function open(openGame, extra) {
  if (!picked.some(({ path }) => CONTAINER.test(path))) throw new Error('Pick at least one .utoc with its .ucas files, or a .pak.');
  const root = picked[0].path.split('/')[0];
  const given = extra ? [...picked, { path: `${root}/${extra.name}`, file: extra }] : picked;
  await give(given);
  const mappings = extra ? `${root}/${extra.name}` : given.find(({ path }) => /\.usmap$/i.test(path))?.path;
  await openGame({ path: root, keys: keys.split(',').map((text) => text.trim()).filter(Boolean), mappings: mappings ?? null });
}

function withRoot(all) {
  const wanted = all.filter(({ path }) => WANTED.test(path));
  const roots = new Set(wanted.map(({ path }) => (path.includes('/') ? path.split('/')[0] : '')));
  if (roots.size === 1 && !roots.has('')) return wanted;
  const first = wanted.find(({ path }) => CONTAINER.test(path) && !/\bglobal\.utoc$/i.test(path))?.path.split('/').pop() ?? 'files';
  const root = wanted.length > 2 ? `${first} and others` : first;
  return wanted.map(({ path, file }) => ({ path: `${root}/${path}`, file }));
}

let accepts = false;

function acceptDrops(state, openGame) {
  if (accepts) return;
  accepts = true;
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', async (event) => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    try {
      picked = withRoot((await Promise.all(entries.map(filesOf))).flat());
      await open(openGame);
      if (state.game.locked.length) askForGame(state, openGame);
      else byId('opening').close();
    } catch (error) {
      askForGame(state, openGame, error);
    }
  });
}

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
