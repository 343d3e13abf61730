//! Folding of names that a file system may treat as equal.
//!
//! | file system | ignored differences |
//! |---|---|
//! | NTFS, exFAT | case, one character for one |
//! | APFS | case, with all foldings (`ß` is `ss`); composed or decomposed accents |
//! | HFS+ | case; composed or decomposed accents; invisible characters |
//! | ext4 and F2FS with `casefold` | all of these |
//!
//! [`fold`] ignores all of these differences, so two names with different foldings are different files
//! everywhere.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// Returns a representative of all names that some file system treats as equal to this one.
pub(super) fn fold(name: &str) -> Cow<'_, str> {
    // Nearly all names are ASCII, where upper case is all that any file system folds.
    if name.is_ascii() {
        return if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            Cow::Owned(name.to_ascii_uppercase())
        } else {
            Cow::Borrowed(name)
        };
    }
    // Neither direction alone finds all: `ſ` and `s` meet only in upper case, `ẞ` and `ß` only in lower case.
    let visible = name.nfd().filter(|c| !is_ignorable(*c));
    let upper = visible.flat_map(char::to_uppercase);
    let folded = upper.flat_map(char::to_lowercase).flat_map(char::to_uppercase);
    // Folding may produce new combinations, so the result is decomposed again.
    Cow::Owned(folded.nfd().collect())
}

/// `Default_Ignorable_Code_Point` of the Unicode Character Database: joiners, direction marks, fillers,
/// selectors, tags.
const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_file_system_takes_for_one() {
        for (a, b) in [
            ("Maps", "mAPS"),
            ("ÄÖ", "äö"),
            ("σας", "ΣΑΣ"),
            ("Straße", "STRASSE"),
            ("ẞ", "ß"),
            ("ſet", "Set"),
            ("\u{212a}elvin", "kelvin"),
            ("\u{212b}", "å"),
            ("e\u{301}", "É"),
            ("\u{3b1}\u{345}\u{301}", "\u{1fb4}"),
            ("ǆ", "ǅ"),
            ("ﬁ", "FI"),
            ("ɪ\u{200d}x", "ɪx"),
            ("\u{feff}é", "é"),
            ("\u{13f8}", "\u{13f0}"),
            ("\u{10428}", "\u{10400}"),
        ] {
            assert_eq!(fold(a), fold(b), "{a:?}, {b:?}");
        }
    }

    #[test]
    fn names_that_are_different_everywhere() {
        for (a, b) in [("a", "b"), ("a", "ä"), ("o", "0"), ("µ", "m"), ("２", "2"), ("~", "～"), ("œ", "oe")]
        {
            assert_ne!(fold(a), fold(b), "{a:?}, {b:?}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for c in ('\0'..=char::MAX).filter(|c| !is_ignorable(*c)) {
            let once = fold(c.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(fold(&once), once, "{c:?}");
        }
    }
}
