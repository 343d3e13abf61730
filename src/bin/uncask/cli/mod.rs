//! The command line: options of the program, and a table of its commands.
//!
//! A new command is a file in `command`, a struct in `args` and a row here.

mod help;
mod read;
#[cfg(test)]
mod tests;

use crate::args::{self, GlobalArgs, Positional as _};
use crate::command;
use crate::exit::{Exit, UsageError};
use crate::session::Session;
use clap::{ArgMatches, Args as _, CommandFactory as _, FromArgMatches as _, Parser};
use help::with_paragraphs;

/// The arguments of a run: options of the program, and a command.
#[derive(Debug)]
pub(crate) struct Cli {
    pub(crate) global: GlobalArgs,
    pub(crate) command: Command,
}

/// The program without its commands.
#[derive(Debug, Parser)]
#[command(name = "uncask", bin_name = "uncask", version, about, after_help = AFTER_HELP, propagate_version = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Program {
    #[command(flatten)]
    global: GlobalArgs,
}

const AFTER_HELP: &str = "\
INPUT is a .utoc, a .ucas, a .pak, a Paks folder or a game's root folder. A build with the
feature `remote` also takes the address of a .utoc: https://…, http://… or s3://….
INPUT may be repeated, as in Paks/*.utoc.
`uncask INPUT` is short for `uncask info INPUT`.

Examples:
  uncask info MyGame/
  uncask list MyGame/ \"*.umap\" -l
  uncask unpack MyGame/ -o out --aes-key 0x1234…
  uncask to-legacy MyGame/ -o out
  uncask get MyGame/ /Game/Maps/Start -o Start.umap
  uncask inspect MyGame/:/Game/Maps/Start
  uncask json MyGame/ /Game/Items --mappings MyGame.usmap -o values
  uncask code MyGame/ /Game/Blueprints/BP_Door
  uncask set MyGame/:/Game/Items/Sword Default__Sword_C.Damage 25 -o Sword_P.utoc
  uncask replace MyGame/:/Game/Textures/T_Rock rock.png -o Rock_P.utoc
  uncask deps MyGame/ /Game/Maps/Start

Exit codes: 0 success · 1 some chunks failed, a check failed, or builds differ · 2 wrong usage ·
3 an input could not be read · 4 a key is missing or wrong · 5 nothing matched · 130 interrupted";

/// Makes the enum of commands from a table, in which no command can lack what all have: its name, its arguments, the
/// function that runs it, and a line about it.
macro_rules! commands {
    ($($title:literal, $name:ident($args:ident) => $run:expr, $about:literal $(, [$($more:tt)+])?;)+) => {
        #[derive(Debug)]
        pub(crate) enum Command {
            $($name(args::$args),)+
        }

        impl Command {
            /// Moves positional arguments to their places. Returns notes on ambiguous ones.
            fn sort(&mut self) -> Result<Vec<String>, UsageError> {
                match self {
                    $(Self::$name(args) => args.sort(),)+
                }
            }

            fn run_sorted(&self, session: &Session) -> anyhow::Result<Exit> {
                match self {
                    $(Self::$name(args) => ($run)(args, session),)+
                }
            }

            fn read(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
                let (name, mut found) = matches.remove_subcommand().unwrap_or_default();
                match &*name {
                    $($title => args::$args::from_arg_matches_mut(&mut found).map(Self::$name),)+
                    _ => Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand)),
                }
            }
        }

        /// The command line with all commands; if one is given, only that has arguments. To make those of all others takes
        /// longer than many a command.
        fn command_line(only: Option<&str>) -> clap::Command {
            let line = Program::command();
            $(
                let one = clap::Command::new($title);
                let is_wanted = only.is_none_or(|name| name == $title);
                let one = if is_wanted { args::$args::augment_args(one) } else { one };
                // Last, as groups of arguments have texts, too.
                let line = line.subcommand(one.about($about).long_about(None)$($($more)+)?);
            )+
            with_paragraphs(line)
        }
    };
}

commands! {
    "info", Info(InfoArgs) => command::info::run, "Describe containers: version, encryption, compression, sizes";
    "list", List(ListArgs) => command::list::run, "List chunks by path", [.visible_alias("ls")];
    "verify", Verify(VerifyArgs) => command::verify::run, "Check every chunk against its recorded hash";
    "unpack", Unpack(UnpackArgs) => command::unpack::run, "Write chunks to a folder, under their paths", [.visible_alias("extract")];
    "to-legacy", ToLegacy(ToLegacyArgs) => command::to_legacy::run, "Convert packages to legacy assets: .uasset or .umap, .uexp, bulk data";
    "get", Get(GetArgs) => command::get::run, "Write one chunk to stdout or to a file", [.visible_alias("cat")];
    "inspect", Inspect(InspectArgs) => command::inspect::run, "Show what a file or chunk is and what it contains";
    "json", Json(JsonArgs) => command::json::run, "Write the properties of every object as JSON";
    "export", Export(ExportArgs) => command::export::run, "Write textures, sounds, meshes, animations and fonts in common file formats";
    "code", Code(CodeArgs) => command::code::run, "Show the functions of blueprints as pseudo-code";
    "text", Text(TextArgs) => command::text::run, "Show packages as text that is made for reviews";
    "find", Find(FindArgs) => command::find::run, "Find packages by the properties of their objects";
    "set", Set(SetArgs) => command::set::run, "Change values of a package, and write it as a mod";
    "from-json", FromJson(FromJsonArgs) => command::from_json::run, "Take the values of packages from JSON documents, and write them as a mod";
    "asm", Asm(AsmArgs) => command::asm::run, "Put edited listings of functions into blueprints, and write them as a mod";
    "replace", Replace(ReplaceArgs) => command::replace::run, "Replace textures, and write them as a mod";
    "texts", Texts(TextsArgs) => command::texts::run, "Export the texts of a game in all its languages, or import edited ones";
    "browse", Browse(BrowseArgs) => command::browse::run, "Show a game in the browser: search, look, listen, edit, save", [.hide(cfg!(not(feature = "browse")))];
    "deps", Deps(DepsArgs) => command::deps::run, "Show which packages a package needs, or which need it";
    "scripts", Scripts(ScriptsArgs) => command::scripts::run, "List the native objects that packages refer to";
    "thumbnails", Thumbnails(ThumbnailsArgs) => command::thumbnails::run, "Export thumbnails of uncooked assets and textures of classic packages";
    "diff", Diff(DiffArgs) => command::diff::run, "Show what changed between two builds";
    "history", History(HistoryArgs) => command::history::run, "Show how values moved over several builds";
    "review", Review(ReviewArgs) => command::review::run, "Show what changed in the assets of a git repository";
    "lint", Lint(LintArgs) => command::lint::run, "Check the assets of a project by rules";
    "git", Git(GitArgs) => command::git::run, "Make git show assets as text, and merge them";
    "du", Du(DuArgs) => command::du::run, "Show what takes the space";
    "report", Report(ReportArgs) => command::report::run, "Write an HTML report: size map, totals, duplicates, searchable table";
    "catalog", Catalog(CatalogArgs) => command::catalog::run, "Write Parquet tables of chunks and packages, for SQL", [.hide(cfg!(not(feature = "catalog")))];
    "pack", Pack(PackArgs) => command::pack::run, "Pack a folder into a container or .pak";
    "to-zen", ToZen(ToZenArgs) => command::to_zen::run, "Make a mod from cooked assets";
    "check", Check(CheckArgs) => command::check::run, "Check whether a game will load a mod";
    "mods", Mods(ModsArgs) => command::mods::run, "List the mods of a game, and what each does";
    "conflicts", Conflicts(ConflictsArgs) => command::conflicts::run, "Show where several mods change the same";
    "merge", Merge(MergeArgs) => command::merge::run, "Make one mod of several";
    "port", Port(PortArgs) => command::port::run, "Make a mod for a new build of its game";
    "recipe", Recipe(RecipeArgs) => command::recipe::run, "Write what a mod changes as text";
    "build", Build(BuildArgs) => command::build::run, "Make a mod from a recipe";
    "check-mappings", CheckMappings(CheckMappingsArgs) => command::check_mappings::run, "Check whether mappings fit a game";
    "install", Install(InstallArgs) => command::install::run, "Copy a mod into a game";
    "uninstall", Uninstall(UninstallArgs) => command::install::remove, "Remove a mod from a game";
    "bench", Bench(BenchArgs) => command::bench::run, "Measure how fast uncask runs on this machine";
    "completions", Completions(CompletionsArgs) => |args, session| command::completions::run(args, &mut command_line(None), session), "Print shell completions";
    "man", Man(ManArgs) => |args, session| command::completions::man(args, command_line(None), session), "Print or write manual pages";
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(mut self, session: &Session) -> anyhow::Result<Exit> {
        // Arguments are sorted before the command sees them, so that no command has to care about their order.
        for note in self.sort()? {
            session.printer.note(&note);
        }
        self.run_sorted(session)
    }
}
