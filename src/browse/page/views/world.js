// A level in three dimensions, with the list of what is in it.

import * as client from '../client.js';
import { el, notice, number } from '../dom.js';
import * as place from '../place.js';
import * as THREE from '../vendor/three/three.module.min.js';
import { GLTFLoader } from '../vendor/three/GLTFLoader.js';
import { link } from './properties.js';
import { eachMaterial, extent, look, stage } from './stage.js';

// Rows of the list that are shown at a time.
const SHOWN = 200;

export async function show(into, { row, signal }) {
  const canvas = el('canvas', { class: 'model', role: 'img', 'aria-label': 'Level; drag to turn it, scroll to come closer, click to choose', tabIndex: 0 });
  const textures = el('button', { type: 'button', 'aria-pressed': 'false' }, 'Textures');
  const all = el('button', { type: 'button', title: 'Look at all of it' }, 'All');
  const facts = el('p', { class: 'soft' });
  const chosen = el('div', { class: 'chosen', role: 'status' });
  const filter = el('input', { type: 'search', placeholder: 'Name or class', 'aria-label': 'Find in this level' });
  const list = el('div', { class: 'scroll' });
  const notes = el('div');
  into.append(el('div', { class: 'tools' }, textures, all), canvas, facts, chosen, notes, el('div', { class: 'tools' }, filter), list);
  const shown = stage(canvas);
  let [model, mark, components] = [null, null, []];

  let chosenPath = null;
  const choose = (component, goes) => {
    chosenPath = component?.ue.path ?? null;
    if (mark) shown?.scene.remove(mark);
    mark = null;
    if (shown && component) {
      const box = extent(component.node);
      if (!box.isEmpty()) {
        mark = new THREE.Box3Helper(box, 0xff8800);
        shown.scene.add(mark);
      }
      if (goes) look(box.isEmpty() ? new THREE.Box3().setFromCenterAndSize(component.at, new THREE.Vector3(4, 4, 4)) : box, shown);
    }
    chosen.replaceChildren(...(component ? describe(component, row) : []));
  };
  const fill = () => {
    const text = filter.value.toLowerCase();
    const found = components.filter(({ name, ue }) => `${name} ${ue.class} ${ue.actor_class}`.toLowerCase().includes(text));
    const line = (component) => el('tr', {},
      el('td', {}, el('button', { class: 'link', type: 'button', onclick: () => choose(component, true) }, component.name)),
      el('td', {}, component.ue.class), el('td', { class: 'mono' }, centimetres(component.at)));
    const rest = found.length > SHOWN ? `${number(found.length - SHOWN)} more: narrow the list down.` : '';
    list.replaceChildren(el('table', {}, el('thead', {}, el('tr', {}, ['Name', 'Class', 'X, Y, Z in cm'].map((title) => el('th', {}, title)))),
      el('tbody', {}, found.slice(0, SHOWN).map(line))), el('p', { class: 'soft' }, rest));
  };

  const load = async (options) => {
    const made = await client.preview(row.row, { form: 'scene', ...options }, signal);
    const said = [...made.problems.map((text) => [text, 'bad']), ...made.notes.map((text) => [text, 'soft'])];
    notes.replaceChildren(...said.map(([text, kind]) => el('p', { class: kind }, text)));
    const file = made.shown.find(({ path }) => /\.glb$/.test(path));
    if (!file) return;
    const manager = new THREE.LoadingManager();
    manager.setURLModifier(client.addressOf);
    const found = await new GLTFLoader(manager).loadAsync(file.url);
    if (signal.aborted) return;
    if (model) shown?.scene.remove(model);
    const isFirst = !model;
    const wasChosen = chosenPath;
    model = found.scene;
    eachMaterial(model, (material) => { material.side = THREE.DoubleSide; });
    // The level has lights of its own, for another way of drawing: those of the page show all of it.
    model.traverse((node) => { if (node.isLight) node.visible = false; });
    model.updateMatrixWorld(true);
    components = [];
    model.traverse((node) => {
      const { ue, name } = node.userData;
      if (ue?.path) components.push({ node, ue, name: name ?? node.name, at: new THREE.Vector3().setFromMatrixPosition(node.matrixWorld) });
    });
    shown?.scene.add(model);
    facts.textContent = summary(model, components);
    choose(components.find(({ ue }) => ue.path === wasChosen) ?? null);
    fill();
    if (shown && isFirst) look(extent(model), shown);
  };

  textures.addEventListener('click', async () => {
    const isOn = textures.getAttribute('aria-pressed') !== 'true';
    textures.setAttribute('aria-pressed', String(isOn));
    await load(isOn ? { detail: 'full' } : {}).catch((error) => { if (!signal.aborted) notice(error.message, true); });
  });
  all.addEventListener('click', () => { if (shown && model) look(extent(model), shown); });
  filter.addEventListener('input', fill);
  // A click that does not turn the level chooses what is there.
  let pressed = null;
  canvas.addEventListener('pointerdown', (event) => { pressed = [event.clientX, event.clientY]; });
  canvas.addEventListener('pointerup', (event) => {
    if (!shown || !model || !pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const box = canvas.getBoundingClientRect();
    const point = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(point, shown.camera);
    let node = ray.intersectObject(model, true)[0]?.object;
    while (node && !node.userData.ue?.path) node = node.parent;
    choose(components.find((component) => component.node === node));
  });
  // Something to look at first, then the meshes as they are.
  await load({ detail: 'rough' });
  shown?.run(signal);
  if (!signal.aborted) await load({});
}

function summary(model, components) {
  let triangles = 0;
  model.traverse((node) => {
    if (node.isMesh) triangles += ((node.geometry.index?.count ?? node.geometry.attributes.position.count) / 3) * (node.count ?? 1);
  });
  return `${number(components.length)} components · ${number(Math.round(triangles))} triangles`;
}

// Of glTF's metres and axes, what the editor shows.
function centimetres({ x, y, z }) {
  return [x, z, y].map((part) => Math.round(part * 100)).join(', ');
}

function describe({ node, ue, name, at }, row) {
  let outer = node.parent;
  while (outer && !outer.userData.ue?.level) outer = outer.parent;
  const level = outer?.userData.ue.level;
  const values = async () => {
    try {
      const { path, container } = level ? await client.find(level) : row;
      place.go({ path, container, view: 'properties', part: ue.path });
    } catch (error) {
      notice(error.message, true);
    }
  };
  const facts = [ue.class, ue.actor_class && `of a ${ue.actor_class}`, `at ${centimetres(at)}`, level && `in ${level}`, ue.missing && 'its mesh is not there'];
  return [
    el('h2', {}, name),
    el('p', { class: 'soft' }, facts.filter(Boolean).join(' · ')),
    el('p', {}, el('button', { type: 'button', onclick: values }, 'Values'), ' ', ue.mesh ? link(ue.mesh.replace(/\..*$/, ''), ue.mesh) : ''),
  ];
}
