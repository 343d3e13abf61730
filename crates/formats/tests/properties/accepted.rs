//! Values that properties accept, by what is known of them.

use crate::back::{fixture, names};
use crate::sets::{Others, all, corpus, say};
use uncask_formats::package::legacy::PackageIndex;
use uncask_formats::property::edit::{Address, Editor};
use uncask_formats::property::{Object, Scope, Value};

/// Classes and objects: what a property takes is known from what is there, or is noted.
#[test]
fn references_are_checked_by_what_is_known() {
    const TEXTURE: &str = "/Game/Fixtures/Textures/T_BC7.T_BC7";
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    for cook in [0, 1] {
        let (loaded, _) = fixture(&sets, cook, "DA_AllProperties.uasset");
        let scope = loaded.scope(&());
        let export = &loaded.package.exports[1];
        let set = |property: &str, value: &str| {
            let mut editor = Editor::new(&scope, names(&loaded.package));
            let address: Address = format!("DA_AllProperties.{property}").parse().unwrap();
            let done = editor.set(&mut Object::read(&scope, export), &address, value);
            done.map(|_| editor.unchecked().to_vec()).map_err(|error| error.to_string())
        };
        let refused = format!(
            "DA_AllProperties.ClassReference: found {TEXTURE}, expected a class, as is there already"
        );
        assert_eq!(set("ClassReference", TEXTURE), Err(refused));
        let note = |property: &str, what: &str| {
            let what = format!("whether it takes {what}: which classes it takes is not known");
            Ok(vec![(format!("DA_AllProperties.{property}"), what)])
        };
        assert_eq!(set("InterfaceReference", TEXTURE), note("InterfaceReference", "Texture2D"));
        assert_eq!(set("HardObjectReference", TEXTURE), note("HardObjectReference", "Texture2D"));
        let class = "/Script/CUE4ParseFixtures.ParserFixtureData";
        assert_eq!(set("ClassReference", class), note("ClassReference", "ParserFixtureData"));
        // What is of the class that is there needs no note; neither does nothing.
        assert_eq!(set("HardTextureReference", TEXTURE), Ok(Vec::new()));
        assert_eq!(set("ClassReference", "None"), Ok(Vec::new()));
    }
}

/// The references of real packages are all such as are accepted: those of blueprints by their classes.
#[test]
fn references_that_are_there_are_accepted() {
    let Some(corpus) = corpus() else { return };
    let (mut checked, mut unchecked, mut refused, mut fitting) = (0, 0, 0, 0);
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let mut editor = Editor::new(&scope, names(&loaded.package));
            for (at, export) in loaded.package.exports.iter().enumerate() {
                let before = Object::read(&scope, export);
                let Some(list) = &before.properties else { continue };
                let mut object = before.clone();
                for member in list.members(&loaded.package) {
                    let Some(Value::Object(index)) = member.value else { continue };
                    if member.element > 0 || index.0 == 0 {
                        continue;
                    }
                    let address: Address = format!("#{at}.\"{}\"", member.name).parse().unwrap();
                    let noted = editor.unchecked().len();
                    editor.set(&mut object, &address, "None").unwrap();
                    let path = member.value.unwrap().text(&scope).unwrap();
                    let again = editor.set(&mut object, &address, &path);
                    assert!(again.is_ok(), "{} {address}: {again:?}", file.path);
                    if editor.unchecked().len() > noted {
                        unchecked += 1;
                        continue;
                    }
                    checked += 1;
                    // Of the objects of the package, those of other classes do not fit.
                    for other in (0..).take(loaded.package.exports.len()) {
                        let path = PackageIndex::export(other).map(Value::Object);
                        let path = path.as_ref().and_then(|object| object.text(&scope)).unwrap();
                        match editor.set(&mut object.clone(), &address, &path) {
                            Ok(_) => fitting += 1,
                            Err(error) => {
                                let expected = "expected an object of the class ";
                                assert!(error.to_string().contains(expected), "{address}: {error}");
                                refused += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    say(&format!(
        "{checked} references are checked, {unchecked} are not; {refused} objects do not fit, {fitting} may"
    ));
    assert!(checked >= 3 && refused >= 3, "{checked} {refused}");
}

/// Without mappings, members of enums are known from the names of the package alone.
#[test]
fn members_of_unknown_enums_are_noted() {
    let Some(corpus) = corpus() else { return };
    let sets = all(&corpus);
    let (loaded, _) = fixture(&sets, 0, "DA_AllProperties.uasset");
    let scope = Scope::new(&loaded.package, &loaded.data, loaded.data_at, None);
    let set = |value: &str| {
        let mut editor = Editor::new(&scope, names(&loaded.package));
        let address: Address = "DA_AllProperties.Enum".parse().unwrap();
        editor.set(&mut Object::read(&scope, &loaded.package.exports[1]), &address, value).unwrap();
        editor.unchecked().to_vec()
    };
    assert_eq!(set("Beta"), []);
    let what = "whether EFixtureEnum has Omega: neither mappings nor the package say";
    assert_eq!(set("Omega"), [("DA_AllProperties.Enum".to_owned(), what.to_owned())]);
}
