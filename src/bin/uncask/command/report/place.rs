use crate::args::ReportArgs;
use std::path::PathBuf;

/// Location of the page.
pub(super) struct ReportPlace {
    pub(super) page: PathBuf,
    /// Folder of the page and its thumbnails, if these are files.
    pub(super) folder: Option<PathBuf>,
}

impl ReportPlace {
    pub(super) fn new(args: &ReportArgs) -> Self {
        let output = &args.output;
        // A gallery goes to a folder, unless the output is clearly meant to be a single file.
        let is_html = output
            .extension()
            .is_some_and(|end| ["html", "htm"].iter().any(|known| end.eq_ignore_ascii_case(known)));
        if args.gallery && (!is_html || output.is_dir()) {
            Self { page: output.join("index.html"), folder: Some(output.clone()) }
        } else {
            Self { page: output.clone(), folder: None }
        }
    }
}
