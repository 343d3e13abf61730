//! Mount order: decides which container wins when several hold a chunk.
//!
//! The engine gives every container a number, by its folder and name; the highest wins:
//!
//! ```text
//! 4  <Project>/Content/Paks/<Project>-*     the main container
//! 3  below <Project>/Content
//! 2  below Engine/Content
//! 1  below <Project>/Saved
//! 0  anywhere else
//! +100 × (N + 1)   name ends in _N_P; plain _P counts as 0
//! ```
//!
//! On a tie the alphabetically first name wins for IoStore, the last one for paks, and IoStore goes before paks.
//! `global` is mounted before all others. Source: the container fact sheet section 8.2, after the engine's documented
//! behaviour and CUE4Parse.

use std::cmp::Ordering;
use std::path::Path;

/// Position of a container in the mount order; the greater one wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountOrder {
    global: bool,
    is_pak: bool,
    order: u64,
    name: String,
}

impl MountOrder {
    /// The position of a container, from the path of its `.utoc` or `.pak`.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let name = base_name(path);
        let is_pak = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pak"));
        let order = location(path, &name) + patch(&name);
        Self { global: name == "global", is_pak, order, name }
    }

    /// The number the engine compares first.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.order
    }
}

impl MountOrder {
    /// Amount added to [`number`](Self::number) for each patch step.
    const PATCH: u64 = 100;

    /// The position a mod would have inside a game. A mod outside of any game folder counts as copied to `~mods`.
    #[must_use]
    pub fn in_game(path: &Path, paks: &Path) -> Self {
        let own = Self::of(path);
        match path.file_name() {
            Some(name) if own.order.is_multiple_of(Self::PATCH) => Self::of(&paks.join("~mods").join(name)),
            _ => own,
        }
    }

    /// True for a patch, or a mod named like one.
    #[must_use]
    pub const fn is_patch(&self) -> bool {
        self.order >= Self::PATCH
    }

    /// True for the main container of a game.
    #[must_use]
    pub const fn is_main(&self) -> bool {
        self.order % Self::PATCH == 4
    }

    /// True if it surely wins over another. Among equals without a patch suffix the engine's order is not reliable.
    #[must_use]
    pub fn beats(&self, other: &Self) -> bool {
        if self.order == other.order { self.is_patch() && self > other } else { self.order > other.order }
    }

    /// The file name, without extension, needed to win over this one: its own with `_P` or `_N_P` appended.
    #[must_use]
    pub fn name_that_wins(&self, path: &Path) -> String {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        // Drop an old suffix first, with its number, so that names do not grow into `_P_1_P`.
        let plain = stem.len().checked_sub(2).and_then(|at| stem.split_at_checked(at));
        let plain = plain.filter(|(_, end)| end.eq_ignore_ascii_case("_P")).map_or(&*stem, |(front, _)| {
            let number = front.rsplit_once('_').filter(|(_, digits)| digits.parse::<u32>().is_ok());
            number.map_or(front, |(front, _)| front)
        });
        match self.order / Self::PATCH {
            // `_P` adds 100 and `_N_P` adds 100 × (N + 1), so `_N_P` with N = order / 100 is one step above.
            0 => format!("{plain}_P"),
            number => format!("{plain}_{number}_P"),
        }
    }
}

impl Ord for MountOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        // `global` last, as mounted first; then the number; containers before paks on a tie; then the name, ascending
        // for containers, descending for paks.
        let key = |this: &Self| (!this.global, this.order, !this.is_pak);
        let by_name = self.name.cmp(&other.name);
        key(self).cmp(&key(other)).then(if self.is_pak { by_name } else { by_name.reverse() })
    }
}

impl PartialOrd for MountOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Lower-cased file name without `.utoc` and without the `.o` of an optional segment.
fn base_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    // `NAME.o.utoc` is the optional segment of `NAME.utoc` and has its priority.
    stem.strip_suffix(".o").map(str::to_owned).unwrap_or(stem)
}

fn location(path: &Path, name: &str) -> u64 {
    let folders: Vec<String> =
        path.parent().into_iter().flatten().map(|part| part.to_string_lossy().to_lowercase()).collect();
    // The last `Content` counts: a game may lie in a folder of that name.
    let after = |folder: &str| folders.iter().rposition(|part| part == folder);
    let project_of = |at: usize| at.checked_sub(1).and_then(|at| folders.get(at));
    if let Some((at, project)) = after("content").and_then(|at| Some((at, project_of(at)?))) {
        // Only files directly in `Content/Paks` can be the main container; `~mods` and other subfolders have 3.
        let in_paks = folders.len() == at + 2 && folders.last().is_some_and(|last| last == "paks");
        return match project.as_str() {
            "engine" => 2,
            project if in_paks && name.starts_with(&format!("{project}-")) => 4,
            _ => 3,
        };
    }
    u64::from(after("saved").is_some())
}

fn patch(name: &str) -> u64 {
    // Case does not matter to the engine; `base_name` has lowered the name.
    let Some(front) = name.strip_suffix("_p") else { return 0 };
    // `X_P` counts as `X_0_P`; a part that is not a number is just the name.
    let number = front.rsplit_once('_').and_then(|(_, digits)| digits.parse::<u32>().ok());
    100 * (u64::from(number.unwrap_or(0)) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(path: &str) -> u64 {
        MountOrder::of(Path::new(path)).number()
    }

    #[test]
    fn location_and_patch_number_add_up() {
        for (path, expected) in [
            ("/g/MyGame/Content/Paks/MyGame-Windows.utoc", 4),
            ("/g/MyGame/Content/Paks/pakchunk1-Windows.utoc", 3),
            ("/g/MyGame/Content/Paks/~mods/MyGame-x.utoc", 3),
            ("/g/Engine/Content/Paks/x.utoc", 2),
            ("/g/MyGame/Saved/Paks/x.utoc", 1),
            ("/tmp/x.utoc", 0),
            ("/tmp/x_P.utoc", 100),
            ("/tmp/x_0_p.utoc", 100),
            ("/tmp/x_1_P.utoc", 200),
            ("/tmp/x_12_P.utoc", 1300),
            ("/tmp/x_1_P.o.utoc", 200),
            ("/tmp/x_abc_P.utoc", 100),
        ] {
            assert_eq!(number(path), expected, "{path}");
        }
    }

    #[test]
    fn names_that_win() {
        for (other, path, expected) in [
            ("/g/G/Content/Paks/G-Windows.utoc", "out/Mod.utoc", "Mod_P"),
            ("/g/G/Content/Paks/G-Windows_0_P.utoc", "out/Mod_P.utoc", "Mod_1_P"),
            ("/g/G/Content/Paks/G-Windows_1_P.pak", "out/My_Mod_0_p.pak", "My_Mod_2_P"),
        ] {
            let other = MountOrder::of(Path::new(other));
            let paks = Path::new("/g/G/Content/Paks");
            assert!(!MountOrder::in_game(Path::new(path), paks).beats(&other), "{path}");
            let name = other.name_that_wins(Path::new(path));
            assert_eq!(name, expected);
            assert!(MountOrder::in_game(&Path::new(path).with_file_name(name + ".utoc"), paks).beats(&other));
        }
    }

    #[test]
    fn the_winner_is_the_greatest() {
        let mut paths = ["/t/global.utoc", "/t/b.utoc", "/t/a.utoc", "/t/a_P.utoc", "/t/a_2_P.utoc"];
        paths.sort_by_key(|path| std::cmp::Reverse(MountOrder::of(Path::new(path))));
        assert_eq!(paths, ["/t/a_2_P.utoc", "/t/a_P.utoc", "/t/a.utoc", "/t/b.utoc", "/t/global.utoc"]);
    }
}
