use crate::files::{Case, cases, corpus};
use serde_json::{Value, json};
use uncask_formats::asset::animation::{Animation, Compression, Keys};
use uncask_formats::asset::{Asset, FoundAsset};

fn animation<'f, 'a>(found: &'f FoundAsset<'a>) -> &'f Animation<'a> {
    let Asset::Animation(animation) = &found.asset else { panic!("{:?}", found.class) };
    animation
}

fn near(found: &[f32], expected: &Value) -> bool {
    let expected = expected.as_array().unwrap().iter().map(|part| part.as_f64().unwrap());
    found.iter().zip(expected).all(|(found, expected)| (f64::from(*found) - expected).abs() < 2e-5)
}

fn check_keys<const N: usize>(keys: &Keys<N>, expected: &Value, name: &str) {
    if expected.is_null() {
        assert!(keys.values.is_empty(), "{name}");
        return;
    }
    assert_eq!(Some(keys.values.len() as u64), expected["keys"].as_u64(), "{name}");
    assert_eq!(json!(keys.frames), expected["times"], "{name}");
    assert!(near(keys.values.first().unwrap(), &expected["first"]), "{name}: {keys:?}");
    assert!(near(keys.values.last().unwrap(), &expected["last"]), "{name}: {keys:?}");
}

fn check(case: &Case, found: &FoundAsset<'_>) {
    let name = &case.name;
    let animation = animation(found);
    assert_eq!(u64::from(animation.frames), case.number("frames"), "{name}");
    assert_eq!(u64::from(animation.raw_size), case.number("raw_size"), "{name}");
    assert_eq!(json!(animation.bones), case.expected["track_to_bone"], "{name}");
    assert_eq!(Some(&*animation.codec), case.expected["codec"].as_str(), "{name}");
    if !found.searched {
        assert_eq!(animation.seconds.map(f64::from), case.expected["length"].as_f64(), "{name}");
        assert_eq!(
            Some(animation.additive.is_some()),
            case.expected["additive"].as_str().map(|kind| kind != "AAT_None")
        );
    }
    let Compression::Engine(tracks) = &animation.compression else { panic!("{name}") };
    let tracks = tracks.decode().unwrap();
    let expected = case.expected["tracks"].as_array().unwrap();
    assert_eq!(tracks.len(), expected.len(), "{name}");
    for (track, expected) in tracks.iter().zip(expected) {
        check_keys(&track.translation, &expected["T"], name);
        check_keys(&track.rotation, &expected["R"], name);
        check_keys(&track.scale, &expected["S"], name);
    }
    let curves = case.expected["curves"].as_array().unwrap();
    assert_eq!(animation.curves.len(), curves.len(), "{name}");
    for (curve, expected) in animation.curves.iter().zip(curves) {
        assert_eq!(Some(&*curve.name), expected["name"].as_str(), "{name}");
        assert_eq!(Some(curve.keys.len() as u64), expected["n"].as_u64(), "{name}");
        let times = expected["t"].as_array().unwrap().iter().zip(expected["v"].as_array().unwrap());
        for (key, (time, value)) in curve.keys.iter().zip(times) {
            assert!(near(&[key.time], &json!([time])), "{name}: {key:?}");
            assert!(near(&[key.value, key.arrive, key.leave], value), "{name}: {key:?}");
        }
    }
}

#[test]
fn animations_are_those_of_the_independent_reader() {
    let Some(corpus) = corpus() else { return };
    for case in cases(&corpus, "AnimSequence") {
        let scope = case.file.scope();
        check(&case, &case.read(&scope));
    }
}

#[test]
fn the_modes_of_a_curve_are_those_of_the_sheet() {
    use uncask_formats::asset::animation::CurveMode::{Constant, Cubic, Linear};
    let Some(corpus) = corpus() else { return };
    let cases = cases(&corpus, "AnimSequence");
    let case = cases.iter().find(|case| case.expected["export"] == "AS_Fixture").unwrap();
    let scope = case.file.scope();
    let found = case.read(&scope);
    let modes: Vec<_> = animation(&found).curves[0].keys.iter().map(|key| key.mode).collect();
    assert_eq!(modes, [Linear, Cubic, Constant]);
}
