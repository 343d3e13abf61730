// What an asset looks or sounds like. Other kinds than pictures have modules of their own.

import * as client from '../client.js';
import { bytes, el, split } from '../dom.js';
import { replacing } from '../replacing.js';

export async function preview(into, { row, signal }) {
  const made = await client.preview(row.row, { mips: 'all' }, signal);
  const wanted = (pattern) => made.shown.filter((file) => pattern.test(file.path));
  const [pictures, sounds] = [wanted(/\.png$/i), wanted(/\.(wav|ogg)$/i)];
  const [models, fonts] = [wanted(/\.(gltf|glb)$/i), wanted(/\.(ttf|otf)$/i)];
  if (models.length) await (await import('./model.js')).show(into, models, signal);
  else if (pictures.length) await show(into, pictures, signal, row);
  for (const sound of sounds) await (await import('./sound.js')).show(into, sound, signal);
  for (const font of fonts) await showFont(into, font, signal);
  const said = [...made.problems.map((text) => [text, 'bad']), ...made.notes.map((text) => [text, 'soft'])];
  if (made.needs_mappings) said.push(['The properties of this asset have no names without the game’s mappings: what only these say is guessed.', 'soft']);
  if (!made.shown.length && !said.length) said.push(['No preview of this package.', 'soft']);
  into.append(...said.map(([text, kind]) => el('p', { class: kind }, text)));
  const others = made.shown.filter((file) => ![...pictures, ...sounds, ...models, ...fonts].includes(file) && !/\.bin$/.test(file.path));
  if (others.length) into.append(el('p', { class: 'soft' }, `Also made: ${others.map((file) => `${split(file.path)[1]} (${bytes(file.bytes)})`).join(', ')}`));
}

async function showFont(into, file, signal) {
  const face = new FontFace(`shown-${file.url.replace(/\W/g, '')}`, await client.file(file.url, signal));
  document.fonts.add(await face.load());
  const sample = (text) => {
    const node = el('p', { class: 'font' }, text);
    node.style.fontFamily = `"${face.family}"`;
    return node;
  };
  into.append(el('h2', {}, split(file.path)[1]), sample('The quick brown fox jumps over the lazy dog'), sample('ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789'), sample('ÄÖÜß éèçñ Жук Ωμέγα 日本語 한국어'));
}

const CHANNELS = ['R', 'G', 'B', 'A'];

async function show(into, files, signal, row) {
  const canvas = el('canvas', { role: 'img' });
  const stage = el('div', { class: 'stage', tabIndex: 0, 'aria-label': 'Picture' }, canvas);
  const size = el('span', { class: 'soft' });
  const shows = new Set(CHANNELS);
  let picture;
  let zoom = 0;
  const fit = () => Math.min(1, (stage.clientWidth - 2) / picture.width);
  const scale = () => {
    const by = zoom || Math.max(fit(), 0.01);
    canvas.style.width = `${picture.width * by}px`;
    size.textContent = `${picture.width} × ${picture.height} · ${Math.round(by * 100)} %`;
  };
  const zoomTo = (by) => { zoom = by; scale(); };
  const pick = el('select', { 'aria-label': 'Picture or mip' }, files.map((file, at) => el('option', { value: String(at) }, split(file.path)[1])));
  const load = async () => {
    const file = files[Number(pick.value)];
    const loaded = await createImageBitmap(new Blob([await client.file(file.url, signal)]), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    if (files[Number(pick.value)] !== file) return;
    picture = loaded;
    canvas.setAttribute('aria-label', split(file.path)[1]);
    draw(canvas, picture, shows);
    scale();
  };
  const channels = CHANNELS.map((name) => el('button', { type: 'button', 'aria-pressed': 'true', title: `Channel ${name}`, onclick: (event) => {
    if (!shows.delete(name)) shows.add(name);
    event.currentTarget.setAttribute('aria-pressed', String(shows.has(name)));
    draw(canvas, picture, shows);
  } }, name));
  // A label that is read out has to have what is seen in it.
  const step = (title, label, by) => el('button', { type: 'button', title: label, 'aria-label': /\w/.test(title) ? null : label, onclick: () => zoomTo(by()) }, title);
  const current = () => zoom || fit();
  into.append(el('div', { class: 'tools' }, files.length > 1 ? pick : null, channels,
    step('−', 'Smaller', () => Math.max(current() / 2, 1 / 32)), step('+', 'Larger', () => Math.min(current() * 2, 32)),
    step('1:1', 'Actual size', () => 1), step('Fit', 'Fit', () => 0), size, client.isServed && /\.Texture2D$/.test(row.class ?? '') ? replacing(row, stage) : null), stage);
  stage.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(Math.min(32, Math.max(1 / 32, current() * (event.deltaY < 0 ? 1.25 : 0.8))));
  }, { passive: false });
  const problem = el('p', { class: 'bad', role: 'alert' });
  into.append(problem);
  // What was made before may be gone by now.
  pick.addEventListener('change', async () => {
    problem.textContent = '';
    await load().catch((error) => { if (!signal.aborted) problem.textContent = error.message; });
  });
  await load();
  new ResizeObserver(scale).observe(stage);
}

// A single channel is shown as grey; without alpha, what it hides is seen.
function draw(canvas, picture, shows) {
  Object.assign(canvas, { width: picture.width, height: picture.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  if (shows.size === CHANNELS.length) return;
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  const only = shows.size === 1 ? CHANNELS.indexOf([...shows][0]) : -1;
  const keeps = CHANNELS.map((name) => shows.has(name));
  for (let at = 0; at < data.length; at += 4) {
    if (only >= 0) {
      data[at] = data[at + 1] = data[at + 2] = data[at + only];
      data[at + 3] = 255;
      continue;
    }
    for (let channel = 0; channel < 3; channel += 1) if (!keeps[channel]) data[at + channel] = 0;
    if (!keeps[3]) data[at + 3] = 255;
  }
  context.putImageData(pixels, 0, 0);
}
