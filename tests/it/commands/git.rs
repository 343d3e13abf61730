//! `uncask git`: what git itself shows after it.

use super::run::corpus_with;
use crate::support::say;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository in a folder of its own, away from the settings of the machine.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// `None` where there is no git, as under Wine.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        let this = Self { folder };
        if Command::new("git").arg("--version").output().is_err() {
            say("skipped: there is no git");
            return None;
        }
        this.git(&["init", "-q"]);
        this.git(&["config", "user.name", "Tester"]);
        this.git(&["config", "user.email", "tester@example.com"]);
        Some(this)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.path()).env("HOME", self.folder.path());
        command.env_remove("XDG_CONFIG_HOME").env("GIT_CONFIG_NOSYSTEM", "1").env("NO_COLOR", "1");
        command.output().unwrap()
    }

    fn git(&self, args: &[&str]) -> String {
        ok(&self.run("git", args))
    }

    fn uncask(&self, args: &[&str]) -> String {
        ok(&self.run(env!("CARGO_BIN_EXE_uncask"), args))
    }

    fn commit(&self, asset: &Path, name: &str, message: &str) {
        std::fs::write(self.path().join(name), std::fs::read(asset).unwrap()).unwrap();
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
    }

    fn attributes(&self) -> String {
        std::fs::read_to_string(self.path().join(".gitattributes")).unwrap_or_default()
    }
}

fn ok(ran: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}\n{}", text(&ran.stdout), text(&ran.stderr));
    text(&ran.stdout)
}

fn versions() -> Option<Vec<PathBuf>> {
    versions_of("BP_PawnTank")
}

fn versions_of(asset: &str) -> Option<Vec<PathBuf>> {
    let folder = format!("uncooked-projects/history/{asset}");
    let folder = corpus_with(&folder)?.join(folder);
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    Some(found)
}

#[test]
fn git_shows_what_changed_in_an_asset() {
    let (Some(versions), Some(repository)) = (versions(), Repository::new()) else { return };
    for (at, version) in versions.iter().enumerate() {
        repository.commit(version, "BP_PawnTank.uasset", &format!("version {at}"));
    }
    let show = ["log", "-p", "--format=%s", "--", "BP_PawnTank.uasset"];
    assert!(!repository.git(&show).contains("TurnRate"));
    repository.uncask(&["git", "install"]);
    assert_eq!(repository.attributes().lines().last(), Some("*.umap diff=uncask merge=uncask"));
    let log = repository.git(&show);
    for line in ["-  TurnRate = 45", "+  Speed = 700", "+  TurnRate = 120", "+  Health: HealthComponent"] {
        assert!(log.lines().any(|found| found == line), "{line}\n{log}");
    }
    // A commit that only saved the asset again shows nothing.
    let of = |from: &str| log.split_once(from).unwrap().1.split("version").next().unwrap().trim().to_owned();
    assert_eq!(of("version 3"), "", "{log}");
    // From git's cache.
    assert_eq!(repository.git(&show), log);
    // Twice is as once, and what was there stays.
    repository.uncask(&["git", "install"]);
    assert_eq!(repository.attributes().lines().count(), 3);
    repository.uncask(&["git", "uninstall"]);
    assert_eq!(repository.attributes(), "");
    assert!(!repository.git(&show).contains("TurnRate"));
    assert!(!repository.git(&["config", "--list"]).contains("uncask"));
}

/// A repository in which `ours` is checked out and `theirs` is a branch, both made from `base`.
fn branches(repository: &Repository, [base, ours, theirs]: [&Path; 3]) {
    repository.uncask(&["git", "install"]);
    repository.commit(base, "A.uasset", "base");
    repository.git(&["branch", "-M", "main"]);
    repository.git(&["checkout", "-qb", "theirs"]);
    repository.commit(theirs, "A.uasset", "theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit(ours, "A.uasset", "ours");
}

#[test]
fn git_merges_what_two_branches_change_in_an_asset() {
    let (Some(versions), Some(repository)) = (versions_of("BP_ToonTanksGameMode"), Repository::new()) else {
        return;
    };
    branches(&repository, [&versions[1], &versions[0], &versions[2]]);
    repository.git(&["merge", "theirs", "-m", "merged"]);
    // Of the last commit of theirs, which both its parents lack in part.
    let text = repository.uncask(&["text", "A.uasset"]);
    has_line(&text, "  Event ToonTanksGameMode.StartGame");
    has_line(&text, "    then -> CallFunction UserWidget.AddToViewport");
    let merged = std::fs::read(repository.path().join("A.uasset")).unwrap();
    for version in &versions {
        assert_ne!(merged, std::fs::read(version).unwrap());
    }
    // Merged again, there is nothing to do.
    assert!(repository.git(&["merge", "theirs"]).contains("Already up to date"));
}

#[test]
fn what_both_branches_change_stays_a_conflict_until_it_is_decided() {
    let (Some(versions), Some(repository)) = (versions_of("BP_ToonTanksGameMode"), Repository::new()) else {
        return;
    };
    branches(&repository, [&versions[2], &versions[3], &versions[4]]);
    let ran = repository.run("git", &["merge", "theirs"]);
    assert_eq!(ran.status.code(), Some(1));
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    let expected = "A.uasset: 1 conflict, so nothing is written:\n  BP_ToonTanksGameMode:EventGraph.K2Node_Event_3 (K2Node_Event): \
         Pins[then]: each version links it to another pin, and it takes one link\n";
    assert!(told.contains(expected), "{told}");
    let file = || std::fs::read(repository.path().join("A.uasset")).unwrap();
    assert_eq!(file(), std::fs::read(&versions[3]).unwrap(), "that of ours");
    assert!(repository.git(&["status", "--short"]).starts_with("UU A.uasset"));
    for (side, then) in [
        ("ours", "GameOver\n    then -> CallFunction KismetSystemLibrary.PrintString\n"),
        ("theirs", "GameOver\n    then -> CreateWidget\n"),
    ] {
        let ran =
            repository.run(env!("CARGO_BIN_EXE_uncask"), &["git", "resolve", "--prefer", side, "A.uasset"]);
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success() && told.contains("A.uasset: merged; 1 conflict settled:"), "{told}");
        let text = repository.uncask(&["text", "A.uasset"]);
        assert!(text.contains(then), "{text}");
        // What only one of them changes.
        has_line(&text, "    InText: text = Victory!");
        has_line(&text, "    Class: Class<UserWidget> = WBP_StartGameWidget_C");
    }
    repository.git(&["add", "A.uasset"]);
    repository.git(&["commit", "-qm", "merged"]);
    let ran =
        repository.run(env!("CARGO_BIN_EXE_uncask"), &["git", "resolve", "--prefer", "ours", "A.uasset"]);
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.contains("A.uasset: not in conflict, or one version removed it"), "{told}");
    assert_eq!(ran.status.code(), Some(1));
}

/// Fails if a text has no such line.
fn has_line(text: &str, line: &str) {
    assert!(text.lines().any(|found| found == line), "{line}\n{text}");
}

#[test]
fn assets_in_git_lfs_are_merged_as_files() {
    let (Some(versions), Some(repository)) = (versions_of("BP_ToonTanksGameMode"), Repository::new()) else {
        return;
    };
    // Filters as Git LFS has them, with a folder as the server.
    let store = repository.folder.path().join("store");
    std::fs::create_dir(&store).unwrap();
    let store = store.display();
    let clean = format!(
        "cat > {store}/new && id=$(sha256sum < {store}/new | cut -d\" \" -f1) && size=$(wc -c < {store}/new) && \
         mv {store}/new {store}/$id && printf \"version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n\" $id $size"
    );
    let smudge = format!("id=$(sed -n s/^oid.sha256://p) && cat {store}/$id");
    for (name, command) in [("clean", &clean), ("smudge", &smudge)] {
        repository.git(&["config", &format!("filter.lfs.{name}"), command]);
    }
    let lfs = "*.uasset filter=lfs diff=lfs merge=lfs -text\n";
    std::fs::write(repository.path().join(".gitattributes"), lfs).unwrap();
    branches(&repository, [&versions[1], &versions[0], &versions[2]]);
    assert!(repository.git(&["show", "HEAD:A.uasset"]).starts_with("version https://git-lfs"));
    repository.git(&["merge", "theirs", "-m", "merged"]);
    assert!(repository.git(&["cat-file", "blob", "HEAD:A.uasset"]).starts_with("version https://git-lfs"));
    let text = repository.uncask(&["text", "A.uasset"]);
    has_line(&text, "  Event ToonTanksGameMode.StartGame");
}

#[test]
fn versions_that_cannot_be_merged_are_told() {
    let (Some(versions), Some(repository)) = (versions(), Repository::new()) else { return };
    let other = &versions_of("SandboxUtilities").unwrap()[0];
    let file = |path: &Path| path.to_str().unwrap().to_owned();
    let merge = |more: &[&str], theirs: &Path| {
        let [base, ours, theirs] = [&versions[0], &versions[1], theirs].map(&file);
        let args = [&["git", "merge", &base, &ours, &theirs], more].concat();
        repository.run(env!("CARGO_BIN_EXE_uncask"), &args)
    };
    let ran = merge(&["A.uasset", "-o", "out.uasset"], other);
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    let expected = "cannot merge A.uasset: its versions were saved by different releases of the engine, and their data differs in form";
    assert!(told.contains(expected) && ran.status.code() == Some(1), "{told}");
    assert!(!repository.path().join("out.uasset").exists());
    // As JSON.
    let ran = merge(&["-o", "out.uasset", "--json"], &versions[2]);
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&report["schema"], &report["merged"]), (&"uncask.merged-versions/1".into(), &true.into()));
    assert_eq!(report["conflicts"], serde_json::json!({ "listed": [], "total": 0 }));
    assert!(ran.status.success() && repository.path().join("out.uasset").exists());
}

#[test]
fn what_is_no_asset_is_told_in_its_place() {
    let Some(repository) = Repository::new() else { return };
    repository.uncask(&["git", "install"]);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    std::fs::write(repository.path().join("A.uasset"), pointer).unwrap();
    std::fs::write(repository.path().join("B.uasset"), b"no package at all, but long enough to be one")
        .unwrap();
    std::fs::write(repository.path().join("C.umap"), b"").unwrap();
    repository.git(&["add", "-A"]);
    let shown = repository.git(&["diff", "--cached"]);
    for line in ["+(a Git LFS pointer; `git lfs pull` fetches the file)", "+oid sha256:4d7a"] {
        assert!(shown.lines().any(|found| found == line), "{line}\n{shown}");
    }
    assert_eq!(shown.matches("+(not read as an asset: malformed legacy package: ").count(), 2, "{shown}");
}

#[test]
fn all_repositories_of_a_user_can_have_it() {
    let Some(repository) = Repository::new() else { return };
    repository.uncask(&["git", "install", "--global"]);
    let attributes = repository.folder.path().join(".config/git/attributes");
    assert!(std::fs::read_to_string(&attributes).unwrap().contains("*.uasset diff=uncask merge=uncask\n"));
    assert_eq!(repository.attributes(), "");
    assert!(repository.git(&["config", "--global", "diff.uncask.textconv"]).contains("git textconv"));
    assert_eq!(repository.git(&["check-attr", "diff", "X.umap"]).trim(), "X.umap: diff: uncask");
    repository.uncask(&["git", "uninstall", "--global"]);
    assert_eq!(std::fs::read_to_string(&attributes).unwrap(), "");
}

#[test]
fn outside_of_a_repository_it_says_what_to_do() {
    let Some(repository) = Repository::new() else { return };
    std::fs::remove_dir_all(repository.path().join(".git")).unwrap();
    let ran = repository.run(env!("CARGO_BIN_EXE_uncask"), &["git", "install"]);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(!ran.status.success() && said.contains("not in a git repository; run this inside one"), "{said}");
}

/// A repository with two versions of a project: a blueprint that was changed, one that was only saved again, one that was moved,
/// one that was removed, one that was added, and one that is damaged.
fn project(versions: &[PathBuf]) -> Option<Repository> {
    let repository = Repository::new()?;
    std::fs::create_dir_all(repository.path().join("Content")).unwrap();
    let write = |name: &str, version: &Path| {
        std::fs::write(repository.path().join("Content").join(name), std::fs::read(version).unwrap())
            .unwrap();
    };
    write("Changed.uasset", &versions[4]);
    write("Saved.uasset", &versions[2]);
    write("Moved.uasset", &versions[0]);
    write("Removed.uasset", &versions_of("BP_Projectile")?[0]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "one"]);
    write("Changed.uasset", &versions[5]);
    write("Saved.uasset", &versions[3]);
    write("Added.uasset", &versions[1]);
    std::fs::write(repository.path().join("Content/Broken.uasset"), b"no package, but a file of that name")
        .unwrap();
    repository.git(&["mv", "Content/Moved.uasset", "Content/There.uasset"]);
    repository.git(&["rm", "-q", "Content/Removed.uasset"]);
    repository.git(&["add", "-A"]);
    Some(repository)
}

/// Runs a command that finds one asset that cannot be read.
fn run_git(repository: &Repository, args: &[&str]) -> String {
    let ran = repository.run(env!("CARGO_BIN_EXE_uncask"), args);
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn a_review_shows_each_asset_that_differs() {
    let Some(repository) = versions().and_then(|versions| project(&versions)) else { return };
    let run = |args: &[&str]| run_git(&repository, &[&["review"], args].concat());
    let check = |range: &[&str]| {
        let report: serde_json::Value = serde_json::from_str(&run(&[range, &["--json"]].concat())).unwrap();
        let rows = report["assets"].as_array().unwrap();
        let of = |name: &str| rows.iter().find(|row| row["path"] == format!("Content/{name}.uasset"));
        let changed = of("Changed").unwrap();
        assert_eq!((&changed["added"], &changed["removed"]), (&2.into(), &1.into()), "{changed}");
        assert_eq!(changed["sections"], serde_json::json!(["defaults of BP_PawnTank_C"]));
        assert!(of("Saved").is_none());
        assert_eq!(of("Added").unwrap()["change"], "added");
        assert_eq!(of("Removed").unwrap()["change"], "removed");
        assert_eq!(of("There").unwrap()["old_path"], "Content/Moved.uasset");
        assert!(of("Broken").unwrap()["problem"].as_str().unwrap().contains("wrong magic"));
        // The project has none of what the blueprint is made of.
        let missing = of("Added").unwrap()["missing"].as_array().unwrap();
        assert!(missing.iter().any(|name| name == "/Game/Assets/Meshes/SM_TankBase"), "{missing:?}");
        assert_eq!(rows.len(), 5, "{report}");
    };
    check(&[]);
    repository.git(&["commit", "-qm", "two"]);
    check(&["HEAD~1..HEAD"]);
    let text = run(&["HEAD~1..HEAD"]);
    for line in [
        "## 5 assets differ in HEAD~1..HEAD",
        "| `Content/Changed.uasset` | changed | +2 −1 |",
        "-  TurnRate = 45",
        "+  TurnRate = 120",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    run(&["HEAD~1..HEAD", "-o", "review.html"]);
    let page = std::fs::read_to_string(repository.path().join("review.html")).unwrap();
    for part in ["<td class=\"del\">  TurnRate = 45</td>", "<svg role=\"img\"", "Content/Removed.uasset"] {
        assert!(page.contains(part), "{part}");
    }
    let shown = run_git(&repository, &["git", "difftool", "HEAD~1", "--no-open"]);
    let shown = Path::new(shown.trim_end());
    assert_eq!(std::fs::read_to_string(shown).unwrap().replace("HEAD~1", "HEAD~1..HEAD"), page);
    std::fs::remove_dir_all(shown.parent().unwrap()).unwrap();
    let none = repository.uncask(&["review", "HEAD", "--", "Content/Changed.uasset"]);
    assert_eq!(none, "## 0 assets differ in HEAD\n\n");
}

/// A repository with the content of a project, of which an asset was removed, one moved and one replaced.
fn moved() -> Option<Repository> {
    const ASSETS: &str = "Content/_AssemblyStorm/SandboxUtilities";
    let from = corpus_with("mods/drg/editor")?.join("mods/drg/editor");
    let repository = Repository::new()?;
    for entry in walkdir::WalkDir::new(&from).into_iter().map(Result::unwrap) {
        let to = repository.path().join(entry.path().strip_prefix(&from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(to).unwrap();
        } else {
            std::fs::write(to, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "one"]);
    repository.git(&["rm", "-q", &format!("{ASSETS}/Widgets/ISearchable.uasset")]);
    repository.git(&["mv", &format!("{ASSETS}/ReplicatedActor.uasset"), &format!("{ASSETS}/Moved.uasset")]);
    let folder = repository.path().join(ASSETS);
    std::fs::copy(folder.join("SkySphere.uasset"), folder.join("HollowCube.uasset")).unwrap();
    Some(repository)
}

#[test]
fn a_review_tells_what_still_refers_to_what_is_gone() {
    let Some(repository) = moved() else { return };
    let review = |range: &[&str]| -> serde_json::Value {
        let run = repository.run(env!("CARGO_BIN_EXE_uncask"), &[&["review", "--json"], range].concat());
        serde_json::from_str(&ok(&run)).unwrap()
    };
    let check = |report: &serde_json::Value| {
        let row = |path: &str| {
            let path = format!("Content/_AssemblyStorm/SandboxUtilities/{path}.uasset");
            report["assets"].as_array().unwrap().iter().find(|row| row["path"] == path).unwrap().clone()
        };
        // Those whose name tables have the name, but for itself.
        assert_eq!(row("Widgets/ISearchable")["referrers"].as_array().unwrap().len(), 16);
        let moved = row("Moved");
        assert!(moved["old_path"].as_str().unwrap().ends_with("/ReplicatedActor.uasset"));
        let referrers = moved["referrers"].as_array().unwrap();
        assert!(referrers.len() == 5 && referrers.iter().all(|path| path != &moved["path"]), "{moved}");
    };
    check(&review(&["HEAD"]));
    repository.git(&["commit", "-qam", "two"]);
    check(&review(&["HEAD~1..HEAD"]));
    repository.uncask(&["review", "HEAD~1..", "-o", "review.html"]);
    let page = std::fs::read_to_string(repository.path().join("review.html")).unwrap();
    assert!(page.contains("ISearchable.uasset is gone, but others refer to it: Content/"));
    assert!(page.contains("<img src=\"data:image/"));
}
