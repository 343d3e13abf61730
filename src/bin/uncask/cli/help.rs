//! The command line with help that fits any terminal.

use clap::Command;

/// A space at which no line ends.
const NO_BREAK: char = '\u{A0}';
/// Length of a paragraph that is a single line everywhere, in bytes.
const SHORT: usize = 60;

/// Commands whose paragraphs below the options are single lines, which are broken where the terminal ends.
pub(super) fn with_paragraphs(command: Command) -> Command {
    let command = command.mut_subcommands(with_paragraphs);
    match command.get_after_help().map(ToString::to_string) {
        Some(text) => command.after_help(paragraphs(&text)),
        None => command,
    }
}

/// Joins the lines of each paragraph, whose last two words stay together. Headings and indented lines, such as those of
/// examples, stay as they are.
fn paragraphs(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
    let (mut joined, mut before) = (String::with_capacity(text.len()), "");
    for line in text.lines() {
        if !joined.is_empty() {
            joined.push(if is_prose(before) && is_prose(line) { ' ' } else { '\n' });
        }
        joined.push_str(line);
        before = line;
    }
    let no_lone_word = |line: &str| match line.rsplit_once(' ') {
        Some((start, last)) if is_prose(line) && line.len() > SHORT => format!("{start}{NO_BREAK}{last}"),
        _ => line.to_owned(),
    };
    joined.lines().map(no_lone_word).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_examples_stay() {
        let long = "One sentence that is so long that some terminals break it, wherever they\nend.";
        let joined = "One sentence that is so long that some terminals break it, wherever they\u{A0}end.";
        assert_eq!(paragraphs(long), joined);
        let text = "Examples:\n  uncask a\n  uncask b\n\nOne sentence that\ncontinues.\n\nAnother.";
        let expected = "Examples:\n  uncask a\n  uncask b\n\nOne sentence that continues.\n\nAnother.";
        assert_eq!(paragraphs(text), expected);
    }
}
