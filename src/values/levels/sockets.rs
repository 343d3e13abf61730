//! Sockets and bones that components are attached to.

use crate::asset::skeleton::Bones;
use crate::asset::{self, Asset, Socket, Transform};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::property::Object;
use crate::values::each::PackageJob;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Places by name, in the space of a mesh.
type Named = HashMap<String, Transform>;

/// Sockets and bones of meshes read so far.
#[derive(Default)]
pub(super) struct Sockets(Mutex<HashMap<String, Arc<Named>>>);

impl Sockets {
    /// The place of a socket or bone in the space of its mesh; `None` if there is none.
    pub(super) fn find(&self, job: &PackageJob, mesh: &ObjectPath, name: &str) -> Option<Transform> {
        let key = mesh.to_string().to_lowercase();
        let known = lock(&self.0).get(&key).cloned();
        let found = known.unwrap_or_else(|| {
            let found = Arc::new(read(job, mesh).unwrap_or_default());
            lock(&self.0).insert(key, Arc::clone(&found));
            found
        });
        found.get(&name.to_lowercase()).copied()
    }
}

/// The sockets and bones of a mesh.
fn read(job: &PackageJob, mesh: &ObjectPath) -> Option<Named> {
    let loaded = job.library.other(mesh.package())?;
    let scope = job.scope(&loaded);
    let exports = &loaded.package.exports;
    let is_it = |name: &str| name.eq_ignore_ascii_case(mesh.name());
    let at = exports.iter().position(|export| is_it(&loaded.package.text(export.name).to_string()))?;
    let (export, index) = (exports.get(at)?, PackageIndex::export(u32::try_from(at).ok()?)?);
    let mut sockets = Socket::of_mesh(&scope, index);
    let object = Object::read(&scope, export);
    let mut named = Named::new();
    if let Some(Asset::SkeletalMesh(mesh)) =
        asset::read(&scope, export, &object).and_then(Result::ok).map(|found| found.asset)
    {
        named.extend(of_bones(&mesh.bones));
        // The skeleton has sockets for all its meshes; those of the mesh itself come first.
        let skeleton: Option<PackageIndex> = object.get(&scope, "Skeleton");
        let skeleton = skeleton.and_then(|index| loaded.package.path(index, scope.name()));
        sockets.extend(skeleton.and_then(|path| of_skeleton(job, &path)).unwrap_or_default());
    }
    for socket in sockets {
        let bone = socket.bone.as_deref().unwrap_or_default().to_lowercase();
        let place = named.get(&bone).map_or(socket.place, |bone| socket.place.within(bone));
        named.entry(socket.name.to_lowercase()).or_insert(place);
    }
    Some(named)
}

/// The sockets of a skeleton.
fn of_skeleton(job: &PackageJob, path: &ObjectPath) -> Option<Vec<Socket>> {
    let loaded = job.library.other(path.package())?;
    let mut exports = (0..).zip(&loaded.package.exports);
    let is_it = |name: String| name.eq_ignore_ascii_case(path.name());
    let (at, _) = exports.find(|(_, export)| is_it(loaded.package.text(export.name).to_string()))?;
    Some(Socket::of_mesh(&job.scope(&loaded), PackageIndex::export(at)?))
}

/// Bones in the space of their mesh, in the pose that the mesh was made in.
fn of_bones(bones: &Bones) -> Named {
    let mut places: Vec<Transform> = Vec::with_capacity(bones.0.len());
    for bone in &bones.0 {
        let parent = bone.parent.and_then(|parent| places.get(parent));
        places.push(parent.map_or(bone.pose, |parent| bone.pose.within(parent)));
    }
    bones.0.iter().map(|bone| bone.name.to_lowercase()).zip(places).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
