//! Heads of blueprint classes.
//!
//! ```text
//! class Zombie_C : Character, BPI_PlayerPawn_C {
//!   component CameraComponent Camera  // attached to CollisionCylinder
//!     component TextRenderComponent TextRender
//!   float Health = 1.0  // replicated
//!   dispatcher OnDeath
//!   default AutoPossessAI = EAutoPossessAI::PlacedInWorld
//! }
//! ```

use super::header::typed;
use super::words;
use crate::bytecode::class::BlueprintClass;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::variable::Variable;
use crate::package::legacy::PackageIndex;
use crate::property::{Member, ReadCause, Scope, Value};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::fmt::Write as _;

/// Length at which a default is cut, in bytes.
const MAX_VALUE: usize = 160;

/// Variable of every blueprint with an event graph, for the engine's own use.
const FRAME: &str = "UberGraphFrame";

/// Flags of variables that are shown (`EPropertyFlags`).
const FLAGS: [(u64, &str); 6] = [
    (0x0000_0000_0000_0020, "replicated"),
    (0x0000_0001_0000_0000, "replication calls OnRep"),
    (0x0001_0000_0000_0000, "exposed on spawn"),
    (0x0000_0000_0100_0000, "in save games"),
    (0x0000_0000_0000_2000, "transient"),
    (0x0000_0000_0000_4000, "config"),
];

impl BlueprintClass {
    /// Returns its head as pseudo-code: parent, interfaces, components, variables and other defaults.
    #[must_use]
    pub fn head(&self, scope: &Scope<'_>, symbols: &Symbols<'_>) -> String {
        let object = |index: PackageIndex| symbols.own_name(index).map(|name| words::identifier(&name));
        let mut text = format!("class {}", words::identifier(&symbols.text(self.name)));
        let parents = std::iter::once(&self.parent).chain(&self.interfaces);
        for (place, parent) in parents.filter_map(|parent| object(*parent)).enumerate() {
            let _ = write!(text, "{}{parent}", if place == 0 { " : " } else { ", " });
        }
        text.push_str(" {\n");
        for component in &self.components {
            let class = object(component.class).unwrap_or_else(|| "?".to_owned());
            let (name, width) = (words::identifier(&component.name), 2 + 2 * component.depth);
            let _ = write!(text, "{:width$}component {class} {name}", "");
            let parent = component.parent.as_ref().filter(|_| component.depth == 0);
            text.extend(parent.map(|parent| format!("  // attached to {}", words::identifier(parent))));
            text.push('\n');
        }
        if let Some(problem) = &self.problem {
            let _ = match &problem.cause {
                ReadCause::NoSchema(_) => writeln!(text, "  // its variables are not known without mappings"),
                _ => writeln!(text, "  // its variables are not known: {problem}"),
            };
        }
        self.write_variables(scope, symbols, &mut text);
        text.push_str("}\n");
        text
    }

    fn write_variables(&self, scope: &Scope<'_>, symbols: &Symbols<'_>, text: &mut String) {
        let components: HashSet<&str> = self.components.iter().map(|component| &*component.name).collect();
        let mut defaults: HashMap<String, Member<'_>> = HashMap::new();
        let mut order = Vec::new();
        if let Some(list) = self.defaults.as_ref().and_then(|object| object.properties.as_ref()) {
            for member in list.members(scope.package) {
                let key = member.name.to_lowercase();
                order.push(key.clone());
                // Of a static array, the first element stands for all.
                defaults.entry(key).or_insert(member);
            }
        }
        for variable in &self.variables {
            let name = symbols.text(variable.name);
            let default = defaults.remove(&name.to_lowercase());
            if name == FRAME || components.contains(&*name) {
                continue;
            }
            let _ = write!(text, "  {}", typed(variable, symbols));
            text.extend(default.map(|member| format!(" = {}", shown(&member, scope))));
            let _ = writeln!(text, "{}", remarks(variable));
        }
        // Variables of parents, in the order of the file.
        for member in order.iter().filter_map(|key| defaults.remove(key)) {
            let name = words::identifier(&member.name);
            if name != FRAME && !name.is_empty() {
                let _ = writeln!(text, "  default {name} = {}", shown(&member, scope));
            }
        }
    }
}

fn remarks(variable: &Variable) -> String {
    let words = FLAGS.iter().filter(|(flag, _)| variable.flags & flag != 0).map(|(_, word)| *word);
    let words: Vec<&str> = words.collect();
    if words.is_empty() { String::new() } else { format!("  // {}", words.join(", ")) }
}

/// Formats a default as pseudo-code does literals, on one line.
fn shown(member: &Member<'_>, scope: &Scope<'_>) -> String {
    // A value recorded as zero: its type says which.
    let Some(value) = member.value else { return "0".to_owned() };
    let line = value.line(scope, MAX_VALUE);
    match value {
        Value::Str(_) | Value::Utf8(_) | Value::Text(_) => words::string(&line),
        Value::Name(_) => words::name(&line),
        _ => line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
    }
}
