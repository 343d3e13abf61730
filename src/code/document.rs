//! The code of a package as a document.

use super::listing;
use crate::bytecode::{BlueprintClass, Decompiler, Function, FunctionJson, Listing, Symbols};
use crate::package::legacy::PackageIndex;
use crate::property::Scope;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Form of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeForm {
    /// Pseudo-code for people.
    #[default]
    Pseudo,
    /// One line per token, which assembles to the same bytes.
    Listing,
    /// Every token with its operands.
    Json,
}

/// Functions that are wanted; all of them if no name is given.
#[derive(Debug, Clone, Default)]
pub struct FunctionNames(Vec<String>);

impl FunctionNames {
    /// Functions with these names, in any letter case.
    #[must_use]
    pub fn new(names: &[String]) -> Self {
        Self(names.iter().map(|name| name.to_lowercase()).collect())
    }

    /// True if every function is wanted.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, name: &str) -> bool {
        self.is_all() || self.0.contains(&name.to_lowercase())
    }
}

/// The pseudo-code of all functions of a package; empty if there are none.
pub(crate) fn pseudocode(scope: &Scope<'_>) -> String {
    Blueprint::new(scope).document(CodeForm::Pseudo, &FunctionNames::default()).text
}

/// Schema of documents in JSON.
const SCHEMA: &str = "uncask.code/1";

/// The functions and classes of a package.
pub(super) struct Blueprint<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub symbols: Symbols<'s>,
    pub functions: Vec<Function>,
}

/// A document, and how many functions are in it.
#[derive(Debug, Default)]
pub(super) struct CodeDocument {
    pub text: String,
    pub functions: u64,
    /// Functions shown as listings for want of pseudo-code.
    pub unstructured: u64,
}

impl<'s, 'a> Blueprint<'s, 'a> {
    pub(super) fn new(scope: &'s Scope<'a>) -> Self {
        Self { scope, symbols: Symbols::new(scope.package), functions: Function::all(scope) }
    }

    pub(super) fn decompiler(&self) -> Decompiler<'_, 'a> {
        Decompiler::new(self.scope, &self.symbols, &self.functions)
    }

    /// The path of a function, such as `BP_Door_C.Open`.
    pub(super) fn path(&self, function: &Function) -> String {
        let path = PackageIndex::export(function.export).and_then(|index| self.symbols.path(index));
        path.as_deref().unwrap_or_default().to_owned()
    }

    /// The listing of a function, without damage.
    pub(super) fn listing(&self, function: &Function) -> String {
        Listing { script: &function.script, symbols: &self.symbols }.to_string()
    }

    /// Writes the wanted functions; an empty text if there are none.
    pub(super) fn document(&self, form: CodeForm, names: &FunctionNames) -> CodeDocument {
        let wanted = |function: &&Function| names.has(&self.symbols.text(function.name));
        let wanted: Vec<&Function> = self.functions.iter().filter(wanted).collect();
        let mut made = CodeDocument { functions: wanted.len() as u64, ..CodeDocument::default() };
        match form {
            CodeForm::Pseudo => self.pseudocode(&wanted, names.is_all(), &mut made),
            CodeForm::Listing => self.listings(&wanted, &mut made.text),
            CodeForm::Json => made.text = self.json(&wanted),
        }
        made
    }

    /// Heads of classes, each followed by its functions.
    fn pseudocode(&self, wanted: &[&Function], has_heads: bool, made: &mut CodeDocument) {
        let classes = if has_heads { BlueprintClass::all(self.scope) } else { Vec::new() };
        if wanted.is_empty() && classes.is_empty() {
            return;
        }
        let _ = writeln!(made.text, "// {}", one_line(self.scope.name()));
        let decompiler = self.decompiler();
        let function = |function: &Function, made: &mut CodeDocument| {
            let code = decompiler.decompile(function);
            // The bodies of all its events are with these.
            if code.is_empty && function.is_event_graph(self.scope.package) {
                return;
            }
            made.unstructured += u64::from(!code.is_structured);
            let _ = write!(made.text, "\n{}", code.text);
        };
        let mut of_class: HashMap<i32, Vec<&Function>> = HashMap::new();
        for function in wanted {
            of_class.entry(function.class.0).or_default().push(function);
        }
        for class in &classes {
            let _ = write!(made.text, "\n{}", class.head(self.scope, &self.symbols));
            let own = PackageIndex::export(class.export).and_then(|index| of_class.remove(&index.0));
            own.unwrap_or_default().into_iter().for_each(|own| function(own, made));
        }
        // Those of classes without a head, in their order.
        let others = wanted.iter().filter(|function| of_class.contains_key(&function.class.0));
        others.for_each(|other| function(other, made));
    }

    fn listings(&self, wanted: &[&Function], text: &mut String) {
        if wanted.is_empty() {
            return;
        }
        listing::write_package(text, &one_line(self.scope.name()));
        for function in wanted {
            let (path, script) = (one_line(&self.path(function)), &function.script);
            listing::write_function(text, &path, function.export, script.memory_len);
            text.push_str(&self.listing(function));
            if let Some(damage) = &script.damage {
                let _ = writeln!(text, "; the rest is damaged: {damage}");
            }
        }
    }

    fn json(&self, wanted: &[&Function]) -> String {
        #[derive(Serialize)]
        struct Document<'d, F: Serialize> {
            schema: &'static str,
            package: &'d str,
            functions: Vec<F>,
        }
        if wanted.is_empty() {
            return String::new();
        }
        let functions = wanted.iter().map(|function| FunctionJson::new(function, &self.symbols)).collect();
        let document = Document { schema: SCHEMA, package: self.scope.name(), functions };
        // Writing into memory has no errors, and no key is anything but a string.
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// A text without what would end its line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}
