"use strict";
// The table of all entries. Only the rows in view are in the page.

const ROW = 28;
/** Browsers do not make elements higher than some ten million pixels. */
const HIGHEST = 8_000_000;

function makeTable(data, onChange) {
  const { entries } = data;
  const columns = [
    { key: "path", title: "Path" },
    { key: "type", title: "Type", names: data.types },
    ...(data.classes.length ? [{ key: "class", title: "Class", names: data.classes }] : []),
    { key: "container", title: "Container", names: data.containers },
    { key: "raw", title: "Size", number: true },
    { key: "stored", title: "Stored", number: true },
    { key: "ratio", title: "Ratio", number: true },
  ];
  const state = { words: [], folder: 0, filters: new Map(), sort: "path", down: false };
  let rows = new Uint32Array(0);
  /** Place of the row that the keys move; -1 until one is pressed. */
  let cursor = -1;
  let lowered = null;

  const table = document.getElementById("table");
  const header = element("div", { role: "row", class: "head" });
  // The header scrolls with the rows and sticks to their top: what takes room from the rows takes it from the header, too.
  const body = element("div", { role: "table", id: "rows", tabindex: "0", "aria-label": "Entries, arrow keys move" });
  const inner = element("div", { role: "rowgroup", class: "inner" });
  body.append(element("div", { role: "rowgroup", class: "top" }, header), inner);
  table.append(body);
  table.classList.toggle("with-class", data.classes.length > 0);
  body.setAttribute("aria-rowcount", entries.name.length + 1);
  for (const column of columns) {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => sortBy(column));
    column.header = element("div", { role: "columnheader", "data-key": column.key }, button);
    if (column.number) column.header.classList.add("number");
    header.append(column.header);
  }

  /** Lower-case paths, made when they are first searched. */
  function searched() {
    lowered ??= entries.name.map((name, row) => `${data.paths[entries.folder[row]]}/${name}`.toLowerCase());
    return lowered;
  }

  function order(key) {
    if (key === "path") return null;
    if (key === "ratio") return (row) => (entries.stored[row] ? entries.raw[row] / entries.stored[row] : 0);
    const column = columns.find((column) => column.key === key);
    if (!column.names) return (row) => entries[key][row];
    const sorted = column.names.map((row, at) => [row.name, at]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    const rank = new Uint32Array(sorted.length);
    sorted.forEach(([, at], place) => (rank[at] = place));
    return (row) => rank[entries[key][row]];
  }

  function update() {
    const first = state.folder;
    const end = data.end[first];
    const texts = state.words.length ? searched() : null;
    const filters = [...state.filters];
    const found = [];
    for (let row = 0; row < entries.name.length; row++) {
      const folder = entries.folder[row];
      if (folder < first || folder >= end) continue;
      if (filters.some(([key, wanted]) => entries[key][row] !== wanted)) continue;
      if (texts && !state.words.every((word) => texts[row].includes(word))) continue;
      found.push(row);
    }
    rows = Uint32Array.from(found);
    const value = order(state.sort);
    if (value) {
      const values = new Float64Array(entries.name.length);
      for (const row of rows) values[row] = value(row);
      const sign = state.down ? -1 : 1;
      rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
    } else if (state.down) {
      rows.reverse();
    }
    for (const column of columns) {
      const sorted = column.key === state.sort ? (state.down ? "descending" : "ascending") : "none";
      column.header.setAttribute("aria-sort", sorted);
    }
    cursor = -1;
    body.scrollTop = 0;
    draw();
    showFilters();
    let stored = 0;
    for (const row of rows) stored += entries.stored[row];
    document.getElementById("shown").textContent =
      `${count(rows.length)} of ${counted(entries.name.length, "entry", "entries")}, ${size(stored)} stored`;
  }

  /** Height in which rows are seen. */
  const seen = () => body.clientHeight - header.offsetHeight;

  function draw() {
    const height = Math.min(rows.length * ROW, HIGHEST);
    inner.style.height = `${height}px`;
    const fit = Math.ceil(seen() / ROW) + 1;
    const reach = Math.max(height - seen(), 1);
    const top = rows.length * ROW > HIGHEST
      ? Math.round((body.scrollTop / reach) * Math.max(rows.length - fit + 1, 0))
      : Math.floor(body.scrollTop / ROW);
    const offset = rows.length * ROW > HIGHEST ? body.scrollTop : top * ROW;
    const shown = Array.from(rows.subarray(top, top + fit), (row, at) => {
      const line = element("div", { role: "row", class: "row", "aria-rowindex": top + at + 2 });
      line.style.top = `${offset + at * ROW}px`;
      line.append(...columns.map((column) => cell(column, row)));
      if (top + at === cursor) {
        line.id = "cursor";
        line.setAttribute("aria-current", "true");
      }
      return line;
    });
    inner.replaceChildren(...shown);
    if (inner.querySelector("#cursor")) body.setAttribute("aria-activedescendant", "cursor");
    else body.removeAttribute("aria-activedescendant");
  }

  /** Moves the cursor to a row, and the view no further than it has to. */
  function moveTo(place) {
    cursor = Math.max(0, Math.min(place, rows.length - 1));
    const height = Math.min(rows.length * ROW, HIGHEST);
    if (rows.length * ROW > HIGHEST) {
      const fit = Math.ceil(seen() / ROW) + 1;
      const first = Math.max(0, cursor - Math.floor(fit / 2));
      body.scrollTop = (first / Math.max(rows.length - fit + 1, 1)) * Math.max(height - seen(), 1);
    } else if (cursor * ROW < body.scrollTop) {
      body.scrollTop = cursor * ROW;
    } else if ((cursor + 1) * ROW > body.scrollTop + seen()) {
      body.scrollTop = (cursor + 1) * ROW - seen();
    }
    draw();
  }

  body.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(seen() / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || !rows.length || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(cursor < 0 && step !== Infinity ? 0 : cursor + step);
  });

  function cell(column, row) {
    if (column.key === "path") {
      const folder = data.paths[entries.folder[row]];
      const made = element("div", { role: "cell", class: "path", title: pathOf(data, row) });
      made.append(element("b", {}, visible(entries.name[row])), element("span", {}, visible(folder)));
      return made;
    }
    const value = column.key === "ratio"
      ? ratio(entries.raw[row], entries.stored[row])
      : column.number ? size(entries[column.key][row]) : short(column.names[entries[column.key][row]].name);
    return element("div", { role: "cell", class: column.number ? "number" : "", title: value }, value);
  }

  function sortBy(column) {
    state.down = state.sort === column.key ? !state.down : Boolean(column.number);
    state.sort = column.key;
    update();
  }

  function showFilters() {
    const chip = (text, remove) => {
      const made = element("button", { type: "button", class: "chip", "aria-label": `Remove filter ${text}` }, `${text} ✕`);
      made.addEventListener("click", remove);
      return made;
    };
    const chips = [...state.filters].map(([key, wanted]) =>
      chip(short(columns.find((column) => column.key === key).names[wanted].name), () => toggle(key, wanted)));
    if (state.folder) chips.unshift(chip(visible(data.paths[state.folder]), () => onChange(0)));
    document.getElementById("filters").replaceChildren(...chips);
  }

  function toggle(key, wanted) {
    if (state.filters.get(key) === wanted) state.filters.delete(key);
    else state.filters.set(key, wanted);
    update();
  }

  const search = document.getElementById("search");
  search.addEventListener("input", () => {
    state.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    update();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, dialog")) return;
    event.preventDefault();
    search.focus();
  });
  body.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(body);
  update();
  return { toggle, setFolder: (folder) => { state.folder = folder; update(); } };
}

/** `/Script/Engine.Texture2D` as `Texture2D`. */
const short = (name) => visible(name.startsWith("/Script/") ? name.slice(name.lastIndexOf(".") + 1) : name);
