// The table: only the rows that are seen exist. However many there are, scrolling costs the same.

import * as client from './client.js';
import { Refused } from './client.js';
import { CHANGES, byId, bytes, el, number, notice, sign, split } from './dom.js';
import * as thumbnails from './thumbnails.js';

// Rows that are asked for at a time, and how many such blocks are kept.
const BLOCK = 200;
const KEPT = 60;
// Browsers cut elements that are higher than some millions of pixels: above this, a pixel of the scroll bar is several of the table.
const HIGHEST = 8000000;
// Size of a tile, in pixels.
const TILE = { width: 168, height: 196 };
const PICTURED = /\.\w*Texture\w*$/;

export class Table {
  constructor({ onOpen, onFound }) {
    this.place = byId('table');
    this.space = el('div', { class: 'space' });
    this.rows = el('div', { class: 'rows', role: 'rowgroup' });
    this.place.append(this.space, this.rows);
    Object.assign(this, { onOpen, onFound, total: 0, cursor: -1, marked: new Set(), shown: new Map(), top: 0 });
    this.place.addEventListener('scroll', () => this.scrolled(), { passive: true });
    this.place.addEventListener('wheel', (event) => this.wheeled(event), { passive: false });
    this.place.addEventListener('keydown', (event) => this.pressed(event));
    this.place.addEventListener('click', (event) => this.clicked(event));
    const head = byId('head');
    new ResizeObserver(() => {
      // The head has no scroll bar.
      head.style.paddingRight = `${10 + this.place.offsetWidth - this.place.clientWidth}px`;
      this.draw();
    }).observe(this.place);
  }

  get isGrid() { return this.place.classList.contains('grid'); }
  get rowHeight() { return this.isGrid ? TILE.height : parseFloat(getComputedStyle(this.place).getPropertyValue('--row')) || 28; }
  // Files beside each other.
  get across() { return this.isGrid ? Math.max(1, Math.floor(this.place.clientWidth / TILE.width)) : 1; }
  get height() { return Math.ceil(this.total / this.across) * this.rowHeight; }
  get perPage() { return Math.max(1, Math.floor(this.place.clientHeight / this.rowHeight) - 1) * this.across; }

  // Tiles with pictures, or lines.
  setGrid(isGrid) {
    const first = Math.floor(this.top / this.rowHeight) * this.across;
    this.place.classList.toggle('grid', isGrid);
    for (const node of this.shown.values()) node.remove();
    this.shown.clear();
    if (!this.blocks) return;
    this.space.style.height = `${Math.min(this.height, HIGHEST)}px`;
    this.goTo(Math.floor(first / this.across) * this.rowHeight);
  }

  // Shows what a search finds.
  async search(search, { path = '', container = '' } = {}) {
    this.waiting?.abort();
    this.waiting = new AbortController();
    const { signal } = this.waiting;
    try {
      const start = performance.now();
      const found = await client.rows(search, 0, BLOCK, signal);
      if (signal.aborted) return;
      Object.assign(this, { searched: search, total: found.total, blocks: new Map([[0, found.rows]]), asked: new Set([0]) });
      this.marked.clear();
      this.cursor = found.rows.findIndex((row) => row.path === path && (!container || row.container === container));
      this.space.style.height = `${Math.min(this.height, HIGHEST)}px`;
      this.place.setAttribute('aria-rowcount', String(found.total));
      this.goTo(0);
      this.onFound({ ...found, took: performance.now() - start });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  row(at) { return this.blocks?.get(Math.floor(at / BLOCK))?.[at % BLOCK]; }

  // What the scroll bar stands for: pixels of the table for each of its own.
  get scale() {
    const view = this.place.clientHeight;
    return this.height <= HIGHEST ? 1 : (this.height - view) / (HIGHEST - view);
  }

  goTo(top) {
    this.top = Math.max(0, Math.min(top, this.height - this.place.clientHeight));
    this.set = Math.round(this.top / this.scale);
    this.place.scrollTop = this.set;
    this.draw();
  }

  scrolled() {
    // Not what `goTo` has set: that knows more than the scroll bar does.
    if (Math.abs(this.place.scrollTop - this.set) > 1) {
      this.set = this.place.scrollTop;
      this.top = this.set * this.scale;
    }
    this.draw();
  }

  wheeled(event) {
    if (this.scale === 1 || event.ctrlKey) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? this.rowHeight : event.deltaMode === 2 ? this.place.clientHeight : 1;
    this.goTo(this.top + event.deltaY * step);
  }

  draw() {
    if (!this.blocks) return;
    const [height, across] = [this.rowHeight, this.across];
    this.space.style.height = `${Math.min(this.height, HIGHEST)}px`;
    const spare = this.isGrid ? 1 : 3;
    const first = Math.max(0, (Math.floor(this.top / height) - spare) * across);
    const last = Math.min(this.total, (Math.ceil((this.top + this.place.clientHeight) / height) + spare) * across);
    for (const [at, node] of this.shown) {
      if (at < first || at >= last || this.rowOf.get(node) !== this.row(at)) {
        node.remove();
        this.shown.delete(at);
      }
    }
    const offset = this.place.scrollTop - this.top;
    for (let at = first; at < last; at += 1) {
      let node = this.shown.get(at);
      if (!node) {
        node = this.node(at);
        this.shown.set(at, node);
        this.rows.append(node);
      }
      node.style.transform = `translate(${(at % across) * TILE.width}px, ${Math.floor(at / across) * height + offset}px)`;
      node.setAttribute('aria-selected', String(at === this.cursor));
      node.classList.toggle('marked', this.marked.has(this.row(at)?.row));
    }
    if (this.cursor >= first && this.cursor < last) this.place.setAttribute('aria-activedescendant', `row-${this.cursor}`);
    else this.place.removeAttribute('aria-activedescendant');
    for (let block = Math.floor(first / BLOCK); block * BLOCK < last; block += 1) this.need(block);
  }

  rowOf = new WeakMap();

  node(at) {
    const row = this.row(at);
    const node = el('div', { class: row ? 'row' : 'row waiting', role: 'row', id: `row-${at}`, 'aria-rowindex': String(at + 1) });
    node.dataset.at = at;
    this.rowOf.set(node, row);
    if (row && this.isGrid) this.fillTile(node, row);
    else if (row) {
      const [folder, file] = split(this.searched.folder ? row.path.slice(this.searched.folder.length) : row.path);
      node.title = row.path;
      const from = row.before && row.before.path !== row.path ? `, before ${row.before.path}` : '';
      if (row.change) node.title = `${CHANGES[row.change].name}: ${row.path}${from}`;
      node.append(
        el('span', { class: 'path', role: 'gridcell' }, row.change ? sign(row.change) : null,
          el('span', { class: 'folder' }, folder), el('span', { class: 'file' }, file)),
        el('span', { class: 'class', role: 'gridcell' }, row.class?.split(/[./]/).pop() ?? row.type.replaceAll('_', ' ')),
        el('span', { class: 'size', role: 'gridcell' }, row.before && row.before.size !== row.size ? `${bytes(row.before.size)} → ${bytes(row.size)}` : bytes(row.size)),
        el('span', { class: 'container', role: 'gridcell' }, row.container),
      );
    }
    return node;
  }

  fillTile(node, row) {
    node.title = row.path;
    const isPicture = PICTURED.test(row.class ?? '');
    const image = el('img', { alt: '', decoding: 'async' });
    const kind = row.class?.split(/[./]/).pop() ?? row.type.replaceAll('_', ' ');
    node.append(el('span', { class: 'picture', role: 'gridcell' }, isPicture ? image : kind),
      el('span', { class: 'file', role: 'gridcell' }, row.change ? sign(row.change) : null, split(row.path)[1]),
      el('span', { class: 'soft', role: 'gridcell' }, bytes(row.size)));
    // Once the tile is in the page.
    if (isPicture) queueMicrotask(() => thumbnails.show(image, row.row));
  }

  async need(block) {
    if (this.asked.has(block)) return;
    this.asked.add(block);
    const { searched, blocks, asked } = this;
    // What is scrolled past quickly is not asked for.
    await new Promise((done) => { setTimeout(done, 40); });
    const height = this.rowHeight * BLOCK / this.across;
    const isSeen = this.top < (block + 2) * height && this.top + this.place.clientHeight > (block - 1) * height;
    if (searched !== this.searched || !isSeen) {
      asked.delete(block);
      if (searched === this.searched) this.draw();
      return;
    }
    try {
      const found = await client.rows(searched, block * BLOCK, BLOCK, this.waiting.signal);
      blocks.set(block, found.rows);
      while (blocks.size > KEPT) {
        const [oldest] = blocks.keys();
        blocks.delete(oldest);
        asked.delete(oldest);
      }
    } catch (error) {
      asked.delete(block);
      if (error instanceof Refused) notice(error.message);
      return;
    }
    this.draw();
  }

  // Moves the cursor and keeps it in sight.
  moveTo(at) {
    if (!this.total) return;
    this.cursor = Math.max(0, Math.min(at, this.total - 1));
    const start = Math.floor(this.cursor / this.across) * this.rowHeight;
    const end = start + this.rowHeight - this.place.clientHeight;
    if (start < this.top) this.goTo(start);
    else if (end > this.top) this.goTo(end);
    else this.draw();
  }

  pressed(event) {
    const beside = this.isGrid ? { ArrowLeft: -1, ArrowRight: 1 } : {};
    const steps = { ...beside, ArrowDown: this.across, ArrowUp: -this.across, PageDown: this.perPage, PageUp: -this.perPage, Home: -this.total, End: this.total };
    if (event.key in steps) {
      this.moveTo(this.cursor + steps[event.key]);
      if (this.isDetailShown?.()) this.openSoon();
    } else if (event.key === 'Enter') this.open(this.cursor);
    else if (event.key === ' ') this.mark(this.cursor);
    else return;
    event.preventDefault();
  }

  openSoon() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.open(this.cursor), 150);
  }

  clicked(event) {
    const at = Number(event.target.closest('.row')?.dataset.at ?? -1);
    if (at < 0) return;
    this.moveTo(at);
    if (event.ctrlKey || event.metaKey) this.mark(at);
    else this.open(at);
  }

  open(at) {
    const row = this.row(at);
    if (row) this.onOpen(row);
  }

  mark(at) {
    const row = this.row(at);
    if (!row) return;
    if (!this.marked.delete(row.row)) this.marked.add(row.row);
    this.draw();
    notice(this.marked.size ? `${number(this.marked.size)} selected` : '', true);
  }
}
