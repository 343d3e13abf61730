"use strict";
// The gallery of assets. Only the cards in view are in the page.

const CARD = { width: 152, height: 184, gap: 8 };
/** Glyphs of assets that have no picture. */
const GLYPHS = { texture: "▦", sound: "♪", mesh: "△", skeleton: "⋔", animation: "▷", "morph target": "◇", font: "A" };

function showGallery(gallery) {
  const { assets } = gallery;
  const find = (id) => document.getElementById(id);
  const [cards, search, dialog] = [find("cards"), find("gallery-search"), find("asset")];
  const state = { words: [], kind: null };
  const drawn = new Map();
  let found = [];
  let lowered = null;
  let across = 1;

  find("gallery").hidden = false;
  const inner = element("div", { class: "inner" });
  cards.append(inner);

  const kinds = new Map();
  for (const { kind } of assets) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const buttons = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, number]) => {
    const button = element("button", { type: "button", class: "chip", "aria-pressed": "false" },
      counted(number, kind, gallery.kinds[kind]));
    button.addEventListener("click", () => {
      state.kind = state.kind === kind ? null : kind;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button && state.kind !== null));
      update();
    });
    return button;
  });
  find("kinds").append(...(buttons.length > 1 ? buttons : []));

  /** Where a picture is, as browsers ask for it. */
  function source(picture) {
    if (!gallery.folder) return `data:image/png;base64,${picture}`;
    return [gallery.folder, ...picture.split("/")].map(encodeURIComponent).join("/");
  }

  function image(asset) {
    const made = element("img", { alt: "", loading: "lazy", decoding: "async" });
    made.src = source(asset.picture);
    return made;
  }

  /** `texture: PF_DXT1 64 x 64` without its first word. */
  const facts = (asset) => visible(asset.facts.slice(asset.facts.indexOf(":") + 1).trim());

  function card(at) {
    const asset = assets[found[at]];
    const shown = asset.picture ? image(asset) : element("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[asset.kind] ?? "□");
    const made = element("button", { type: "button", class: "card", title: visible(`${asset.package}.${asset.object}\n${asset.facts}`) },
      element("span", { class: "picture" }, shown),
      element("b", {}, visible(asset.object.split(/[.:]/).pop())), element("small", {}, facts(asset)));
    made.addEventListener("click", () => open(asset));
    made.dataset.at = at;
    return made;
  }

  /** Puts the cards in view into the page; those that are there stay, and keep the focus. */
  function draw() {
    const room = cards.clientWidth - CARD.gap;
    across = Math.max(1, Math.floor(room / (CARD.width + CARD.gap)));
    const [stepX, stepY] = [room / across, CARD.height + CARD.gap];
    const rows = Math.ceil(found.length / across);
    const height = Math.min(rows * stepY + CARD.gap, HIGHEST);
    inner.style.height = `${height}px`;
    // Where a page cannot be as high as all rows are, scrolling moves faster than the rows.
    const reach = Math.max(height - cards.clientHeight, 1);
    const hidden = Math.max(rows * stepY + CARD.gap - cards.clientHeight, 0);
    const top = hidden > reach ? (cards.scrollTop / reach) * hidden : cards.scrollTop;
    const first = Math.max(0, Math.floor(top / stepY) * across);
    const end = Math.min(found.length, Math.ceil((top + cards.clientHeight) / stepY) * across);
    for (const [at, made] of drawn) {
      if (at >= first && at < end) continue;
      made.remove();
      drawn.delete(at);
    }
    for (let at = first; at < end; at++) {
      let made = drawn.get(at);
      if (!made) {
        made = card(at);
        drawn.set(at, made);
        inner.append(made);
      }
      made.style.left = `${CARD.gap + (at % across) * stepX}px`;
      made.style.top = `${CARD.gap + Math.floor(at / across) * stepY - top + cards.scrollTop}px`;
      made.style.width = `${stepX - CARD.gap}px`;
      made.style.height = `${CARD.height}px`;
    }
    return { stepY, top, scale: hidden > reach ? reach / hidden : 1 };
  }

  function update() {
    lowered ??= assets.map((asset) => `${asset.package}.${asset.object} ${asset.class} ${asset.facts}`.toLowerCase());
    found = [];
    for (let at = 0; at < assets.length; at++) {
      if (state.kind !== null && assets[at].kind !== state.kind) continue;
      if (state.words.every((word) => lowered[at].includes(word))) found.push(at);
    }
    drawn.clear();
    inner.replaceChildren();
    cards.scrollTop = 0;
    draw();
    const left = gallery.left_out ? `, ${counted(gallery.left_out, "thumbnail", "thumbnails")} left out` : "";
    find("gallery-shown").textContent = `${count(found.length)} of ${counted(assets.length, "asset", "assets")}${left}`;
  }

  /** Shows one asset. */
  function open(asset) {
    const rows = [["Package", asset.package], ["Object", asset.object], ["Class", asset.class], ["What it is", asset.facts]];
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(...(asset.picture ? [image(asset)] : []),
      element("h3", { id: "asset-name" }, visible(asset.object)),
      element("dl", {}, ...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, visible(text))])),
      close);
    dialog.showModal();
  }

  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  cards.addEventListener("keydown", (event) => {
    const at = Number(event.target.dataset.at);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || Number.isNaN(at) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(at + step, found.length - 1));
    const { stepY, top, scale } = draw();
    const start = Math.floor(next / across) * stepY;
    if (start < top) cards.scrollTop = start * scale;
    else if (start + stepY + CARD.gap > top + cards.clientHeight) cards.scrollTop = (start + stepY + CARD.gap - cards.clientHeight) * scale;
    draw();
    drawn.get(next)?.focus({ preventScroll: true });
  });

  search.addEventListener("input", () => {
    state.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    update();
  });
  cards.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(cards);
  update();
}
