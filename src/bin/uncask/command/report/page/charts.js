"use strict";
// Totals, sums as bars, largest entries and duplicates.

function showTotals(data) {
  const wasted = data.duplicates.reduce((sum, one) => sum + one.wasted, 0);
  const tiles = [
    ["Stored", size(data.total.stored), counted(data.total.stored, "byte", "bytes")],
    ["Uncompressed", size(data.total.raw), `${ratio(data.total.raw, data.total.stored)} compression`],
    ["Entries", count(data.total.count), counted(data.packages, "package", "packages")],
    ["Containers", count(data.containers.length), counted(data.folders.name.length - 1, "folder", "folders")],
    ["Duplicates", size(wasted), `${counted(data.duplicates.length, "content", "contents")} stored more than once`],
  ];
  document.getElementById("totals").append(...tiles.map(([title, value, note]) =>
    element("div", { class: "total" }, element("span", {}, title), element("strong", {}, value), element("small", {}, note))));
}

function showCharts(data, table) {
  const charts = document.getElementById("charts");
  charts.append(sums("By type", data.types, (at) => table.toggle("type", at), true));
  if (data.classes.length) charts.append(sums("By class", data.classes, (at) => table.toggle("class", at), true));
  charts.append(
    sums("By container", data.containers, (at) => table.toggle("container", at)),
    sums("By compression method", data.methods, null),
    largest(data),
    duplicates(data),
  );
}

function card(title, ...lines) {
  return element("article", {}, element("h2", {}, title), element("div", { class: "lines", tabindex: "0", role: "group", "aria-label": title }, ...lines));
}

/** A line with a bar behind it. What is shown may be a part of the title. */
function line(share, title, value, note, onClick, shown = title) {
  const made = element(onClick ? "button" : "div", onClick ? { class: "line", type: "button" } : { class: "line" });
  const bar = element("i", { "aria-hidden": "true" });
  bar.style.width = `${Math.max(100 * share, 0.4)}%`;
  made.append(bar, element("span", { title }, shown), element("b", {}, value), element("small", {}, note));
  if (onClick) made.addEventListener("click", onClick);
  return made;
}

function sums(title, rows, onClick) {
  const most = Math.max(1, ...rows.map((row) => row.stored));
  return card(title, ...rows.slice(0, 200).map((row, at) =>
    line(row.stored / most, short(row.name), size(row.stored), `${count(row.count)} · ${ratio(row.raw, row.stored)}`,
      onClick && (() => onClick(at)))));
}

function largest(data) {
  const { stored, raw } = data.entries;
  // The smallest of the largest is found first: sorting plain numbers is fast.
  const least = Float64Array.from(stored).sort().at(-50) ?? 0;
  const rows = [];
  for (let row = 0; row < stored.length; row++) if (stored[row] >= least) rows.push(row);
  rows.sort((a, b) => stored[b] - stored[a]).splice(50);
  const most = Math.max(1, stored[rows[0]]);
  return card("Largest entries", ...rows.map((row) =>
    line(stored[row] / most, pathOf(data, row), size(stored[row]), ratio(raw[row], stored[row]), null, nameOf(data, row))));
}

function duplicates(data) {
  if (!data.duplicates.length) return card("Duplicates", element("p", {}, "Nothing is stored more than once."));
  const most = Math.max(1, data.duplicates[0].wasted);
  return card("Duplicates", ...data.duplicates.slice(0, 100).map((one) => {
    const first = one.entries[0];
    const made = line(one.wasted / most, pathOf(data, first), size(one.wasted), counted(one.copies, "copy", "copies"), null, nameOf(data, first));
    made.title = one.entries.slice(0, 20).map((row) => pathOf(data, row)).join("\n");
    return made;
  }));
}
