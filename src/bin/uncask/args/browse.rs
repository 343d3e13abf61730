//! `uncask browse`.

use super::common::{INPUT, OUTPUT};
use super::json::parse_any_release;
use super::positional::in_order;
use clap::Args;
use std::path::PathBuf;
use uncask::version::Release;

#[derive(Debug, Args)]
#[cfg_attr(not(feature = "browse"), expect(dead_code, reason = "such a build has no page"))]
#[command(after_help = "Examples:
  uncask browse MyGame/
      opens the page in the browser
  uncask browse MyGame/ --mappings MyGame.usmap --aes-key @keys.txt
  uncask browse MyGame/ --save-to out
      the page can also write files below out: what is in the game, and mods of what you edit
  uncask browse MyGame/ --no-open --port 4000
      prints the address, for a browser that is open

The page is served on 127.0.0.1 only. Its address lets one browser in, which can then read what you
can read; after that, uncask prints a new address for the next one. Ctrl-C ends the program, and so
does the page's End button.")]
pub(crate) struct BrowseArgs {
    /// A .utoc, a .ucas, a .pak, a Paks folder or a game's root folder; without it, the page asks
    #[arg(value_name = "GAME", help_heading = None)]
    pub(crate) game: Option<PathBuf>,
    /// Containers that only lend names, such as a mod's game; may be repeated
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) base: Vec<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// Mappings file of the game (.usmap); without it, a Mappings.usmap beside the game is used
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) mappings: Option<PathBuf>,
    /// Read packages that do not name their engine as those of this release, such as 5.4 or UE5_4
    #[arg(long, value_name = "RELEASE", value_parser = parse_any_release, help_heading = INPUT)]
    pub(crate) engine: Option<&'static Release>,
    /// Let the page write files below this folder only; created if missing
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub(crate) save_to: Option<PathBuf>,
    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = OUTPUT)]
    pub(crate) port: u16,
    /// Do not remember which games were opened; keys are only remembered if the page asks for that
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_recent: bool,
    /// Print the address, and do not open it
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_open: bool,
}

in_order!(BrowseArgs);
