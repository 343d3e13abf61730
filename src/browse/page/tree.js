// The folders, read as they are opened.

import * as client from './client.js';
import { byId, el, number } from './dom.js';

export class Tree {
  constructor(onChoose) {
    this.place = byId('tree');
    this.onChoose = onChoose;
    this.place.addEventListener('keydown', (event) => this.pressed(event));
  }

  // Reads the folders anew: those of the game, or those with something that changed.
  async load(compared = false) {
    this.compared = compared;
    const all = this.item({ name: compared ? 'All changes' : 'Everything', path: '', files: null, has_folders: false }, 0);
    all.tabIndex = 0;
    const list = el('ul', { role: 'none' }, all);
    this.place.replaceChildren(list);
    this.top = await this.fill(list, '', 0);
    // The way down to where there is something to choose from: Game, then Content.
    let [at, folders] = [list, this.top];
    while (folders?.length) {
      const most = folders.reduce((a, b) => (b.files > a.files ? b : a));
      const item = [...at.children].find((child) => child.dataset.path === most.path);
      if (!most.has_folders || !item) break;
      folders = await this.toggle(item, true);
      at = item.querySelector(':scope > ul');
      if (most.path.split('/').length > 2) break;
    }
    this.choose(this.chosen ?? '');
  }

  async fill(list, folder, depth, after = '') {
    const found = await client.tree(folder, after, this.compared);
    list.append(...found.folders.map((child) => this.item(child, depth)));
    if (found.has_more) {
      const more = el('li', { role: 'none' }, el('button', { class: 'link', type: 'button', onclick: () => {
        more.remove();
        this.fill(list, folder, depth, found.folders.at(-1).path);
      } }, 'More…'));
      list.append(more);
    }
    return found.folders;
  }

  item(folder, depth) {
    const twist = el('span', { class: 'twist', 'aria-hidden': 'true' }, folder.has_folders ? '▸' : '');
    const line = el('div', { class: 'line' }, twist, el('span', { class: 'name' }, folder.name),
      folder.files === null ? null : el('span', { class: 'files' }, number(folder.files)));
    const item = el('li', { role: 'treeitem', tabIndex: -1, 'aria-level': String(depth + 1), 'aria-selected': 'false' }, line);
    line.style.setProperty('--depth', depth);
    line.title = folder.name;
    if (folder.has_folders) item.setAttribute('aria-expanded', 'false');
    item.dataset.path = folder.path;
    item.dataset.depth = depth;
    line.addEventListener('click', (event) => {
      if (event.target === twist) this.toggle(item);
      else this.onChoose(folder.path);
      item.focus();
    });
    return item;
  }

  async toggle(item, opens = item.getAttribute('aria-expanded') !== 'true') {
    if (!item.hasAttribute('aria-expanded')) return null;
    item.setAttribute('aria-expanded', String(opens));
    item.querySelector('.twist').textContent = opens ? '▾' : '▸';
    let list = item.querySelector(':scope > ul');
    if (!opens) list?.remove();
    else if (!list) {
      list = el('ul', { role: 'group' });
      item.append(list);
      const folders = await this.fill(list, item.dataset.path, Number(item.dataset.depth) + 1);
      this.choose(this.chosen ?? '');
      return folders;
    }
    return null;
  }

  choose(path) {
    this.chosen = path;
    for (const item of this.place.querySelectorAll('[role="treeitem"]')) {
      item.setAttribute('aria-selected', String(item.dataset.path === path));
    }
  }

  pressed(event) {
    if (!event.target.matches('[role="treeitem"]')) return;
    const items = [...this.place.querySelectorAll('[role="treeitem"]')];
    const item = event.target.closest('[role="treeitem"]');
    const at = items.indexOf(item);
    const isOpen = item?.getAttribute('aria-expanded') === 'true';
    const to = (other) => other?.focus();
    if (event.key === 'ArrowDown') to(items[at + 1]);
    else if (event.key === 'ArrowUp') to(items[at - 1]);
    else if (event.key === 'Home') to(items[0]);
    else if (event.key === 'End') to(items.at(-1));
    else if (event.key === 'ArrowRight') {
      if (isOpen) to(items[at + 1]);
      else this.toggle(item, true);
    } else if (event.key === 'ArrowLeft') {
      if (isOpen) this.toggle(item, false);
      else to(item.parentElement.closest('[role="treeitem"]'));
    } else if (event.key === 'Enter' || event.key === ' ') this.onChoose(item.dataset.path);
    else return;
    event.preventDefault();
  }
}
