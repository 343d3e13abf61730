// Elements, and how numbers are shown. Texts only ever get into the page as text.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== 'string') node[name] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return node;
}

export const byId = (id) => document.getElementById(id);

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count) {
  if (count === 1) return '1 byte';
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export const number = (value) => value.toLocaleString('en');

export const counted = (value, one, many) => `${number(value)} ${value === 1 ? one : many}`;

// `Folder/` and `File`.
export function split(path) {
  const at = path.lastIndexOf('/') + 1;
  return [path.slice(0, at), path.slice(at)];
}

// What became of a file while two builds are compared.
export const CHANGES = {
  added: { name: 'Added', sign: '+' }, removed: { name: 'Removed', sign: '−' },
  changed: { name: 'Changed', sign: '~' }, moved: { name: 'Moved', sign: '→' },
};

export const sign = (change) => el('span', { class: `sign ${change}`, role: 'img', 'aria-label': CHANGES[change].name }, CHANGES[change].sign);

// Classes of what can be looked at or listened to.
export const SEEN = /\.(\w*Texture\w*|SoundWave|StaticMesh|SkeletalMesh|AnimSequence|Skeleton|Font|FontFace)$/;

let hider;

// Says something above the table: what is wrong stays, what is only news goes away.
export function notice(text, isNews = false) {
  const place = byId('notice');
  place.replaceChildren(text ?? '');
  place.hidden = !text;
  clearTimeout(hider);
  if (isNews) hider = setTimeout(() => { place.hidden = true; }, 6000);
}
