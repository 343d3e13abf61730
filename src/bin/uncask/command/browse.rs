//! `uncask browse`: the game in a browser tab.

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
    use crate::printer;
    use anyhow::Context as _;
    use std::path::absolute;
    use uncask::browse::{BrowseOptions, Server};
    let options = BrowseOptions {
        game: args.game.as_deref().map(absolute).transpose().context("cannot find the game")?,
        base: args.base.clone(),
        mappings: args.mappings.clone(),
        keys: keys::collect(&args.aes_key, &session.printer)?,
        port: args.port,
        save_to: args.save_to.clone(),
        memory: session.memory(),
        threads: session.threads(),
    };
    Session::serve(async {
        let server = Server::bind(options).await.context("cannot listen on this machine")?;
        let url = server.url();
        if session.printer.json {
            printer::print_json(&serde_json::json!({ "schema": "uncask.browse/1", "url": url }))?;
        } else {
            let mut out = printer::out();
            writeln!(out, "{url}")?;
            out.flush()?;
        }
        session
            .printer
            .note("the page is served until Ctrl-C; whoever has this address can read what you can read");
        if !args.no_open && open::that_detached(&url).is_err() {
            session.printer.warning("no browser could be started; open the address above");
        }
        server.run().await.context("cannot listen on this machine")
    })?;
    Ok(Exit::Ok)
}
