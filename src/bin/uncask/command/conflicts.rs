//! `uncask conflicts`: shows the packages and files that several mods have, and how their changes go together.

mod page;
mod words;

use crate::args::ConflictsArgs;
use crate::exit::{self, Exit};
use crate::output_file;
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use uncask::game::{ChangedPart, Game, Lend, SharedChange, SharedItem, SharedVerdict, shared_items};
use words::{in_mod, sign, summary_line, word};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    /// The mods, in the order of the arguments; all others are positions among these.
    mods: &'r [String],
    game: Option<String>,
    same: usize,
    compatible: usize,
    conflict: usize,
    items: &'r [SharedItem],
}

pub(crate) fn run(args: &ConflictsArgs, session: &Session) -> anyhow::Result<Exit> {
    let open = |path: &Path| session.open(&args.store(path), Lend::Always);
    let mods = args.mods.iter().map(|path| open(path)).collect::<anyhow::Result<Vec<Game>>>()?;
    let game = args.game.as_deref().map(open).transpose()?;
    for opened in mods.iter().chain(&game) {
        session.warn_of_locks(opened);
    }
    // The mappings of the game are beside it rather than beside a mod.
    let near = args.game.as_ref().or_else(|| args.mods.first());
    let input = near.map_or_else(|| Path::new("."), |path| path.as_path());
    let options = values::options(&args.reading, input, session)?;
    let found = session.interruptible(|| shared_items(&mods, game.as_ref(), &options))?;
    let names: Vec<String> = args.mods.iter().map(|path| file_name(path)).collect();
    if session.printer.json {
        let number = |verdict| found.items.iter().filter(|item| item.verdict == verdict).count();
        printer::print_json(&Report {
            schema: "uncask.mod-conflicts/1",
            mods: &names,
            game: args.game.as_ref().map(|path| path.display().to_string()),
            same: number(SharedVerdict::Same),
            compatible: number(SharedVerdict::Compatible),
            conflict: number(SharedVerdict::Conflict),
            items: &found.items,
        })?;
    } else {
        Printing { names: &names, has_game: game.is_some(), session }.all(&found.items)?;
    }
    if let Some(path) = &args.html {
        output_file::write(path, page::html(&found.items, &names).as_bytes())?;
        session.printer.note(&format!("wrote a page: {}", path.display()));
    }
    for error in &found.unread {
        session.printer.problem(error);
    }
    let mut exit = found.unread.first().map_or(Exit::Ok, |error| exit::of_kind(error.kind()));
    if let Some(first) = mods.first() {
        exit = worse(exit, values::report_outcomes(session, &found.outcomes, first, (&args.reading, input)));
    }
    if args.game.is_none() {
        session.printer.hint(Some("--game tells what each of them changes in the game"));
    }
    session.printer.note(&summary_line(&found.items));
    let is_in_conflict = found.items.iter().any(|item| item.verdict == SharedVerdict::Conflict);
    Ok(if exit == Exit::Ok && is_in_conflict { Exit::Failed } else { exit })
}

const fn worse(one: Exit, other: Exit) -> Exit {
    if matches!(one, Exit::Ok) { other } else { one }
}

fn file_name(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Changes of an item that are listed without `-v`.
const LISTED: usize = 20;

struct Printing<'p> {
    names: &'p [String],
    has_game: bool,
    session: &'p Session,
}

impl Printing<'_> {
    fn all(&self, items: &[SharedItem]) -> anyhow::Result<()> {
        let mut out = printer::out();
        let is_verbose = self.session.printer.is_verbose();
        let most = if is_verbose { usize::MAX } else { LISTED };
        let listed = |item: &&SharedItem| is_verbose || item.verdict != SharedVerdict::Same;
        for item in items.iter().filter(listed) {
            let title = self.title(item);
            out.coloured(self.session.printer.colour_of(&title), &title)?;
            // What is in conflict first: the rest is only good to know.
            let mut changes: Vec<&SharedChange> = item.changes.iter().collect();
            changes.sort_by_key(|change| std::cmp::Reverse(change.verdict));
            for change in changes.iter().take(most) {
                let line = line(change, self.names);
                out.coloured(self.session.printer.colour_of(&line), &format!("    {line}"))?;
            }
            match changes.len().saturating_sub(most) {
                0 if item.cut => writeln!(out, "    …")?,
                0 => {}
                more => {
                    writeln!(out, "    … and {} (-v lists them all)", counted(more as u64, "more", "more"))?;
                }
            }
        }
        Ok(out.flush()?)
    }

    /// Line such as `- /Game/Items/Sword: conflict; B_P.utoc wins over A_P.utoc`.
    fn title(&self, item: &SharedItem) -> String {
        let name = |at: usize| self.names.get(at).map_or("?", String::as_str);
        let others: Vec<&str> =
            item.mods.iter().filter(|at| **at != item.winner).map(|at| name(*at)).collect();
        let is_new = self.has_game && !item.in_game;
        format!(
            "{} {}: {}; {} wins over {}{}",
            sign(item.verdict),
            item.path,
            word(item.verdict),
            name(item.winner),
            others.join(", "),
            if is_new { "; the game does not have it" } else { "" },
        )
    }
}

/// Line such as `- Default__Sword_C.Damage: 10 → 12 in A_P.utoc, 15 in B_P.utoc`.
fn line(change: &SharedChange, names: &[String]) -> String {
    let place = match (&change.property, change.part) {
        (None, ChangedPart::Function) => format!("{}()", change.object),
        (None, ChangedPart::Data) => format!("{}, its data", change.object),
        _ => change.place(),
    };
    let is_value = matches!(change.part, ChangedPart::Value | ChangedPart::Data | ChangedPart::Text);
    let is_in_all = change.to.len() > 1 && change.to.iter().all(|to| to.value.is_some());
    if change.from.is_none() && !is_value && is_in_all && change.verdict == SharedVerdict::Conflict {
        let mods: Vec<&str> =
            change.to.iter().map(|to| names.get(to.mod_at).map_or("?", String::as_str)).collect();
        return format!("{} {place}: differs in {}", sign(change.verdict), mods.join(", "));
    }
    let to: Vec<String> = change.to.iter().map(|to| in_mod(change, to, names)).collect();
    let from = match (&change.from, change.part) {
        (Some(from), ChangedPart::Value | ChangedPart::Data | ChangedPart::Text) => {
            format!(" {} →", from.text)
        }
        _ => String::new(),
    };
    format!("{} {place}:{from} {}", sign(change.verdict), to.join(", "))
}
