"use strict";
// The data in the page, and how numbers and texts are shown.

/** Inflates and parses what the page carries. */
async function loadData() {
  const text = atob(document.getElementById("data").textContent);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return addSums(await new Response(inflated).json());
}

/** Adds what follows from the columns: names, paths, sizes and ends of folders. */
function addSums(data) {
  for (const named of [data.folders, data.entries]) named.name = named.name.map((at) => data.names[at]);
  const { parent, name } = data.folders;
  const count = name.length;
  data.paths = new Array(count).fill("");
  data.stored = new Float64Array(count);
  data.counts = new Float64Array(count);
  data.end = new Uint32Array(count).fill(0);
  data.folderChildren = Array.from({ length: count }, () => []);
  data.folderEntries = Array.from({ length: count }, () => []);
  for (let at = 1; at < count; at++) {
    const above = data.paths[parent[at]];
    data.paths[at] = above ? `${above}/${name[at]}` : name[at];
    data.folderChildren[parent[at]].push(at);
  }
  const { folder, stored } = data.entries;
  for (let row = 0; row < folder.length; row++) {
    data.stored[folder[row]] += stored[row];
    data.counts[folder[row]] += 1;
    data.folderEntries[folder[row]].push(row);
  }
  // What is below a folder follows it, so that backwards children come before parents.
  for (let at = count - 1; at >= 0; at--) {
    data.end[at] = Math.max(data.end[at], at + 1);
    if (at === 0) break;
    data.stored[parent[at]] += data.stored[at];
    data.counts[parent[at]] += data.counts[at];
    data.end[parent[at]] = Math.max(data.end[parent[at]], data.end[at]);
  }
  return data;
}

/** Path of an entry. */
function pathOf(data, row) {
  const folder = data.paths[data.entries.folder[row]];
  return visible(folder ? `${folder}/${data.entries.name[row]}` : data.entries.name[row]);
}

/** Name of an entry, without its folder. */
function nameOf(data, row) {
  return visible(data.entries.name[row]);
}

/** A text without characters that are not seen or turn others around. */
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

/** Bytes for people. */
function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(bytes < 100 ? 2 : 1)} ${units[unit]}`;
}

const numbers = new Intl.NumberFormat("en");
const count = (value) => numbers.format(value);
/** A number and what it counts: `1 entry`, `2 entries`. */
const counted = (value, one, many) => `${count(value)} ${value === 1 ? one : many}`;
const percent = (part, whole) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)}%`;
const ratio = (raw, stored) => (stored > 0 ? `${(raw / stored).toFixed(2)}×` : "–");

/** A new element; what it shows is text, never HTML. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
