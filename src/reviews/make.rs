//! The review of a package.

use crate::code::pseudocode;
use crate::property::{Object, Scope};
use crate::values::UnreadOf;
use uncask_formats::review::{Review, ReviewOptions, ReviewSection};

/// Makes the review of a package, with the code of its functions where there are no graphs to show.
pub(super) fn review_of(
    scope: &Scope<'_>,
    unread: Option<&UnreadOf<'_>>,
    options: ReviewOptions,
    old: Option<&Review>,
) -> Review {
    let read = |export| {
        let object = Object::read(scope, export);
        if let Some(unread) = unread {
            unread.see(export, &object);
        }
        object
    };
    let objects: Vec<Object> = scope.package.exports.iter().map(read).collect();
    let mut review = Review::new(scope, &objects, options, old);
    if scope.package.form.cooked || options.all {
        review.sections.extend(ReviewSection::of_code(&pseudocode(scope)));
    }
    review
}
