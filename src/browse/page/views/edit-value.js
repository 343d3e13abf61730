// The field for one value: by its type, checked while somebody types.

import * as client from '../client.js';
import { el } from '../dom.js';

// Milliseconds without a letter after which a value is checked.
const PAUSE = 250;
let lists = 0;

// A field that sets a value of a tree.
export function editor(tree, field) {
  if (field.kind === 'other') return el('span', { class: 'soft', title: 'Not edited here' }, field.text);
  const said = el('span', { class: 'bad said', role: 'alert' });
  const label = { 'aria-label': field.name };
  const set = async (node, value) => {
    try {
      await tree.edit(field.address, { action: 'set', value });
      field.text = value;
      tell(node, said, '');
      tree.isSet(node.closest('.leaf'), field);
    } catch (error) {
      tell(node, said, error.message);
    }
  };
  if (field.kind === 'bool') {
    const box = el('input', { type: 'checkbox', ...label, onchange: () => set(box, String(box.checked)) });
    box.checked = field.text === 'true';
    return [box, said];
  }
  if (field.kind === 'enum' && field.choices.length) {
    const short = (name) => name.split('::').pop();
    const pick = el('select', { ...label, onchange: () => set(pick, pick.value) }, field.choices.map((name) => el('option', { value: name }, name)));
    if (!field.choices.includes(short(field.text))) pick.prepend(el('option', { value: field.text }, field.text));
    pick.value = field.choices.includes(short(field.text)) ? short(field.text) : field.text;
    return [pick, said];
  }
  return [...typed(tree, field, said, set, label), said];
}

function typed(tree, field, said, set, label) {
  const isLong = field.kind === 'text' && (field.text.length > 60 || field.text.includes('\n'));
  const input = el(isLong ? 'textarea' : 'input', { ...label, spellcheck: 'false', autocomplete: 'off', rows: isLong ? '3' : null, inputmode: ['whole', 'number'].includes(field.kind) ? 'decimal' : null });
  input.value = field.text;
  let checking = new AbortController();
  let pause;
  const stop = () => {
    clearTimeout(pause);
    checking.abort();
    checking = new AbortController();
  };
  input.addEventListener('input', () => {
    stop();
    const { signal } = checking;
    const { value } = input;
    pause = setTimeout(async () => {
      try {
        if (value !== field.text) await tree.check(field.address, { action: 'set', value }, signal);
        if (!signal.aborted) tell(input, said, '');
      } catch (error) {
        if (!signal.aborted) tell(input, said, error.message);
      }
    }, PAUSE);
  });
  input.addEventListener('change', () => {
    stop();
    if (input.value !== field.text) set(input, input.value);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // The page closes the file otherwise.
    event.stopPropagation();
    stop();
    input.value = field.text;
    tell(input, said, '');
  });
  return field.kind === 'reference' ? [input, offered(input)] : [input];
}

function tell(node, said, problem) {
  said.textContent = problem;
  if (problem) node.setAttribute('aria-invalid', 'true');
  else node.removeAttribute('aria-invalid');
}

// Objects that a reference can lead to, found by what is typed.
function offered(input) {
  lists += 1;
  const list = el('datalist', { id: `offered-${lists}` });
  input.setAttribute('list', list.id);
  let pause;
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(async () => {
      const text = input.value.split(/[/.]/).pop();
      const names = text.length > 1 ? await client.packages(text).catch(() => []) : [];
      list.replaceChildren(...names.map((value) => el('option', { value })));
    }, PAUSE);
  });
  return list;
}
