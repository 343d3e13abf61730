"use strict";
// The map of folders. d3-hierarchy lays it out; every tile is an element of its own.

/** Children of one folder that are shown; the others are one tile. */
const MOST = 150;
/** Levels of folders that are shown at once; those with a single folder in them do not count, up to a depth. */
const LEVELS = 4;
const DEPTH = 8;
/** Share of the map below which a folder is shown without what is in it. */
const LEAST = 0.0004;

function makeTreemap(data, onZoom) {
  const map = document.getElementById("map");
  const { parent, name } = data.folders;
  const key = data.classes.length ? "class" : "type";
  const groups = data.classes.length ? data.classes : data.types;
  let current = 0;

  /** Largest children of a folder, with all others as one. */
  function children(node, level, depth) {
    if (node.folder === undefined || level >= LEVELS || depth >= DEPTH) return null;
    if (depth && node.value < LEAST * data.stored[current]) return null;
    const inside = data.folderChildren[node.folder].map((folder) => ({ folder, value: data.stored[folder] }));
    for (const row of data.folderEntries[node.folder]) {
      inside.push({ row, value: data.entries.stored[row], within: node.folder });
    }
    inside.sort((a, b) => b.value - a.value);
    const rest = inside.splice(MOST);
    if (rest.length) {
      inside.push({ more: rest.length, within: node.folder, value: rest.reduce((sum, one) => sum + one.value, 0) });
    }
    const next = inside.length === 1 ? level : level + 1;
    for (const one of inside) one.children = children(one, next, depth + 1);
    return inside.length ? inside : null;
  }

  /** Colour of a tile: what most of its bytes are. */
  function colour(node) {
    if (node.row !== undefined) return Math.min(data.entries[key][node.row], 8);
    const sums = new Float64Array(groups.length);
    const within = node.folder ?? node.within;
    const rows = rowsBelow(within);
    for (let row = rows[0]; row < rows[1]; row++) sums[data.entries[key][row]] += data.entries.stored[row];
    return Math.min(sums.indexOf(Math.max(...sums)), 8);
  }

  /** Entries are ordered by folder: those below one are neighbours. */
  function rowsBelow(folder) {
    return [lowerBound(data.entries.folder, folder), lowerBound(data.entries.folder, data.end[folder])];
  }

  function label(node) {
    if (node.more) return `${count(node.more)} more`;
    return visible(node.folder === undefined ? data.entries.name[node.row] : name[node.folder]);
  }

  function draw() {
    const width = map.clientWidth;
    const height = map.clientHeight;
    const top = { folder: current };
    top.children = children(top, 0, 0);
    const sum = (node) => (node.children ? 0 : node.value ?? data.stored[current]);
    const root = d3.hierarchy(top).sum(sum);
    d3.treemap().size([width, height]).round(true).paddingInner(2)
      .paddingOuter((node) => (node.depth ? 2 : 0))
      .paddingTop((node) => (hasLabel(node) ? 21 : node.depth ? 2 : 0))(root);
    const tiles = root.descendants().filter((node) => node.depth && node.x1 - node.x0 > 3 && node.y1 - node.y0 > 3);
    map.replaceChildren(...tiles.map(tile));
    map.querySelector(".tile[role]")?.setAttribute("tabindex", "0");
    drawCrumbs();
  }

  /** Whether a folder has room for its name above what is in it. */
  function hasLabel(node) {
    return node.depth > 0 && node.children && node.y1 - node.y0 > 44 && node.x1 - node.x0 > 46;
  }

  function tile(node) {
    const made = element("div", { class: `tile c${colour(node.data)} d${node.depth}` });
    const [width, height] = [node.x1 - node.x0, node.y1 - node.y0];
    Object.assign(made.style, { left: `${node.x0}px`, top: `${node.y0}px`, width: `${width}px`, height: `${height}px` });
    const text = `${label(node.data)}, ${size(node.value)}, ${percent(node.value, data.total.stored)}`;
    made.title = text;
    if (node.children) made.classList.add("folder");
    if (node.children ? hasLabel(node) : width > 46 && height > 18) {
      made.append(element("span", { class: "name" }, label(node.data)));
      if (height > 36 || node.children && width > 150) made.append(" ", element("span", { class: "size" }, size(node.value)));
    }
    const folder = node.data.folder ?? node.data.within;
    if (folder !== current) made.dataset.folder = folder;
    if (node.depth === 1) {
      made.setAttribute("role", "button");
      made.setAttribute("tabindex", "-1");
      made.setAttribute("aria-label", node.data.folder === undefined ? text : `Folder ${text}`);
    } else {
      made.setAttribute("aria-hidden", "true");
    }
    return made;
  }

  function drawCrumbs() {
    const path = [];
    for (let at = current; at !== 0; at = parent[at]) path.unshift(at);
    const crumbs = [0, ...path].map((folder) => {
      const made = element("button", { type: "button" }, folder ? visible(name[folder]) : "All");
      if (folder === current) made.setAttribute("aria-current", "location");
      made.addEventListener("click", () => zoom(folder));
      return made;
    });
    const sum = element("span", {}, `${size(data.stored[current])} · ${counted(data.counts[current], "entry", "entries")}`);
    document.getElementById("crumbs").replaceChildren(...crumbs, sum);
  }

  function zoom(folder, focus = false) {
    if (folder === current || !(folder < name.length)) return;
    current = folder;
    draw();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      map.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 160 });
    }
    if (focus) map.querySelector(".tile[role]")?.focus();
    onZoom(folder);
  }

  /** The nearest tile in a direction. */
  function neighbour(from, dx, dy) {
    const centre = (made) => [made.offsetLeft + made.offsetWidth / 2, made.offsetTop + made.offsetHeight / 2];
    const [x, y] = centre(from);
    let [best, least] = [null, Infinity];
    for (const made of map.querySelectorAll(".tile[role]")) {
      const [cx, cy] = centre(made);
      const along = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (along > 0 && along + 2 * aside < least) [best, least] = [made, along + 2 * aside];
    }
    return best;
  }

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  map.addEventListener("click", (event) => {
    const made = event.target.closest(".tile");
    if (made?.dataset.folder) zoom(Number(made.dataset.folder));
  });
  map.addEventListener("keydown", (event) => {
    const made = event.target.closest(".tile");
    if ((event.key === "Enter" || event.key === " ") && made?.dataset.folder) zoom(Number(made.dataset.folder), true);
    else if (made && arrows[event.key]) neighbour(made, ...arrows[event.key])?.focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input") || (event.key !== "Escape" && event.key !== "Backspace")) return;
    event.preventDefault();
    zoom(parent[current], map.contains(event.target));
  });
  const legend = groups.slice(0, 8).map((row, at) => element("span", { class: `key c${at}` }, short(row.name)));
  if (groups.length > 8) legend.push(element("span", { class: "key c8" }, "other"));
  document.getElementById("legend").append(...legend);
  let drawn = `${map.clientWidth} ${map.clientHeight}`;
  new ResizeObserver(() => {
    const size = `${map.clientWidth} ${map.clientHeight}`;
    if (size !== drawn) draw();
    drawn = size;
  }).observe(map);
  draw();
  return { zoom };
}

/** First place whose value is not below the wanted one. */
function lowerBound(sorted, wanted) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
