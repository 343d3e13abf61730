// A sound: a player, and its wave form.

import * as client from '../client.js';
import { bytes, el, split } from '../dom.js';

export async function show(into, file, signal) {
  const canvas = el('canvas', { class: 'wave', role: 'img', 'aria-label': 'Wave form' });
  const facts = el('p', { class: 'soft' }, `${split(file.path)[1]} · ${bytes(file.bytes)}`);
  const player = el('audio', { controls: true, preload: 'metadata', src: client.addressOf(file.url) });
  into.append(facts, canvas, player);
  const content = await client.file(file.url, signal);
  const context = new OfflineAudioContext(1, 1, 44100);
  try {
    const sound = await context.decodeAudioData(content);
    facts.textContent += ` · ${sound.duration.toFixed(1)} s · ${sound.numberOfChannels === 1 ? 'mono' : `${sound.numberOfChannels} channels`}`;
    const paint = () => draw(canvas, sound.getChannelData(0), player.currentTime / (sound.duration || 1));
    player.addEventListener('timeupdate', paint);
    new ResizeObserver(paint).observe(canvas);
    canvas.addEventListener('click', (event) => { player.currentTime = (event.offsetX / canvas.clientWidth) * sound.duration; });
  } catch {
    canvas.replaceWith(el('p', { class: 'soft' }, 'This browser cannot draw the wave form.'));
  }
}

function draw(canvas, samples, played) {
  canvas.width = canvas.clientWidth * devicePixelRatio || 300;
  canvas.height = canvas.clientHeight * devicePixelRatio || 100;
  const context = canvas.getContext('2d');
  const step = samples.length / canvas.width;
  for (let x = 0; x < canvas.width; x += 1) {
    let [low, high] = [0, 0];
    const [from, to] = [Math.floor(x * step), Math.max(Math.floor(x * step) + 1, Math.floor((x + 1) * step))];
    // Of long sounds, not every sample is looked at.
    for (let at = from; at < to; at += Math.max(1, (to - from) >> 6)) {
      low = Math.min(low, samples[at]);
      high = Math.max(high, samples[at]);
    }
    context.fillStyle = x / canvas.width < played ? '#e08a3c' : '#8a919e';
    const middle = canvas.height / 2;
    context.fillRect(x, middle - high * middle, 1, Math.max(1, (high - low) * middle));
  }
}
