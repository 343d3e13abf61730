//! `uncask scripts`: the native objects that packages refer to.

use crate::args::ScriptsArgs;
use crate::exit::{self, Exit};
use crate::printer;
use crate::session::Session;
use serde::Serialize;
use uncask::container::script_objects::{ScriptObject, ScriptObjects};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    generation: String,
    objects: Vec<ObjectRow>,
}

/// One native object.
#[derive(Serialize)]
pub(super) struct ObjectRow {
    /// Full path; absent if the objects around it are not there, or lead in a circle.
    pub path: Option<String>,
    /// What packages refer to it by.
    pub index: String,
    /// Whether it is certainly a class: it has a class default object.
    pub is_class: bool,
    /// Of a class default object and everything in it: the class.
    pub default_of: Option<String>,
    /// Why it has no path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

pub(crate) fn run(args: &ScriptsArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open(&args.store)?;
    session.warn_of_locks(&store);
    let Some(scripts) = store.script_objects(session.memory())? else {
        session.printer.error("no container has script objects: they are in global.utoc");
        return Ok(exit::nothing_found(&store));
    };
    let objects: Vec<ObjectRow> = scripts.iter().map(|object| ObjectRow::new(&scripts, object)).collect();
    let broken = objects.iter().filter(|row| row.problem.is_some()).count();
    if session.printer.json {
        let generation = format!("{:?}", scripts.generation);
        printer::print_json(&Report { schema: "uncask.scripts/1", generation, objects })?;
    } else {
        let mut out = printer::out();
        for row in &objects {
            writeln!(out, "{}", row.path.as_ref().unwrap_or(&row.index))?;
        }
        out.flush()?;
    }
    if broken > 0 {
        let number = printer::counted(broken as u64, "object has", "objects have");
        session.printer.error(&format!("{number} no path: an outer object is damaged"));
        return Ok(Exit::Failed);
    }
    Ok(exit::of_store(&store))
}

impl ObjectRow {
    pub(super) fn new(scripts: &ScriptObjects, object: &ScriptObject) -> Self {
        let path = scripts.path(object);
        let default_of = (!object.default_of.is_null()).then_some(object.default_of);
        Self {
            index: object.index.to_string(),
            is_class: scripts.is_class(object.index),
            default_of: default_of.map(|class| scripts.path_of(class).unwrap_or_else(|| class.to_string())),
            problem: path.as_ref().err().map(ToString::to_string),
            path: path.ok(),
        }
    }
}
