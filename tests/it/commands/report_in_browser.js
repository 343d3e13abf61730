"use strict";
// Uses the page as a person does, and writes down what it did.

(async () => {
  const wait = async (done) => {
    for (let tries = 0; tries < 200 && !done(); tries++) await new Promise((next) => setTimeout(next, 20));
  };
  const seen = {};
  const find = (what) => document.querySelector(what);
  const shown = () => find("#shown").textContent;
  const first = () => find("#rows .row .path")?.title;
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await wait(() => document.documentElement.dataset.ready);
  seen.opened = document.documentElement.dataset.ready !== undefined;
  seen.all = shown();
  seen.rows = Array.from(document.querySelectorAll("#rows .row .path"), (cell) => cell.title);

  // How far each header cell is from the cells below it, at either edge.
  const edges = (cell) => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().right];
  const cells = Array.from(find("#rows .row").children, edges);
  seen.apart = Array.from(find("#rows .head").children, edges)
    .map(([left, right], at) => Math.max(Math.abs(left - cells[at][0]), Math.abs(right - cells[at][1])));
  seen.classes = Array.from(document.querySelectorAll("#charts .line span, #legend .key"), (line) => line.textContent);

  find("#search").value = "umap";
  find("#search").dispatchEvent(new Event("input"));
  seen.searched = shown();
  find("#search").value = "";
  find("#search").dispatchEvent(new Event("input"));

  find('[data-key="raw"] button').click();
  seen.largest = first();
  seen.sort = find('[data-key="raw"]').getAttribute("aria-sort");
  find('[data-key="raw"] button').click();
  seen.smallest = first();

  const current = () => find("#rows [aria-current] .path")?.title;
  find('[data-key="path"] button').click();
  seen.current = [current() ?? null];
  find("#rows").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowDown", "PageUp", "Home"]) {
    press(key);
    seen.current.push(current());
  }
  seen.pointed = find("#rows").getAttribute("aria-activedescendant");
  seen.ordered = Array.from(document.querySelectorAll("#rows .row .path"), (cell) => cell.title);
  find("#rows").blur();

  const tile = find("#map .tile.folder[role]");
  seen.tile = tile?.getAttribute("aria-label");
  tile?.click();
  seen.zoomed = [find("#crumbs [aria-current]").textContent, shown()];
  press("Escape");
  seen.back = [find("#crumbs [aria-current]").textContent, shown()];
  find("#map .tile.folder[role]")?.focus();
  press("Enter");
  seen.entered = find("#crumbs [aria-current]").textContent;
  press("Backspace");

  find("#charts button.line").click();
  seen.filtered = shown();
  find(".chip").click();
  seen.unfiltered = shown();

  if (!find("#gallery").hidden) {
    const pictures = () => Array.from(document.querySelectorAll("#cards img"));
    await wait(() => pictures().every((picture) => picture.complete));
    seen.cards = Array.from(document.querySelectorAll("#cards .card"), (card) => card.title);
    seen.pictures = pictures().map((picture) => picture.naturalWidth);
    seen.allAssets = find("#gallery-shown").textContent;
    find("#kinds .chip")?.click();
    seen.oneKind = find("#gallery-shown").textContent;
    find("#kinds .chip")?.click();
    find("#gallery-search").value = "rock texture2d";
    find("#gallery-search").dispatchEvent(new Event("input"));
    seen.foundAssets = find("#gallery-shown").textContent;
    find("#gallery-search").value = "";
    find("#gallery-search").dispatchEvent(new Event("input"));
    find("#cards .card").focus();
    seen.walked = [document.activeElement.dataset.at];
    for (const key of ["ArrowRight", "End", "Home"]) {
      press(key);
      seen.walked.push(document.activeElement.dataset.at);
    }
    document.activeElement.click();
    seen.one = [find("#asset").open, find("#asset").textContent];
    find("#asset button").click();
    seen.closed = !find("#asset").open;
  }

  const theme = () => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor];
  seen.before = theme();
  find("#theme").click();
  seen.after = theme();
  seen.errors = window.seenErrors;
  seen.title = document.title;
  const made = document.createElement("pre");
  made.id = "seen";
  made.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
  document.body.append(made);
})();
