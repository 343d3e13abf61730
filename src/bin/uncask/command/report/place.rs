use crate::args::ReportArgs;
use std::path::PathBuf;

/// Where the page goes.
pub(super) struct ReportPlace {
    pub(super) page: PathBuf,
    /// The folder of the page and of its thumbnails, if these are files.
    pub(super) folder: Option<PathBuf>,
}

impl ReportPlace {
    pub(super) fn new(args: &ReportArgs) -> Self {
        let output = &args.output;
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
