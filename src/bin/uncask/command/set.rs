//! `uncask set`: changes values of a package by their addresses.

use crate::args::SetArgs;
use crate::exit::{Exit, UsageError};
use crate::session::Session;
use crate::shared::edit;
use crate::shared::one_package::{OnePackage, one_package};
use uncask::game::Wanted;
use uncask::property::edit::Address;

pub(crate) fn run(args: &SetArgs, session: &Session) -> anyhow::Result<Exit> {
    let values = pairs(&args.values)?;
    let output = edit::output(&args.edit)?;
    let OnePackage { game, inputs, input } = match one_package(&args.target, &args.edit, session)? {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    let job = edit::EditJob { args: &args.edit, schema: "uncask.set/1", game: &game, output };
    let editing = job.editing(session, inputs, &input)?;
    job.run(session, &editing, &[(0, Wanted::Values(values))])
}

/// Pairs of addresses and values.
fn pairs(texts: &[String]) -> anyhow::Result<Vec<(Address, String)>> {
    let (pairs, rest) = texts.as_chunks::<2>();
    if let [address] = rest {
        return Err(UsageError(format!("{address} has no value after it")).into());
    }
    let pair = |[address, value]: &[String; 2]| {
        let address = address
            .parse()
            .map_err(|error: uncask::property::edit::EditError| UsageError(error.to_string()))?;
        Ok((address, value.clone()))
    };
    pairs.iter().map(pair).collect()
}
