//! Reads levels.

use super::level::{Level, LevelComponent};
use super::places::{place_all, relative};
use super::sockets::Sockets;
use super::templates::Templates;
use crate::asset::Transform;
use crate::level::{LevelContents, Link};
use crate::package::legacy::Export;
use crate::property::Object;
use crate::values::each::PackageJob;
use crate::values::loaded::Loaded;

/// Templates and sockets that the levels of a job share.
#[derive(Default)]
pub(crate) struct LevelReader {
    templates: Templates,
    sockets: Sockets,
}

impl LevelReader {
    /// Reads the level of a package; `None` if it has none. `note` gets each actor and component that was read.
    pub(crate) fn read(
        &self,
        job: &PackageJob,
        loaded: &Loaded,
        note: &dyn Fn(&Export, &Object),
    ) -> Option<Level> {
        let scope = job.scope(loaded);
        let contents = LevelContents::read(&scope, note)?;
        let mut level = Level {
            package: scope.name().to_owned(),
            entries: contents.entries,
            streamed: contents.streamed,
            unread: contents.unread,
            ..Level::default()
        };
        let missing = &mut level.missing_templates;
        for mut actor in contents.actors {
            self.templates.complete(job, (&mut actor.values, actor.template.as_ref()), missing);
            level.actors.push(actor);
        }
        for mut component in contents.components {
            self.templates.complete(job, (&mut component.values, component.template.as_ref()), missing);
            let relative = relative(&component.values.place);
            level.components.push(LevelComponent { component, relative, place: relative });
        }
        let sockets: Vec<Transform> =
            level.components.iter().map(|component| self.socket(job, &level.components, component)).collect();
        place_all(&mut level.components, &sockets);
        for (component, socket) in level.components.iter_mut().zip(sockets) {
            component.relative = component.relative.within(&socket);
        }
        // An actor that stands for a level has its place.
        for streamed in &mut level.streamed {
            let actor = streamed.actor.and_then(|actor| level.actors.get(actor));
            let root = actor.and_then(|actor| level.components.get(actor.root?));
            if let Some(root) = root {
                streamed.place = Some(root.place);
            }
        }
        Some(level)
    }

    /// The place in its parent that a component is attached to.
    fn socket(&self, job: &PackageJob, all: &[LevelComponent], of: &LevelComponent) -> Transform {
        let parent = of.component.parent.and_then(|parent| all.get(parent));
        let mesh = parent.and_then(|parent| match &parent.component.values.mesh.mesh {
            Some(Link(mesh)) => mesh.as_ref(),
            None => None,
        });
        let name =
            of.component.values.place.socket.as_deref().filter(|name| !name.eq_ignore_ascii_case("None"));
        let found = mesh.zip(name).and_then(|(mesh, name)| self.sockets.find(job, mesh, name));
        found.unwrap_or(Transform::IDENTITY)
    }
}
