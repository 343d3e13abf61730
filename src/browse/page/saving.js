// Saving: the file that is shown, what is selected, or all that was found.

import * as client from './client.js';
import { SEEN, byId, counted, el, split } from './dom.js';

export const FORMS = [
  ['raw', 'As it is in the game'], ['export', 'What suits each: PNG, WAV, Ogg, glTF, …'], ['json', 'Values as JSON'],
  ['legacy', 'Legacy asset (.uasset, .uexp)'], ['png', 'PNG'], ['exr', 'EXR'], ['dds', 'DDS'], ['wav', 'WAV'], ['ogg', 'Ogg'],
  ['gltf', 'glTF'], ['scene', 'Levels, as one glTF each'], ['usd', 'Levels, as USD'], ['ttf', 'Font'], ['csv', 'Tables as CSV'],
  ['cues', 'Materials, sound cues, sequences and effects as JSON'], ['data', 'Data of assets as it is stored'],
];

export function askForSaving(state, { rows, search, total, row }) {
  const dialog = byId('saving');
  const choices = [];
  if (row) choices.push(['file', `This file: ${split(row.path)[1]}`]);
  if (rows.length) choices.push(['selected', counted(rows.length, 'selected file', 'selected files')]);
  choices.push(['found', search.compared ? 'All files in the table that the new build has' : `All ${counted(total, 'file', 'files')} in the table`]);
  const what = el('select', { name: 'what' }, choices.map(([value, text]) => el('option', { value }, text)));
  const form = el('select', { name: 'form' }, FORMS.map(([value, text]) => el('option', { value }, text)));
  // What people look at, they want as what they see.
  if (row && SEEN.test(row.class ?? '')) form.value = 'export';
  const result = el('p', { role: 'status' });
  const selection = () => ({
    ...search,
    rows: what.value === 'file' ? [row.row] : what.value === 'selected' ? rows : [],
    form: form.value,
    game: state.game.number,
  });
  const run = async (work) => {
    result.classList.remove('bad');
    result.textContent = 'Working …';
    try {
      result.textContent = (await work()) ?? 'The download has started.';
    } catch (error) {
      result.classList.add('bad');
      result.textContent = error.message;
    }
  };
  const toFolder = () => run(async () => {
    const made = await client.save(selection());
    const wrong = made.problem_count ? ` ${counted(made.problem_count, 'problem', 'problems')}: ${made.problems[0]}` : '';
    return `Saved ${counted(made.files, 'file', 'files')} in ${state.server.save_to}.${wrong}`;
  });
  const isOne = () => what.value === 'file';
  const download = () => run(() => (isOne() ? client.download(row.row, form.value) : client.zip(selection())));
  dialog.replaceChildren(el('form', { method: 'dialog' },
    el('h1', {}, 'Save'),
    el('label', {}, 'What', what),
    el('label', {}, 'Form', form),
    state.server?.save_to || !client.isServed ? null : el('p', { class: 'soft' }, 'Start uncask with --save-to FOLDER to save into a folder without a zip.'),
    result,
    el('div', { class: 'buttons' },
      el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'),
      state.server?.save_to ? el('button', { type: 'button', onclick: toFolder }, `Save to ${split(state.server.save_to)[1] || state.server.save_to}`) : null,
      el('button', { class: 'main', type: 'button', onclick: download }, 'Download'))));
  dialog.showModal();
}
