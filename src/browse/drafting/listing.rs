//! A draft, as the page shows it.

use super::draft::Draft;
use crate::game::{CodeChangeOf, Recipe, RecipeChange, RuleChange};
use serde::Serialize;
use serde_json::Value as Json;

/// Changes that are listed of each kind.
const LISTED: usize = 1000;

/// The changes of a draft.
#[derive(Debug, Serialize)]
pub(in crate::browse) struct DraftListing {
    name: Option<String>,
    /// Number of changes; not all may be listed.
    total: usize,
    changes: Vec<Line>,
    can_undo: bool,
    can_redo: bool,
}

/// A change.
#[derive(Debug, Serialize)]
struct Line {
    kind: &'static str,
    /// Position among those of its kind.
    at: usize,
    /// The package or file; of several, and of patterns, as they are written.
    of: String,
    /// Address of the value, name of the object, or key of the text.
    what: String,
    /// The change in a word.
    action: &'static str,
    from: Option<String>,
    to: Option<String>,
    /// Culture and namespace of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_of: Option<[String; 2]>,
}

impl DraftListing {
    pub(in crate::browse) fn new(draft: &Draft) -> Self {
        let recipe = draft.recipe();
        let Recipe { name, changes, pictures, texts, code, files } = &**recipe;
        let values = changes.iter().enumerate().take(LISTED).map(|(at, change)| value_line(at, change));
        let pictures_of = pictures.iter().enumerate().take(LISTED).map(|(at, picture)| Line {
            kind: "picture",
            at,
            of: picture.package.clone(),
            what: picture.object.clone().unwrap_or_default(),
            action: "replace",
            from: None,
            to: picture.file.file_name().map(|name| name.to_string_lossy().into_owned()),
            text_of: None,
        });
        let texts_of = texts.iter().enumerate().take(LISTED).map(|(at, text)| Line {
            kind: "text",
            at,
            of: text.file.clone(),
            what: text.key.clone(),
            action: "set",
            from: text.from.clone(),
            to: Some(text.set.clone()),
            text_of: Some([text.culture.clone(), text.namespace.clone()]),
        });
        let code_of = code.iter().enumerate().take(LISTED).map(|(at, code)| code_line(at, &code.change));
        let files_of = files.iter().enumerate().take(LISTED).map(|(at, folder)| Line {
            kind: "files",
            at,
            of: folder.display().to_string(),
            what: String::new(),
            action: "add",
            from: None,
            to: None,
            text_of: None,
        });
        Self {
            name: name.clone(),
            total: changes.len() + pictures.len() + texts.len() + code.len() + files.len(),
            changes: values.chain(pictures_of).chain(texts_of).chain(code_of).chain(files_of).collect(),
            can_undo: draft.can_undo(),
            can_redo: draft.can_redo(),
        }
    }
}

fn value_line(at: usize, change: &RecipeChange) -> Line {
    let (action, to) = match &change.change {
        RuleChange::Set(text) => ("set", Some(text.clone())),
        RuleChange::Multiply(factor) => ("multiply", Some(factor.to_string())),
        RuleChange::Add(summand) => ("add", Some(summand.to_string())),
        RuleChange::Append(items) => {
            let item = |(key, text): &(Option<String>, String)| match key {
                Some(key) => format!("{key}: {text}"),
                None => text.clone(),
            };
            ("append", Some(items.iter().map(item).collect::<Vec<_>>().join(", ")))
        }
        RuleChange::Remove => ("remove", None),
        RuleChange::RemoveValues(values) => ("remove", Some(Json::from(values.clone()).to_string())),
    };
    let from = change.from.as_ref().map(|from| match from {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    });
    let (of, what) = (change.packages.join(", "), change.property.clone());
    Line { kind: "value", at, of, what, action, from, to, text_of: None }
}

fn code_line(at: usize, change: &CodeChangeOf) -> Line {
    let (of, what, action, from, to) = match change {
        CodeChangeOf::Listing(path) => (path.display().to_string(), String::new(), "assemble", None, None),
        CodeChangeOf::Constant { package, at, from, set } => {
            (package.clone(), at.clone(), "set", from.clone(), Some(set.clone()))
        }
        CodeChangeOf::NoOp { package, at } => (package.clone(), at.clone(), "remove", None, None),
    };
    Line { kind: "code", at, of, what, action, from, to, text_of: None }
}
