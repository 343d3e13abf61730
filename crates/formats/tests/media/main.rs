//! Sounds, meshes, skeletons and animations of the corpus, compared with what an independent reader found in them.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#[cfg(test)]
mod acl;
#[cfg(test)]
mod animations;
#[cfg(test)]
mod astc;
#[cfg(test)]
mod files;
#[cfg(test)]
mod gltf;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod meshes;
#[cfg(test)]
mod nanite;
#[cfg(test)]
mod releases;
#[cfg(test)]
mod sounds;
#[cfg(test)]
mod source_meshes;
#[cfg(test)]
mod validator;
