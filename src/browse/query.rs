//! Syntax of the search field.
//!
//! ```text
//! rock .uasset          both words, anywhere in the path, in any letter case
//! class:Texture2D       the class of the package's main object
//! type:bulk             the type of the chunk
//! container:pakchunk1   the name of the container
//! size:>1M  size:<=4K   uncompressed size
//! calls:Open            blueprints that call a function of this name, or glob
//! code:"if \(Is.*\)"    blueprints with a line of pseudo-code that matches; quotes only where it has spaces
//! changed:added         while two builds are compared: added, removed, changed or moved
//! ```

use crate::game::{Change, CodeQuery};
use crate::wire::Size;

/// A parsed search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Query {
    /// Lower-case words, longest first: it is the rarest, and searched for first.
    pub words: Vec<String>,
    /// Lower-case parts of class names.
    pub classes: Vec<String>,
    /// Lower-case parts of chunk type names.
    pub kinds: Vec<String>,
    /// Lower-case parts of container names.
    pub containers: Vec<String>,
    /// Smallest and largest size.
    pub sizes: Option<(u64, u64)>,
    /// Name of a function that is called.
    pub calls: Option<String>,
    /// Expression for a line of pseudo-code.
    pub code: Option<String>,
    /// Wanted kinds of change; empty for all.
    pub changes: Vec<Change>,
}

/// Values of `changed:`.
const CHANGES: [(&str, Change); 4] = [
    ("added", Change::Added),
    ("removed", Change::Removed),
    ("changed", Change::Changed),
    ("moved", Change::Moved),
];

impl Query {
    /// Parses a search. The error is a message for the user.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut this = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (given, after) = first_word(rest);
            rest = after.trim_start();
            let word = given.to_lowercase();
            match word.split_once(':') {
                // In an expression `\S` is not `\s`.
                Some(("calls", _)) => this.calls = value(given),
                Some(("code", _)) => this.code = value(given),
                Some(("class", class)) => this.classes.push(class.to_owned()),
                Some(("type", kind)) => this.kinds.push(kind.to_owned()),
                Some(("container", name)) => this.containers.push(name.to_owned()),
                Some(("size", size)) => this.add_size(size)?,
                Some(("changed", changes)) => this.add_changes(changes)?,
                // Unknown prefixes are plain words, because paths may contain colons.
                _ => this.words.push(word),
            }
        }
        // `find` searches the text for the first word only, and checks the others in its hits.
        this.words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Ok(this)
    }

    /// The query for code, if there is any. The error is a message for the user.
    pub(super) fn of_code(&self) -> Result<Option<CodeQuery>, String> {
        if self.calls.is_none() && self.code.is_none() {
            return Ok(None);
        }
        let query = CodeQuery::new(self.calls.as_deref(), self.code.as_deref());
        query.map(Some).map_err(|error| error.to_string())
    }

    /// Adds `added`, or `added,moved`; a prefix is enough, so that results appear while the user types.
    fn add_changes(&mut self, text: &str) -> Result<(), String> {
        for part in text.split(',') {
            let meant = CHANGES.iter().filter(|(name, _)| name.starts_with(part)).map(|(_, change)| *change);
            let before = self.changes.len();
            self.changes.extend(meant);
            if self.changes.len() == before {
                let names = CHANGES.map(|(name, _)| name).join(", ");
                return Err(format!("changed:{text} is no change; expected one of {names}"));
            }
        }
        Ok(())
    }

    fn add_size(&mut self, text: &str) -> Result<(), String> {
        let wrong = || format!("size:{text} is no size; expected one such as size:>1M or size:<=64K");
        // The comparison is whatever stands before the first digit.
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
        let (comparison, number) = text.split_at(digits);
        let Size(size) = number.parse().map_err(|_| wrong())?;
        let (least, most) = match comparison {
            ">" => (size.saturating_add(1), u64::MAX),
            ">=" => (size, u64::MAX),
            "<" => (0, size.saturating_sub(1)),
            "<=" => (0, size),
            "" | "=" => (size, size),
            _ => return Err(wrong()),
        };
        // Several sizes narrow the range: `size:>1M size:<2M`.
        let (low, high) = self.sizes.unwrap_or((0, u64::MAX));
        self.sizes = Some((low.max(least), high.min(most)));
        Ok(())
    }
}

/// The first word of a text and the rest. Quotes after `code:` or `calls:` hold words together.
fn first_word(text: &str) -> (&str, &str) {
    let lower = text.get(..6).or_else(|| text.get(..5)).unwrap_or_default().to_lowercase();
    let quote =
        ["code:", "calls:"].iter().find(|prefix| lower.starts_with(**prefix)).map(|prefix| prefix.len());
    let quoted = quote.filter(|at| text.get(*at..).is_some_and(|value| value.starts_with('"')));
    let from = quoted.map_or(0, |at| at + 1);
    let end = text.get(from..).and_then(|value| match quoted {
        Some(_) => Some(value.find('"')? + 1),
        None => value.find(char::is_whitespace),
    });
    // While a closing quote is still to be typed, it is all one word.
    text.split_at_checked(end.map_or(text.len(), |end| from + end)).unwrap_or((text, ""))
}

/// The value after a prefix, without quotes around it; `None` if it is empty.
fn value(word: &str) -> Option<String> {
    let (_, value) = word.split_once(':')?;
    let value = value.strip_prefix('"').map_or(value, |value| value.strip_suffix('"').unwrap_or(value));
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_filters() {
        let query = Query::parse("T_ Rock class:Texture size:>1K size:<=1.5m type:bulk").unwrap();
        assert_eq!(query.words, ["rock", "t_"]);
        assert_eq!((query.classes, query.kinds), (vec!["texture".to_owned()], vec!["bulk".to_owned()]));
        assert_eq!(query.sizes, Some((1025, 1_572_864)));
        assert_eq!(Query::parse("container:pak0").unwrap().containers, ["pak0"]);
        // An unknown prefix is a word: paths may contain colons.
        assert_eq!(Query::parse("a:b").unwrap().words, ["a:b"]);
    }

    #[test]
    fn code_is_searched_by_whole_expressions() {
        let parsed = |text: &str| {
            let query = Query::parse(text).unwrap();
            (query.words, query.calls, query.code)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            parsed(r"BP_ code:\S+Health calls:Open"),
            (vec!["bp_".into()], some("Open"), some(r"\S+Health"))
        );
        assert_eq!(parsed(r#"Code:"if (A" door"#), (vec!["door".into()], None, some("if (A")));
        assert_eq!(parsed(r#"calls:"Take Damage"x"#), (vec!["x".into()], some("Take Damage"), None));
        // As it is typed.
        assert_eq!(parsed(r#"code:"a b"#), (vec![], None, some("a b")));
        assert_eq!(parsed("code: calls:"), (vec![], None, None));
        assert_eq!(parsed("é code:é"), (vec!["é".into()], None, some("é")));
        assert!(Query::parse("code:(").unwrap().of_code().unwrap_err().contains("regular expression"));
        assert!(Query::parse("door").unwrap().of_code().unwrap().is_none());
    }

    #[test]
    fn changes_add_up() {
        let changes = |text: &str| Query::parse(text).map(|query| query.changes);
        assert_eq!(changes("changed:added changed:MOV"), Ok(vec![Change::Added, Change::Moved]));
        assert_eq!(changes("changed:removed,changed"), Ok(vec![Change::Removed, Change::Changed]));
        assert_eq!(changes("changed:").map(|all| all.len()), Ok(4));
        assert!(changes("changed:new").unwrap_err().contains("expected one of added, removed"));
    }

    #[test]
    fn sizes_that_are_none() {
        for text in
            ["size:", "size:big", "size:>1x", "size:>>1", "size:99999999999999999999", "size:1.k", "size:1.é"]
        {
            assert!(Query::parse(text).unwrap_err().contains("expected one such as"), "{text}");
        }
        assert_eq!(Query::parse("size:<0").unwrap().sizes, Some((0, 0)));
        assert!(Query::parse("size:16777216t").is_err(), "more than 64 bits");
    }
}
