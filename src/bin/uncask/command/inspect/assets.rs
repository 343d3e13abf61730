//! Summaries of the assets in a package.

use super::print;
use crate::args::InspectArgs;
use crate::printer::Out;
use crate::session::Session;
use crate::shared::values;
use std::path::Path;
use uncask::game::{AssetFacts, Game, PackageInputs};

/// The assets of a package. Errors are left to `-p`, since the summaries are only an addition here.
pub(super) fn of(
    args: &InspectArgs,
    input: &Path,
    session: &Session,
    game: &Game,
    inputs: PackageInputs,
) -> anyhow::Result<Vec<AssetFacts>> {
    let options = values::options(&args.reading, input, session)?;
    Ok(game.assets_in(inputs, options).unwrap_or_default())
}

pub(super) fn print(out: &mut Out, assets: &[AssetFacts]) -> anyhow::Result<()> {
    if !assets.is_empty() {
        writeln!(out, "assets")?;
    }
    for (at, asset) in assets.iter().enumerate() {
        let facts = match (&asset.asset, &asset.blueprint, &asset.problem) {
            (Some(facts), ..) => facts.to_string(),
            (_, Some(facts), _) => facts.to_string(),
            (None, None, problem) => format!("not understood: {}", problem.as_deref().unwrap_or_default()),
        };
        print::hanging(out, &format!("  [{at}] "), &format!("{} ({})", asset.object, asset.class))?;
        print::hanging(out, "      ", &facts)?;
    }
    Ok(())
}
