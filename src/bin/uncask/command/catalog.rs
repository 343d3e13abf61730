//! `uncask catalog`: writes tables about containers for SQL.

#[cfg(feature = "catalog")]
mod chunks;
#[cfg(feature = "catalog")]
mod packages;

/// Reports that this build lacks the command.
#[cfg(not(feature = "catalog"))]
pub(crate) fn run(
    _args: &crate::args::CatalogArgs,
    _session: &crate::session::Session,
) -> anyhow::Result<crate::exit::Exit> {
    let hint = "this build cannot write catalogs; build it with `--features catalog`";
    Err(crate::exit::UsageError(hint.to_owned()).into())
}

#[cfg(feature = "catalog")]
pub(crate) use with_parquet::run;

#[cfg(feature = "catalog")]
mod with_parquet {
    use crate::args::CatalogArgs;
    use crate::command::catalog::{chunks, packages};
    use crate::exit::Exit;
    use crate::printer::{self, counted};
    use crate::session::Session;
    use crate::shared::classes;
    use crate::{exit, selection};
    use serde::Serialize;
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};
    use uncask::game::{DirectorySink, Lend};

    #[derive(Serialize)]
    struct Summary {
        schema: &'static str,
        output: String,
        /// Number of rows of `chunks.parquet`.
        chunks: u64,
        /// Number of rows of `packages.parquet`.
        packages: u64,
    }

    pub(crate) fn run(args: &CatalogArgs, session: &Session) -> anyhow::Result<Exit> {
        // Names of classes and imports may be in other containers.
        let game = session.open(&args.store, Lend::Always)?;
        session.warn_of_locks(&game);
        let entries = selection::select(session, &game, &args.select)?;
        if entries.is_empty() {
            return Ok(selection::nothing_matched(session, &game, &args.select));
        }
        let classes = classes::classes(session, &game, &entries, true);
        let cpu = session.cpu();
        let (folder, [chunks_name, packages_name]) = places(&args.output);
        let sink = DirectorySink::open(&folder)?;
        let chunks = chunks::write(&sink, &chunks_name, &game, &entries, &classes, &cpu)?;
        let packages = packages::write(&sink, &packages_name, &game, &entries, &classes, &cpu)?;
        let rows = (chunks.rows(), packages.rows());
        // Commit both tables at the end, so that usually both appear or none.
        chunks.commit()?;
        packages.commit()?;
        let output = args.output.display().to_string();
        if session.printer.json {
            let schema = "uncask.catalog/1";
            printer::print_json(&Summary { schema, output, chunks: rows.0, packages: rows.1 })?;
        } else {
            let (chunks, packages) = (printer::chunks(rows.0), counted(rows.1, "package", "packages"));
            session.printer.note(&format!("wrote {chunks} and {packages}: {output}"));
        }
        Ok(exit::of_listing(&game))
    }

    /// The folder and the names of both tables: `NAME.parquet` gets `NAME.packages.parquet` beside it.
    fn places(output: &Path) -> (PathBuf, [String; 2]) {
        let text = |name: &OsStr| name.to_string_lossy().into_owned();
        match (output.extension(), output.file_stem(), output.file_name()) {
            (Some(extension), Some(stem), Some(name)) if extension == "parquet" => {
                let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new(".")).to_owned();
                (folder, [text(name), format!("{}.packages.parquet", text(stem))])
            }
            _ => (output.to_owned(), ["chunks.parquet".to_owned(), "packages.parquet".to_owned()]),
        }
    }
}
