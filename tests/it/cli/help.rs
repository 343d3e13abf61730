//! `--help` of everything.

use super::{demo, run, snapshot};

#[test]
fn help_of_every_command() {
    let packed = demo();
    snapshot("help", &packed, &["--help"]);
    for command in ["info", "list", "verify", "unpack", "get", "pack", "report", "bench"] {
        snapshot(&format!("help_{command}"), &packed, &[command, "--help"]);
    }
}

#[test]
fn every_help_has_examples_and_fits_a_terminal() {
    let packed = demo();
    for command in ["info", "list", "verify", "unpack", "get", "pack", "report", "bench"] {
        let help = run(&packed, &[command, "--help"]).expect(0).stdout;
        assert!(help.contains("Examples:\n  uncask ") && help.contains("Usage: uncask"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
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
