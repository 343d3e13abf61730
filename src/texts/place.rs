//! Culture of a localization file, taken from its folder.

/// Placeholder for the culture in a path.
const CULTURE: &str = "{culture}";

/// The path of a file without its culture.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TextPlace(String);

impl TextPlace {
    /// Splits `…/Localization/Game/de/Game.locres` into the place and `de`. The culture is empty if the folder is not
    /// named after one.
    pub(super) fn split(path: &str) -> (Self, &str) {
        // The file name, its folder, and the rest.
        let mut parts = path.rsplitn(3, '/');
        let (name, folder, above) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let Some(culture) = folder.filter(|folder| is_culture(folder)) else {
            return (Self(path.to_owned()), "");
        };
        let above = above.map_or_else(String::new, |above| format!("{above}/"));
        (Self(format!("{above}{CULTURE}/{name}")), culture)
    }

    /// A place from the text of [`as_str`](Self::as_str).
    pub(super) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of the file for a culture; `None` if the place has no culture.
    pub(super) fn path(&self, culture: &str) -> Option<String> {
        let (before, after) = self.0.rsplit_once(CULTURE)?;
        Some(format!("{before}{culture}{after}"))
    }
}

/// True if a folder has the name of a culture: `de`, `pt-BR`, `zh-Hans-CN`, `es-419`.
fn is_culture(name: &str) -> bool {
    let mut parts = name.split(['-', '_']);
    let is_language =
        |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic());
    let is_more =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    // A language of two or three letters, then perhaps script, region and variant.
    parts.next().is_some_and(is_language) && parts.all(is_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_says_which_culture_it_is() {
        for (path, place, culture) in [
            ("A/Localization/Game/de/Game.locres", "A/Localization/Game/{culture}/Game.locres", "de"),
            ("zh-Hans-CN/Game.locres", "{culture}/Game.locres", "zh-Hans-CN"),
            ("A/Texts/Game.locres", "A/Texts/Game.locres", ""),
            ("Game.locres", "Game.locres", ""),
            ("", "", ""),
        ] {
            let (found, of) = TextPlace::split(path);
            assert_eq!((found.as_str(), of), (place, culture));
            if !culture.is_empty() {
                assert_eq!(found.path(culture).as_deref(), Some(path));
            }
        }
        assert_eq!(TextPlace::split("A/Texts/Game.locres").0.path("de"), None);
    }
}
