//! `uncask set`: changes values of a package by their addresses, in objects and in functions.

use crate::args::SetArgs;
use crate::exit::{Exit, UsageError};
use crate::hint;
use crate::session::Session;
use crate::shared::edit;
use crate::shared::one_package::{OnePackage, one_package};
use uncask::bytecode::CodePlaceError;
use uncask::game::{CodeEdit, Wanted};
use uncask::property::edit::Address;

pub(crate) fn run(args: &SetArgs, session: &Session) -> anyhow::Result<Exit> {
    let wanted = wanted(args)?;
    let output = edit::output(&args.edit)?;
    let OnePackage { game, inputs, input } = match one_package(&args.target, &args.edit, session)? {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    let job = edit::EditJob { args: &args.edit, schema: "uncask.set/1", game: &game, output };
    let editing = job.editing(session, inputs, &input)?;
    let exit = job.run(session, &editing, &[(0, wanted)])?;
    if exit == Exit::Failed {
        session.printer.hint(hint::of_values(&args.values));
    }
    Ok(exit)
}

/// The changes: of values, or of functions.
fn wanted(args: &SetArgs) -> anyhow::Result<Wanted> {
    let (pairs, rest) = args.values.as_chunks::<2>();
    if let [address] = rest {
        let hint = hint::of_values(&args.values).map_or_else(String::new, |hint| format!("; {hint}"));
        return Err(UsageError(format!("{address} has no value after it{hint}")).into());
    }
    let (code, values): (Vec<_>, Vec<_>) = pairs.iter().partition(|[address, _]| is_in_code(address));
    if code.is_empty() && args.no_op.is_empty() {
        return Ok(Wanted::Values(of_properties(&values)?));
    }
    if let Some([address, _]) = values.first() {
        let problem = "values of objects and of functions are set one after the other, in two runs";
        return Err(UsageError(format!("{problem}: {address}")).into());
    }
    let place = |text: &str| text.parse().map_err(|error: CodePlaceError| UsageError(error.to_string()));
    let set = |[address, value]: &[String; 2]| -> Result<CodeEdit, UsageError> {
        let (address, was) = match address.split_once('=') {
            Some((address, was)) => (address, Some(was.to_owned())),
            None => (address.as_str(), None),
        };
        Ok(CodeEdit::Set { place: place(address)?, value: value.clone(), was })
    };
    let removed = args.no_op.iter().map(|text| place(text).map(CodeEdit::Remove));
    Ok(Wanted::Code(code.into_iter().map(set).chain(removed).collect::<Result<_, _>>()?))
}

/// True for `Open@0x1F3` and `Open@0x1F3=90`.
fn is_in_code(address: &str) -> bool {
    address.contains("@0x")
}

/// Pairs of addresses and values.
fn of_properties(pairs: &[&[String; 2]]) -> anyhow::Result<Vec<(Address, String)>> {
    let pair = |[address, value]: &&[String; 2]| {
        let address = address
            .parse()
            .map_err(|error: uncask::property::edit::EditError| UsageError(error.to_string()))?;
        Ok((address, value.clone()))
    };
    pairs.iter().map(pair).collect()
}
