// Meshes, skeletons and animations.

import * as client from '../client.js';
import { el, split } from '../dom.js';
import * as THREE from '../vendor/three/three.module.min.js';
import { GLTFLoader } from '../vendor/three/GLTFLoader.js';
import { eachMaterial, extent, look, stage } from './stage.js';

export async function show(into, files, signal) {
  const canvas = el('canvas', { class: 'model', role: 'img', 'aria-label': 'Model; drag to turn it, scroll to come closer', tabIndex: 0 });
  const facts = el('p', { class: 'soft' });
  const pick = el('select', { 'aria-label': 'Model' }, files.map((file, at) => el('option', { value: String(at) }, split(file.path)[1])));
  const clips = el('select', { 'aria-label': 'Animation', hidden: true });
  const wires = el('button', { type: 'button', 'aria-pressed': 'false' }, 'Wires');
  into.append(el('div', { class: 'tools' }, files.length > 1 ? pick : null, clips, wires), canvas, facts);
  const shown = stage(canvas);
  if (!shown) return;
  const { scene } = shown;
  const clock = new THREE.Clock();
  let [model, mixer] = [null, null];

  const manager = new THREE.LoadingManager();
  manager.setURLModifier(client.addressOf);
  const load = async () => {
    const file = files[Number(pick.value)];
    const found = await new GLTFLoader(manager).loadAsync(file.url);
    if (signal.aborted || files[Number(pick.value)] !== file) return;
    if (model) scene.remove(model);
    model = found.scene;
    scene.add(model);
    // Thin things are looked at from behind, too.
    eachMaterial(model, (material) => { material.side = THREE.DoubleSide; });
    // Without a mesh there is no skin, which would tell the loader that nodes are bones.
    const isSkeleton = !hasMesh(model);
    if (isSkeleton) model.traverse((node) => { if (node !== model) node.isBone = true; });
    facts.textContent = describe(model, found.animations);
    const box = extent(model);
    if (isSkeleton) model.add(new THREE.SkeletonHelper(model));
    mixer = found.animations.length ? new THREE.AnimationMixer(model) : null;
    clips.replaceChildren(...found.animations.map((clip, at) => el('option', { value: String(at) }, clip.name || `Animation ${at}`)));
    clips.hidden = found.animations.length < 2;
    clips.onchange = () => {
      mixer.stopAllAction();
      mixer.clipAction(found.animations[Number(clips.value)]).play();
    };
    if (mixer) clips.onchange();
    look(box, shown);
  };
  const problem = el('p', { class: 'bad', role: 'alert' });
  into.append(problem);
  // What was made before may be gone by now.
  pick.addEventListener('change', async () => {
    problem.textContent = '';
    await load().catch((error) => { if (!signal.aborted) problem.textContent = `This model cannot be shown: ${error.message}`; });
  });
  wires.addEventListener('click', () => {
    const isOn = wires.getAttribute('aria-pressed') !== 'true';
    wires.setAttribute('aria-pressed', String(isOn));
    eachMaterial(model, (material) => { material.wireframe = isOn; });
  });
  await load();
  shown.run(signal, () => mixer?.update(clock.getDelta()));
}

function hasMesh(model) {
  let has = false;
  model.traverse((node) => { has ||= node.isMesh; });
  return has;
}

function describe(model, animations) {
  let [meshes, vertices, triangles, bones] = [0, 0, 0, 0];
  model.traverse((node) => {
    if (node.isBone) bones += 1;
    if (!node.isMesh) return;
    meshes += 1;
    vertices += node.geometry.attributes.position.count;
    triangles += (node.geometry.index?.count ?? node.geometry.attributes.position.count) / 3;
  });
  const parts = meshes ? [`${vertices.toLocaleString('en')} vertices`, `${Math.round(triangles).toLocaleString('en')} triangles`] : [];
  if (bones) parts.push(bones === 1 ? '1 bone' : `${bones} bones`);
  if (animations.length) parts.push(`${animations[0].duration.toFixed(1)} s`);
  return parts.join(' · ');
}
