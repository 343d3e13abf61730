//! The two builds of a comparison of packages.

use crate::args::DiffArgs;
use crate::exit::Exit;
use crate::session::Session;
use crate::shared::values::{self, Chosen};
use uncask::game::ValueOptions;

/// Two builds whose packages are compared, with the options for each.
pub(super) struct Builds {
    pub old: Chosen,
    pub new: Chosen,
    pub options: [ValueOptions; 2],
}

/// Selects the packages of both builds; the exit code if there are none.
pub(super) fn builds(args: &DiffArgs, session: &Session) -> anyhow::Result<Result<Builds, Exit>> {
    let choose = |input| Chosen::new(&args.store(input), &args.select, session);
    let (old, new) = (choose(&args.old)?, choose(&args.new)?);
    if old.inputs.is_empty() && new.inputs.is_empty() {
        return Ok(Err(new.none(&args.store(&args.new), &args.select, session)));
    }
    let options = [
        values::options(&args.reading, &args.old, session)?,
        values::options(&args.reading, &args.new, session)?,
    ];
    Ok(Ok(Builds { old, new, options }))
}
