//! The `git` command, its configuration and attributes.

use anyhow::{Context as _, bail};
use std::io::Write as _;
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

/// A version of a file in conflict: 1 the base, 2 ours, 3 theirs; `None` if there is none.
pub(crate) fn stage(path: &Path, number: u8) -> anyhow::Result<Option<Vec<u8>>> {
    // Relative to the current folder, with the slashes that git has.
    let slashed = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let ran = output(&["cat-file", "blob", &format!(":{number}:./{slashed}")])?;
    Ok(ran.status.success().then_some(ran.stdout))
}

/// Passes a file through a filter of Git LFS, as git's configuration has it: `smudge` fetches what a pointer stands for, `clean`
/// stores a file and returns its pointer.
pub(crate) fn lfs_filter(name: &str, path: &str, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let set = output(&["config", "--get", &format!("filter.lfs.{name}")])?;
    let command = text_of(&set).filter(|text| set.status.success() && !text.is_empty());
    let command = command.with_context(|| format!("{path} is in Git LFS, which is not installed here"))?;
    let command = command.replace("%f", &shell_word(Path::new(path)));
    // As an alias, the command runs in git's own shell, which there is on Windows, too.
    let alias = format!("alias.uncask-filter=!{command}");
    let mut child = Command::new("git")
        .args(["-c", &alias, "uncask-filter"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .context("cannot run git; is it installed, and on PATH?")?;
    let mut stdin = child.stdin.take().context("git takes no input")?;
    // On a thread of its own: the filter may write before it has read all.
    let feed = std::thread::spawn(move || stdin.write_all(&bytes));
    let ran = child.wait_with_output()?;
    let is_fed = feed.join().is_ok_and(|fed| fed.is_ok());
    if !ran.status.success() || !is_fed {
        bail!("the filter `{name}` of Git LFS failed: {path}");
    }
    Ok(ran.stdout)
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

/// Paths of the files that contain one of some texts, in any letter case: of a version, or of the work tree.
pub(crate) fn found_by_grep<'t>(
    texts: impl Iterator<Item = &'t String>,
    version: Option<&str>,
    paths: &[&str],
) -> anyhow::Result<Vec<String>> {
    let mut patterns = tempfile::NamedTempFile::new()?;
    for text in texts {
        writeln!(patterns, "{text}")?;
    }
    let file = patterns.path().to_string_lossy();
    let mut args = vec!["grep", "-l", "-z", "-i", "-F", "--full-name", "-f", &*file];
    args.extend(version);
    args.push("--");
    args.extend(paths);
    let ran = output(&args)?;
    // 1 stands for nothing found.
    if !matches!(ran.status.code(), Some(0 | 1)) {
        bail!("git grep failed: {}", String::from_utf8_lossy(&ran.stderr).trim());
    }
    let prefix = version.map(|version| format!("{version}:")).unwrap_or_default();
    let text = String::from_utf8_lossy(&ran.stdout);
    let found = text.split('\0').filter(|path| !path.is_empty());
    Ok(found.map(|path| path.strip_prefix(&prefix).unwrap_or(path).to_owned()).collect())
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
