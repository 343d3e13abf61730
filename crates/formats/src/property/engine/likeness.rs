//! The release of a game, by the classes in its mappings. Dumps record it; `.usmap` files do not.
//!
//! Each release changes hundreds of the engine's thousands of structs and classes: properties come and go, or change their
//! types. Mappings have them as the game has them.

use super::{MAX_RELEASES, text};
use crate::property::schemas::Schemas;
use crate::version::Release;

/// Weight of a class in another form, against one in the same form. Where a release has no mappings of its own, only what it
/// has in common with its neighbours is built in: it never has more classes in the same form than these, but fewer in another.
const OTHER_FORM: usize = 10;

/// The fewest classes that are evidence.
const FEWEST: usize = 500;

/// The least share of classes in the same form, as one in so many is in another. Studios change their engine a little; a
/// release that is not built in differs by more.
const ONE_IN: usize = 25;

/// Classes of a game that are built in, for one release.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Likeness {
    same: usize,
    others: usize,
}

impl Likeness {
    /// True if this can be the release of the game.
    fn is_close(self) -> bool {
        self.same >= FEWEST && self.others * ONE_IN <= self.same
    }
}

/// The release that mappings are of: the recorded one, or the one whose built-in classes they have. `None` if no release comes
/// close, or two are as close.
#[must_use]
pub fn release_of_classes(schemas: &Schemas) -> Option<&'static Release> {
    if schemas.release.is_some() {
        return schemas.release;
    }
    // The same number for all of them: what weighs most is subtracted from it.
    let score = |of: &Likeness| (schemas.len() + of.same).saturating_sub(OTHER_FORM * of.others);
    let found = likenesses(schemas);
    let best = found.iter().filter(|of| of.is_close()).map(score).max()?;
    let mut alike = text().releases().zip(&found).filter(|(_, of)| of.is_close() && score(of) == best);
    let (name, _) = alike.next()?;
    alike.next().is_none().then(|| Release::from_name(name)).flatten()
}

/// Likeness to each release, by its place.
fn likenesses(schemas: &Schemas) -> [Likeness; MAX_RELEASES] {
    let mut found = [Likeness::default(); MAX_RELEASES];
    for (mask, known) in text().structs_called(|name| schemas.schema(name).is_some()) {
        let is_same = schemas.schema(&known.name.name) == Some(known);
        for (place, of) in found.iter_mut().enumerate() {
            if mask >> place & 1 == 1 {
                *(if is_same { &mut of.same } else { &mut of.others }) += 1;
            }
        }
    }
    found
}

#[cfg(all(test, feature = "engine-schemas"))]
mod tests {
    use super::*;
    use crate::property::engine_schemas;

    #[test]
    fn built_in_classes_are_those_of_their_release() {
        for name in text().releases() {
            let release = Release::from_name(name).unwrap();
            // What is built in for these is also in the releases beside them.
            let expected = (!["5.0", "5.2"].contains(&name)).then_some(release);
            assert_eq!(release_of_classes(engine_schemas(release).unwrap()), expected, "{name}");
        }
        assert_eq!(release_of_classes(&Schemas::default()), None);
    }

    #[test]
    fn a_game_that_differs_much_is_of_no_release() {
        let close = |same, others| Likeness { same, others }.is_close();
        assert!(close(4000, 0) && close(4000, 160) && !close(4000, 161) && !close(499, 0));
    }
}
