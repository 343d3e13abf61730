// A place in which models are drawn, turned and looked at from near and far.

import { el } from '../dom.js';
import * as THREE from '../vendor/three/three.module.min.js';
import { OrbitControls } from '../vendor/three/OrbitControls.js';

// A canvas with a scene, lights and a camera; null where there is no WebGL, with a text in its place.
export function stage(canvas) {
  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
  } catch {
    canvas.replaceWith(el('p', { class: 'bad' }, 'This browser has no WebGL, which showing models takes.'));
    return null;
  }
  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x667788, 2.2));
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(3, 5, 4);
  scene.add(sun);
  const camera = new THREE.PerspectiveCamera(45, 1, 0.01, 10000);
  const controls = new OrbitControls(camera, canvas);
  // Draws until a signal; `before` is called for each frame.
  const run = (signal, before = () => {}) => renderer.setAnimationLoop(() => {
    if (signal.aborted) {
      renderer.setAnimationLoop(null);
      renderer.dispose();
      return;
    }
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    if (canvas.width !== Math.floor(width * devicePixelRatio)) {
      renderer.setPixelRatio(devicePixelRatio);
      renderer.setSize(width, height, false);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
    }
    before();
    controls.update();
    renderer.render(scene, camera);
    canvas.dataset.drawn = 'yes';
  });
  return { scene, camera, controls, run };
}

export function eachMaterial(model, change) {
  model.traverse((node) => [node.material].flat().filter(Boolean).forEach(change));
}

// The box that all of it is in: bones have no extent of their own.
export function extent(model) {
  model.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(model);
  model.traverse((node) => { if (node.isBone) box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(node.matrixWorld)); });
  return box;
}

// Looks at a box from outside.
export function look(box, { camera, controls }) {
  if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(2, 2, 2));
  const size = Math.max(box.getSize(new THREE.Vector3()).length(), 0.001);
  box.getCenter(controls.target);
  camera.near = size / 100;
  camera.far = size * 100;
  // So far that the ball around the box fits, however tall it is.
  const distance = size / 2 / Math.sin(THREE.MathUtils.degToRad(camera.fov / 2));
  camera.position.copy(controls.target).add(new THREE.Vector3(0.6, 0.45, 0.8).setLength(distance));
  camera.updateProjectionMatrix();
}
