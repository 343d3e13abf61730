//! Selects chunks by the arguments, and explains empty selections.

use crate::args::SelectArgs;
use crate::exit::{self, Exit, UsageError};
use crate::hint;
use crate::printer::counted;
use crate::session::Session;
use crate::suggest;
use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use uncask::game::{ClassFilter, Entry, Filter, FilterSpec, Game, PatternError};
use uncask::wire::decode_text;

/// Selects the chunks given by the arguments, and warns of patterns without matches if others match.
pub(crate) fn select(session: &Session, game: &Game, args: &SelectArgs) -> anyhow::Result<Vec<Entry>> {
    select_from(session, game, args, args.all)
}

/// Selects chunks, with overridden ones if `losers`.
pub(crate) fn select_from(
    session: &Session,
    game: &Game,
    args: &SelectArgs,
    losers: bool,
) -> anyhow::Result<Vec<Entry>> {
    let spec = spec(args)?;
    let filter = Filter::new(&spec)?;
    // An empty selection is no error here: the caller knows what to say about it.
    let mut entries = game.select(&filter, losers);
    retain_classes(game, args, &mut entries)?;
    warn_of_lines(session, game, &filter, &spec);
    if !entries.is_empty() {
        warn_of_idle(session, &[game], &filter, args);
    }
    Ok(entries)
}

/// Keeps the chunks of packages of the classes given by the arguments.
pub(crate) fn retain_classes(
    game: &Game,
    args: &SelectArgs,
    entries: &mut Vec<Entry>,
) -> Result<(), PatternError> {
    let filter = ClassFilter::new(&args.classes)?;
    if !filter.is_empty() {
        game.retain_classes(entries, &filter);
    }
    Ok(())
}

/// The filter given by the arguments.
pub(crate) fn filter(args: &SelectArgs) -> anyhow::Result<Filter> {
    Ok(Filter::new(&spec(args)?)?)
}

fn spec(args: &SelectArgs) -> anyhow::Result<FilterSpec> {
    // Read once per call: `-` is stdin, which cannot be read again.
    let files = args.files_from.as_deref().map(read_lines).transpose()?;
    Ok(FilterSpec {
        patterns: args.patterns.clone(),
        exclude: args.exclude.clone(),
        regex: args.regex.clone(),
        kinds: args.kinds.clone(),
        files,
        ..FilterSpec::default()
    })
}

/// The most lines of `--files-from` shown in a warning.
const SHOWN_LINES: usize = 3;

/// Warns of lines of `--files-from` without a matching chunk.
fn warn_of_lines(session: &Session, game: &Game, filter: &Filter, spec: &FilterSpec) {
    let lines = game.idle_files(filter);
    if lines.is_empty() {
        return;
    }
    let text =
        |at: &usize| spec.files.as_ref().and_then(|lines| lines.get(*at)).map(|line| format!("{line:?}"));
    let mut shown: Vec<String> = lines.iter().take(SHOWN_LINES).filter_map(text).collect();
    if lines.len() > shown.len() {
        shown.push("…".to_owned());
    }
    let what = counted(lines.len() as u64, "line", "lines");
    let verb = if lines.len() == 1 { "names" } else { "name" };
    session.printer.warning(&format!("{what} of --files-from {verb} no chunk: {}", shown.join(", ")));
}

/// Warns of patterns that match in none of the games.
pub(crate) fn warn_of_idle(session: &Session, games: &[&Game], filter: &Filter, args: &SelectArgs) {
    // A single pattern must have matched, or the selection would be empty and be reported as such.
    if args.patterns.len() > 1 {
        let idle = in_all(games, |game| game.idle_patterns(filter));
        for text in idle.into_iter().filter_map(|at| args.patterns.get(at)) {
            session.printer.warning(&format!("{text:?} matches nothing{}", meant(games, text)));
        }
    }
    let idle = in_all(games, |game| game.idle_exclusions(filter));
    for text in idle.into_iter().filter_map(|at| args.exclude.get(at)) {
        session.printer.warning(&format!("--exclude {text:?} matches nothing{}", meant(games, text)));
    }
}

/// Positions that are idle in every game.
fn in_all(games: &[&Game], idle: impl Fn(&Game) -> Vec<usize>) -> Vec<usize> {
    let all = games.iter().map(|game| idle(game));
    all.reduce(|a, b| a.into_iter().filter(|at| b.contains(at)).collect()).unwrap_or_default()
}

/// Reports an empty selection with its reason, unless containers that did not open are the reason.
pub(crate) fn nothing_matched(session: &Session, game: &Game, args: &SelectArgs) -> Exit {
    // Without containers the errors of opening them have been printed, and explain everything.
    if !game.containers().is_empty() {
        let idle = filter(args).map(|filter| game.idle_patterns(&filter)).unwrap_or_default();
        for text in idle.iter().filter_map(|at| args.patterns.get(*at)) {
            session.printer.error(&format!("nothing matches {text:?}{}", meant(&[game], text)));
        }
        // Each pattern matches something, but nothing passes all conditions.
        if idle.is_empty() {
            session.printer.error("nothing matches all filters at once");
        }
    }
    exit::nothing_found(game)
}

/// Reports a name without a match.
pub(crate) fn no_such(session: &Session, game: &Game, what: &str, text: &str) -> Exit {
    session.printer.error(&format!("no {what} matches {text:?}{}", meant(&[game], text)));
    exit::nothing_found(game)
}

/// Suggestion of what may have been meant.
fn meant(games: &[&Game], text: &str) -> String {
    // A common mistake: a file of the current folder where a pattern is expected.
    if Path::new(text).is_file() {
        return "; it is a file, but not a .utoc, .ucas or .pak".to_owned();
    }
    if let Some(hint) = hint::of_pattern(text) {
        return format!("; {hint}");
    }
    let names = games.iter().map(|game| suggest::nearest(game, text)).find(|names| !names.is_empty());
    match names.unwrap_or_default().as_slice() {
        [] => String::new(),
        [name] => format!("; the nearest name is {name}"),
        [names @ .., last] => format!("; the nearest names are {} and {last}", names.join(", ")),
    }
}

/// Reads the lines of a file, or of stdin for `-`.
fn read_lines(path: &Path) -> anyhow::Result<Vec<String>> {
    let unreadable =
        |error: &dyn Display| UsageError(format!("cannot read --files-from {}: {error}", path.display()));
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(&error))?;
    // Editors on Windows may save UTF-16 or a byte order mark.
    let text = decode_text(&bytes).map_err(|error| unreadable(&error))?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}
