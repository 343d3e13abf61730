//! `--help` of everything.

use super::{demo, run, snapshot};

/// All commands, as `--help` lists them.
fn commands() -> Vec<String> {
    let help = run(&demo(), &["--help"]).expect(0).stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names: Vec<String> =
        names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn help_of_every_command() {
    let packed = demo();
    // Without it, one line is missing.
    if cfg!(feature = "catalog") {
        snapshot("help", &packed, &["--help"]);
    }
    for command in ["info", "list", "verify", "unpack", "export", "get", "pack", "report", "bench"] {
        snapshot(&format!("help_{command}"), &packed, &[command, "--help"]);
    }
}

/// First line, usage, arguments, options by what they are for, general options, examples.
#[test]
fn every_help_has_one_form() {
    let packed = demo();
    let commands = commands();
    assert!(commands.len() >= 17, "{commands:?}");
    for command in &commands {
        let help = run(&packed, &[command, "--help"]).expect(0).stdout;
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        let first = help.lines().next().unwrap();
        assert!(first.starts_with(char::is_uppercase) && !first.ends_with('.'), "{first}");
        let order = [
            "Usage: uncask",
            "\nArguments:\n",
            "\nInput:\n",
            "\nOutput:\n",
            "\nSelection:\n",
            "\nGeneral options:\n",
            "\nExamples:\n  uncask ",
        ];
        let places: Vec<usize> = order.iter().filter_map(|part| help.find(part)).collect();
        assert!(places.is_sorted() && places.len() >= 3, "{command}: {places:?} {help}");
        assert!(help.contains(order[0]) && help.contains(order[5]) && help.contains(order[6]), "{help}");
        assert!(!help.contains("\nOptions:\n"), "{help}");
        // An option and what it does are on one line.
        assert!(help.contains("--json           Print JSON to stdout"), "{help}");
        // Arguments without a dash stand among the arguments.
        let after = help.split_once("\nInput:\n").map_or("", |(_, after)| after);
        assert!(!after.lines().any(|line| line.starts_with("  <") || line.starts_with("  [")), "{help}");
    }
}

/// A command that was left out of the build is not offered.
#[test]
fn only_commands_that_are_there_are_listed() {
    assert_eq!(commands().contains(&"catalog".to_owned()), cfg!(feature = "catalog"));
}

#[test]
fn aliases_do_the_same() {
    let packed = demo();
    for (name, alias) in [("list", "ls"), ("get", "cat"), ("unpack", "extract")] {
        let args = |command| match command {
            "get" | "cat" => vec![command, "@/demo.utoc", "Game.ini"],
            "list" | "ls" => vec![command, "@/demo.utoc"],
            _ => vec![command, "@/demo.utoc", "--dry-run", "-o", "@/out"],
        };
        let (by_name, by_alias) = (run(&packed, &args(name)).expect(0), run(&packed, &args(alias)).expect(0));
        assert_eq!(by_name.stdout, by_alias.stdout, "{alias}");
        assert!(!by_name.stdout.is_empty());
    }
}

/// A word that a line had no room for stands alone on the next one.
#[test]
fn no_word_of_a_help_stands_alone() {
    for command in commands() {
        let help = run(&demo(), &[&command, "--help"]).expect(0).stdout;
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            let is_continued = pair[1].starts_with("       ") && pair[0].len() > 80;
            assert!(
                !is_continued || pair[1].split_whitespace().count() > 1,
                "{command}: {}\n{}",
                pair[0],
                pair[1]
            );
        }
    }
}

/// True for an example of another program that reads what uncask has written.
fn is_other_program(line: &str) -> bool {
    ["  duckdb ", "  source ", "  mkdir "].iter().any(|start| line.starts_with(start))
}

#[test]
fn paragraphs_of_a_help_fill_the_lines_of_a_terminal() {
    for (command, width) in commands().iter().flat_map(|command| [(command, 80), (command, 100)]) {
        let mut help = crate::support::cli::command();
        let help = help.args([command, "--help"]).env("COLUMNS", width.to_string()).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        let examples =
            lines.iter().skip_while(|line| **line != "Examples:").filter(|line| line.starts_with("  "));
        for line in examples {
            let is_whole =
                line.starts_with("  uncask") || line.starts_with("      ") || is_other_program(line);
            assert!(is_whole, "{command}: {line} is broken");
        }
        for pair in lines.windows(2) {
            let is_prose = pair.iter().all(|line| line.starts_with(|first: char| !first.is_whitespace()));
            let mut words = pair[1].split(' ');
            let next = words.next().unwrap_or_default();
            let would_fit = pair[0].chars().count() + 1 + next.chars().count() <= width;
            assert!(
                !is_prose || pair[0].ends_with(':') || !would_fit,
                "{command}:\n{}\n{}",
                pair[0],
                pair[1]
            );
            assert!(
                !is_prose || next.contains('\u{A0}') || words.next().is_some(),
                "{command}: a lone word: {next}"
            );
        }
    }
}
