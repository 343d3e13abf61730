//! `uncask browse`: shows a game in the browser.

use crate::args::BrowseArgs;
use crate::exit::Exit;
use crate::session::Session;

#[cfg(not(feature = "browse"))]
pub(crate) fn run(_: &BrowseArgs, _: &Session) -> anyhow::Result<Exit> {
    let problem = "this build has no page to browse; build it with the feature `browse`";
    Err(crate::exit::UsageError(problem.to_owned()).into())
}

#[cfg(feature = "browse")]
pub(crate) fn run(args: &BrowseArgs, session: &Session) -> anyhow::Result<Exit> {
    use crate::keys;
    use anyhow::Context as _;
    use std::io;
    use std::path::absolute;
    use uncask::browse::{BrowseOptions, Server};
    use uncask::error::Error;
    let options = BrowseOptions {
        // The page shows and remembers the path, so it must not depend on the current folder.
        game: args.game.as_deref().map(absolute).transpose().context("cannot find the game")?,
        base: args.base.clone(),
        mappings: args.mappings.clone(),
        engine: args.engine,
        keys: keys::collect(&args.aes_key, &session.printer)?,
        port: args.port,
        save_to: args.save_to.clone(),
        remember_in: if args.no_recent { None } else { settings_folder() },
        memory: session.memory(),
        threads: session.threads(),
    };
    // A page without its game, or without its folder, would only be noticed when it is looked at.
    if let Some(game) = &options.game {
        std::fs::metadata(game).map_err(Error::io("open input", game))?;
    }
    if let Some(folder) = &options.save_to {
        std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
    }
    Session::serve(async {
        let port = options.port;
        let server = Server::bind(options).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                anyhow::anyhow!("port {port} is in use by another program; --port 0 takes a free one")
            }
            _ => anyhow::Error::from(error).context("cannot listen on this machine"),
        })?;
        let url = server.url();
        // Printed even if a browser is opened: the user may want another one.
        print_address(&url, session)?;
        session.printer.note("the page is served until Ctrl-C; the address lets one browser in");
        let mut start = if args.no_open { None } else { Start::open(&url) };
        if !args.no_open && start.is_none() {
            session.printer.warning("no browser could be started; open the address above");
        }
        let again = |url: &str| {
            start = None;
            session.printer.note("a browser has used the address; the next one can use this");
            // If nothing can be printed, nobody is waiting for an address.
            drop(print_address(url, session));
        };
        server.run(again).await.context("cannot listen on this machine")
    })?;
    Ok(Exit::Ok)
}

/// File that leads a browser to the address. The address itself would be in the list of processes while the browser starts, and
/// another user of this machine could be faster; of this file, they see the path alone. It is removed once it has been used.
#[cfg(feature = "browse")]
struct Start(std::path::PathBuf);

#[cfg(feature = "browse")]
impl Start {
    /// Starts a browser, if that is possible.
    fn open(url: &str) -> Option<Self> {
        let start = Self::write(url).ok()?;
        open::that_detached(&start.0).is_ok().then_some(start)
    }

    fn write(url: &str) -> std::io::Result<Self> {
        let mut options = std::fs::OpenOptions::new();
        // A file that exists, even as a link, is not written to: someone else may have made it.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut number = 0_u32;
        let (path, mut file) = loop {
            let name = format!("uncask-{}-{number}.html", std::process::id());
            let path = std::env::temp_dir().join(name);
            match options.open(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 100 => {
                    number += 1;
                }
                opened => break (path, opened?),
            }
        };
        let start = Self(path);
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>uncask</title>\
             <meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\"><p><a href=\"{url}\">Open the page</a></p>\n"
        );
        std::io::Write::write_all(&mut file, page.as_bytes())?;
        Ok(start)
    }
}

#[cfg(feature = "browse")]
impl Drop for Start {
    fn drop(&mut self) {
        // Once it has been used, it lets nobody in, so a file that stays does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The user's settings folder for uncask; `None` if the system does not define one.
#[cfg(feature = "browse")]
fn settings_folder() -> Option<std::path::PathBuf> {
    use std::env;
    use std::path::PathBuf;
    let named = |name| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    // The usual places of each system; a relative path in a variable is ignored, as the XDG rules demand.
    let folder = if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library/Application Support"))
    } else {
        named("XDG_CONFIG_HOME").or_else(|| Some(env::home_dir()?.join(".config")))
    };
    Some(folder?.join("uncask"))
}

#[cfg(feature = "browse")]
fn print_address(url: &str, session: &Session) -> anyhow::Result<()> {
    if session.printer.json {
        return crate::printer::print_json(&serde_json::json!({ "schema": "uncask.browse/1", "url": url }));
    }
    let mut out = crate::printer::out();
    writeln!(out, "{url}")?;
    Ok(out.flush()?)
}
