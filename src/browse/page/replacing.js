// A new picture for a texture: dropped on its preview, or chosen.

import * as client from './client.js';
import * as draft from './draft.js';
import { el } from './dom.js';

// Tools for a preview of a package; `stage` takes what is dropped.
export function replacing(row, stage) {
  const said = el('span', { role: 'status' });
  const isOf = (change) => change.kind === 'picture' && change.of.split('/').pop() === row.path.split('/').pop().replace(/\.\w+$/, '');
  const tell = () => { if (draft.now.changes.some(isOf)) say('A new picture is among the changes.'); };
  const say = (text, isBad = false) => {
    said.textContent = text;
    said.className = isBad ? 'bad' : 'soft';
  };
  const replace = async (file) => {
    if (!file) return;
    say(`Encoding ${file.name} …`);
    try {
      await draft.change(client.editPicture(row.row, file));
      say(`${file.name} takes the place of this picture in the mod.`);
    } catch (error) {
      say(error.message, true);
    }
  };
  const chosen = el('input', { type: 'file', accept: '.png,.exr,.dds', hidden: true, 'aria-label': 'New picture', onchange: () => replace(chosen.files[0]) });
  const button = el('button', { type: 'button', title: 'Replace the picture: PNG, EXR or DDS; or drop one on it', onclick: () => chosen.click() }, 'Replace…');
  stage.addEventListener('dragover', (event) => {
    event.preventDefault();
    stage.classList.add('dropping');
  });
  stage.addEventListener('dragleave', () => stage.classList.remove('dropping'));
  stage.addEventListener('drop', (event) => {
    event.preventDefault();
    stage.classList.remove('dropping');
    replace(event.dataTransfer.files[0]);
  });
  tell();
  return [button, chosen, said];
}
