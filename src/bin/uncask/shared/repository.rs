//! The `git` command, its configuration and attributes.

use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Where settings are kept: in a repository, or for all of this user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) global: bool,
}

impl Scope {
    const fn flag(self) -> &'static str {
        if self.global { "--global" } else { "--local" }
    }

    /// Sets a value of the configuration.
    pub(crate) fn set(self, key: &str, value: &str) -> anyhow::Result<()> {
        git(&["config", self.flag(), key, value]).map(drop)
    }

    /// Removes a section of the configuration; returns false if there is none.
    pub(crate) fn remove_section(self, section: &str) -> anyhow::Result<bool> {
        Ok(output(&["config", self.flag(), "--remove-section", section])?.status.success())
    }

    /// The file of attributes.
    pub(crate) fn attributes(self) -> anyhow::Result<PathBuf> {
        if !self.global {
            return Ok(root()?.join(".gitattributes"));
        }
        let set = output(&["config", "--global", "--type=path", "core.attributesFile"])?;
        let set = text_of(&set).filter(|_| set.status.success());
        if let Some(set) = set.filter(|path| !path.is_empty()) {
            return Ok(PathBuf::from(set));
        }
        // Git's own default.
        let home = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let base = home("XDG_CONFIG_HOME")
            .or_else(|| Some(home("HOME").or_else(|| home("USERPROFILE"))?.join(".config")));
        let base = base.context("cannot tell where git keeps this user's attributes: HOME is not set")?;
        Ok(base.join("git/attributes"))
    }
}

/// The top folder of the repository around the current folder.
pub(crate) fn root() -> anyhow::Result<PathBuf> {
    let found = output(&["rev-parse", "--show-toplevel"])?;
    match text_of(&found).filter(|path| found.status.success() && !path.is_empty()) {
        Some(path) => Ok(PathBuf::from(path)),
        None => bail!("not in a git repository; run this inside one, or use --global"),
    }
}

/// Runs git, and returns what it prints; an error if it fails.
pub(crate) fn git(args: &[&str]) -> anyhow::Result<Vec<u8>> {
    let ran = output(args)?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        bail!("git {} failed: {}", args.join(" "), said.trim());
    }
    Ok(ran.stdout)
}

fn output(args: &[&str]) -> anyhow::Result<Output> {
    let ran = Command::new("git").args(args).stdin(Stdio::null()).output();
    ran.context("cannot run git; is it installed, and on PATH?")
}

fn text_of(ran: &Output) -> Option<String> {
    Some(std::str::from_utf8(&ran.stdout).ok()?.trim_end_matches(['\n', '\r']).to_owned())
}

/// A path as a word of a shell command.
pub(crate) fn shell_word(path: &Path) -> String {
    // Git's shell on Windows takes slashes, and would take backslashes for escapes.
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    format!("'{}'", text.replace('\'', "'\\''"))
}
