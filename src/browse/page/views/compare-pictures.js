// A picture in two builds, and where they differ.

import * as client from '../client.js';
import { el, number, split } from '../dom.js';

export async function show(into, before, row, signal) {
  const [old, now] = await Promise.all([before, row].map(async ({ row: id }) => {
    const made = await client.preview(id, {}, signal);
    const file = made.shown.find(({ path }) => /\.png$/i.test(path));
    if (!file) throw new Error(made.problems[0] ?? made.notes[0] ?? 'There is no picture of it in one of the builds.');
    const blob = new Blob([await client.file(file.url, signal)]);
    return { name: split(file.path)[1], picture: await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }) };
  }));
  const pictures = [['Old build', old], ['New build', now]].map(([title, { picture, name }]) => {
    const canvas = el('canvas', { role: 'img', 'aria-label': `${name}, ${title.toLowerCase()}` });
    pixels(canvas, picture);
    return frame(title, canvas, `${picture.width} × ${picture.height}`);
  });
  into.append(el('div', { class: 'pictures' }, pictures, difference(old.picture, now.picture)));
}

const frame = (title, canvas, said) => el('figure', {}, el('div', { class: 'stage' }, canvas), el('figcaption', {}, `${title} · ${said}`));

function pixels(canvas, picture) {
  Object.assign(canvas, { width: picture.width, height: picture.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, picture.width, picture.height);
}

// The difference of each channel, as bright as the largest one allows.
function difference(old, now) {
  if (old.width !== now.width || old.height !== now.height) return el('figure', {}, el('figcaption', {}, 'Pictures of different sizes have no difference to show.'));
  const canvas = el('canvas', { role: 'img', 'aria-label': 'Difference' });
  const [left, right] = [old, now].map((picture) => pixels(document.createElement('canvas'), picture).data);
  const made = new ImageData(old.width, old.height);
  let [count, most] = [0, 0];
  for (let at = 0; at < left.length; at += 4) {
    const differs = [0, 1, 2, 3].map((channel) => Math.abs(left[at + channel] - right[at + channel]));
    const largest = Math.max(...differs);
    if (largest) count += 1;
    most = Math.max(most, largest);
    // What differs in alpha alone is white.
    for (let channel = 0; channel < 3; channel += 1) made.data[at + channel] = Math.max(differs[channel], differs[3]);
    made.data[at + 3] = 255;
  }
  const bright = most ? 255 / most : 0;
  for (let at = 0; at < left.length; at += 4) for (let channel = 0; channel < 3; channel += 1) made.data[at + channel] *= bright;
  Object.assign(canvas, { width: old.width, height: old.height });
  canvas.getContext('2d').putImageData(made, 0, 0);
  const share = ((count / (left.length / 4)) * 100).toFixed(1);
  return frame('Difference', canvas, count ? `${number(count)} pixels differ (${share} %), by ${most} of 255 at most` : 'no pixel differs');
}
