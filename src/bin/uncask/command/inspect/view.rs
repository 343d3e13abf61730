//! What was read, for people and for programs.

use super::classic::ClassicView;
use super::containers::{HeaderView, ScriptsView};
use super::legacy::LegacyView;
use super::registry::RegistryView;
use super::shaders::ShadersView;
use super::texts::{self, TextsView};
use super::types::TypesView;
use super::zen::ZenView;
use crate::command::info::Description;
use crate::printer::{Out, count, counted};
use crate::text;
use serde::{Serialize, Serializer};
use uncask::localization::LocalizationMeta;
use uncask::package::Section;

/// What was read of something.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum View {
    /// A zen package.
    Zen(Box<ZenView>),
    /// A legacy package.
    Legacy(Box<LegacyView>),
    /// A classic package.
    Classic(Box<ClassicView>),
    /// Containers.
    Containers(Vec<Description>),
    /// A container header.
    Header(Box<HeaderView>),
    /// Script objects.
    Scripts(Box<ScriptsView>),
    /// A shader library.
    Shaders(Box<ShadersView>),
    /// An asset registry.
    Registry(Box<RegistryView>),
    /// Texts of a language.
    Texts(Box<TextsView>),
    /// Which languages there are.
    TextsMeta(Box<LocalizationMeta>),
    /// Type mappings.
    Types(Box<TypesView>),
    /// Nothing, for it has no structure of its own.
    Opaque,
    /// Nothing, for it is not known what it is, or it could not be read at all.
    Unread,
    /// Something that is not known.
    Unknown {
        /// Its first bytes, as hex.
        first_bytes: String,
    },
}

impl View {
    /// Something that is not known.
    pub(super) fn unknown(bytes: &[u8]) -> Self {
        Self::Unknown { first_bytes: hex::encode(bytes.get(..32).unwrap_or(bytes)) }
    }

    /// Prints it for people.
    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        match self {
            Self::Zen(view) => view.print(out),
            Self::Legacy(view) => view.print(out),
            Self::Classic(view) => view.print(out),
            Self::Containers(containers) => {
                containers.iter().try_for_each(|container| crate::command::info::print(container, out))
            }
            Self::Header(view) => view.print(out),
            Self::Scripts(view) => view.print(out),
            Self::Shaders(view) => view.print(out),
            Self::Registry(view) => view.print(out),
            Self::Texts(view) => view.print(out),
            Self::TextsMeta(meta) => texts::print_meta(meta, out),
            Self::Types(view) => view.print(out),
            Self::Opaque | Self::Unread => Ok(()),
            Self::Unknown { first_bytes } => line(out, "first bytes", first_bytes),
        }
    }
}

/// An object that a package refers to.
#[derive(Serialize)]
pub(super) struct Reference {
    /// Its full path, if that is known; absent for packages in import lists that do not name them.
    pub path: Option<String>,
    /// How the path is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The package it should be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The number in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

impl Reference {
    /// A path that needs no evidence.
    pub(super) const fn plain(path: Option<String>) -> Self {
        Self { path, evidence: None, problem: None, package: None, index: None }
    }

    /// For people: the path, or why there is none.
    pub(super) fn shown(&self) -> String {
        match (&self.path, &self.problem) {
            (Some(path), _) => path.clone(),
            (None, Some(problem)) => {
                let index = self.index.as_deref().unwrap_or_default();
                let place = self.package.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
                format!("unresolved {index}{place}: {problem}")
            }
            (None, None) => "a package".to_owned(),
        }
    }
}

/// One line of a summary.
pub(super) fn line(out: &mut Out, name: &str, value: &str) -> anyhow::Result<()> {
    hanging(out, &format!("  {name:<13} "), value)
}

/// A text after a label. What a terminal has no room for goes on in the next line, below the text.
fn hanging(out: &mut Out, label: &str, value: &str) -> anyhow::Result<()> {
    let value = text::printable(value);
    let indent = text::width(label);
    let Some(room) = out.width().map(|width| width.saturating_sub(indent).max(LEAST_ROOM)) else {
        return Ok(writeln!(out, "{label}{value}")?);
    };
    for (at, line) in text::wrap(&value, room).into_iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        writeln!(out, "{label:<indent$}{line}")?;
    }
    Ok(())
}

/// Columns for a text, however long the label before it is.
const LEAST_ROOM: usize = 20;

/// A titled, numbered list; nothing if it is empty.
pub(super) fn list(out: &mut Out, title: &str, items: impl Iterator<Item = String>) -> anyhow::Result<()> {
    for (at, item) in items.enumerate() {
        if at == 0 {
            writeln!(out, "{title}")?;
        }
        hanging(out, &format!("  [{at}] "), &item)?;
    }
    Ok(())
}

/// Entries of a long list that people are shown.
const SHOWN: usize = 100;

/// A titled, numbered list of `total` items, of which only the front is shown.
pub(super) fn capped(
    out: &mut Out,
    title: &str,
    total: usize,
    items: impl Iterator<Item = String>,
) -> anyhow::Result<()> {
    list(out, title, items.take(SHOWN))?;
    match total.saturating_sub(SHOWN) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  and {} more; --json has them all", count(more as u64))?),
    }
}

/// A list in JSON whose rows are made one by one.
pub(super) struct Sequence<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

/// The parts of a header that were read, in the order of the file.
pub(super) fn sections(sections: &[Section]) -> String {
    let part =
        |section: &Section| format!("{} {:#x}..{:#x}", section.name, section.range.start, section.range.end);
    sections.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// `1 name, 2 imports`: numbers of things, of which one is called so and several so.
pub(super) fn counts(numbers: &[(usize, &str, &str)]) -> String {
    let counted = |(number, one, several): &(usize, &str, &str)| counted(*number as u64, one, several);
    numbers.iter().map(counted).collect::<Vec<_>>().join(", ")
}
