//! Functions of a package: scripts, parameters and flags.

use super::decode::TableSizes;
use super::dialect::Dialect;
use super::tree::Script;
use super::variable::Variable;
use crate::package::legacy::{Export, Name, Package, PackageIndex};
use crate::property::{Object, Problem, Scope, Value};

/// A function of a blueprint (`UFunction`).
#[doc(alias = "UFunction")]
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Index among the exports.
    pub export: u32,
    /// Name.
    pub name: Name,
    /// Class that owns it.
    pub class: PackageIndex,
    /// Function that it overrides.
    pub overrides: PackageIndex,
    /// Flags (`EFunctionFlags`); `None` if damage hides them.
    pub flags: Option<u32>,
    /// Parameters, return value and local variables, in file order.
    pub variables: Vec<Variable>,
    /// Event graph and offset in it that the function stands for, if recorded (to 4.11).
    pub event: Option<(PackageIndex, i32)>,
    /// Script.
    pub script: Script,
    /// Problem that left parts of the export unread; the script is empty if damage hides it.
    pub problem: Option<Problem>,
}

/// Classes whose objects are functions.
const CLASSES: [&str; 3] = ["Function", "DelegateFunction", "SparseDelegateFunction"];

/// Function flags that are shown.
const FLAGS: [(u32, &str); 16] = [
    (0x0000_0001, "final"),
    (0x0000_0004, "authority only"),
    (0x0000_0008, "cosmetic"),
    (0x0000_0200, "exec"),
    (0x0000_2000, "static"),
    (0x0000_4000, "multicast"),
    (0x0020_0000, "server"),
    (0x0100_0000, "client"),
    (0x0000_0080, "reliable"),
    (0x0002_0000, "public"),
    (0x0004_0000, "private"),
    (0x0008_0000, "protected"),
    (0x0010_0000, "delegate"),
    (0x0400_0000, "event"),
    (0x1000_0000, "pure"),
    (0x4000_0000, "const"),
];

/// The words for function flags (`EFunctionFlags`) that say something to a reader.
pub(crate) fn function_flag_words(flags: u32) -> impl Iterator<Item = &'static str> {
    FLAGS.into_iter().filter(move |(flag, _)| flags & flag != 0).map(|(_, word)| word)
}

/// Name prefix of event graphs.
const EVENT_GRAPH: &str = "ExecuteUbergraph_";

/// `FUNC_BlueprintEvent`.
const EVENT: u32 = 0x0800_0000;

impl Function {
    /// Returns true if an export is a function. Other classes with such names, as that of material functions,
    /// are plain objects.
    #[must_use]
    pub fn is_function(scope: &Scope<'_>, export: &Export) -> bool {
        let class = scope.package.class_path(export);
        // The exact name, not its end: `MaterialFunction` is another class.
        class.rsplit_once('.').is_some_and(|(_, name)| CLASSES.contains(&name))
    }

    /// Returns all functions of a package, in export order.
    #[must_use]
    pub fn all(scope: &Scope<'_>) -> Vec<Self> {
        (0..).zip(&scope.package.exports).filter_map(|(place, _)| Self::read(scope, place)).collect()
    }

    /// Reads the function at an export index; `None` if the export is no function.
    ///
    /// ```no_run
    /// use uncask_formats::bytecode::Function;
    /// use uncask_formats::package::legacy::Package;
    /// use uncask_formats::property::Scope;
    ///
    /// let (header, data) = (std::fs::read("BP_Door.uasset")?, std::fs::read("BP_Door.uexp")?);
    /// let package = Package::parse(&header)?;
    /// let scope = Scope::new(&package, &data, package.header_len(), None);
    /// for function in Function::all(&scope) {
    ///     println!("{} has {} statements", package.text(function.name), function.script.statements.len());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn read(scope: &Scope<'_>, place: u32) -> Option<Self> {
        let export = scope.package.exports.get(place as usize)?;
        if !Self::is_function(scope, export) {
            return None;
        }
        Some(Self::of_object(scope, place, export, &Object::read(scope, export)))
    }

    /// The function that an object is, read from an export of a class of functions.
    pub(super) fn of_object(scope: &Scope<'_>, place: u32, export: &Export, object: &Object) -> Self {
        let tail = &object.tail;
        let bytes: &[u8] = match tail.get("ScriptBytecode") {
            Some(Value::Bytes(bytes)) => bytes,
            _ => &[],
        };
        let memory_len = match tail.get("BytecodeSize") {
            // A negative size is damage, found like any other size that does not fit.
            Some(Value::Int(len)) => u32::try_from(*len).unwrap_or(u32::MAX),
            _ => 0,
        };
        let flags = match tail.get("FunctionFlags") {
            Some(Value::UInt32(flags)) => Some(*flags),
            _ => None,
        };
        // Editors up to 4.11 fill this field; later packages have 0 in it.
        let event = match tail.get("EventGraphCallOffset") {
            Some(Value::Int(at)) => Some((tail.object("EventGraphFunction"), *at)),
            _ => None,
        };
        let sizes = TableSizes::of(scope.package);
        Self {
            export: place,
            name: export.name,
            class: export.outer,
            overrides: tail.object("SuperStruct"),
            flags,
            variables: Variable::of_struct(scope, place, object),
            // Without a graph the offset has no meaning.
            event: event.filter(|(graph, _)| *graph != PackageIndex::NONE),
            script: Script::parse(bytes, memory_len, &Dialect::of(scope), &sizes),
            problem: object.problem.clone(),
        }
    }

    /// Returns words for its flags.
    pub fn flag_words(&self) -> impl Iterator<Item = &'static str> {
        let flags = self.flags.unwrap_or_default();
        function_flag_words(flags)
    }

    /// Returns true if it is an event handled by a blueprint graph.
    #[must_use]
    pub fn is_event(&self) -> bool {
        self.flags.unwrap_or_default() & EVENT != 0
    }

    /// Returns true for an event graph, which has the bodies of events.
    #[must_use]
    pub fn is_event_graph(&self, package: &Package) -> bool {
        package.text(self.name).base.starts_with(EVENT_GRAPH)
    }

    /// Returns parameters and the return value.
    pub fn parameters(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| variable.is_parameter())
    }
}
