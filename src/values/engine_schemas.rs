//! Built-in schemas with their release.

use crate::property::{Schemas, engine_schemas};
use crate::version::{Release, Releases};
use std::collections::HashMap;
use std::sync::Mutex;

/// Built-in schemas of a release.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EngineSchemas {
    pub release: &'static Release,
    pub schemas: &'static Schemas,
}

impl EngineSchemas {
    /// The schemas of some releases, the newest first.
    pub(super) fn among(releases: Releases) -> impl Iterator<Item = Self> {
        let of = |release| Some(Self { release, schemas: engine_schemas(release)? });
        releases.iter().rev().filter_map(of)
    }
}

/// Choices made so far, by the releases that were possible.
#[derive(Debug, Default)]
pub(super) struct Choices(pub(super) Mutex<HashMap<Releases, Option<EngineSchemas>>>);
