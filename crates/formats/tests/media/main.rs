//! Sounds, meshes, skeletons and animations of the corpus, compared with what an independent reader found in them.

mod animations;
mod files;
mod gltf;
mod hostile;
mod meshes;
mod sounds;
