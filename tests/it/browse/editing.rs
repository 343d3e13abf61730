//! Values, pictures and texts that are edited in the page, and saved as mods and recipes.

use super::{Answer, Page};
use crate::commands::run::{corpus, uncask, whole_game};
use serde_json::{Value, json};
use std::path::Path;

const DOOR: &str = "/Game/Blueprints/BP_Door";
const ANGLE: &str = "Default__BP_Door_C.OpenAngle";

impl Page {
    fn fields(&self, row: u64, at: &str) -> Value {
        let answer = self.post("api/edit/fields", &json!({ "row": row, "at": at }));
        assert_eq!(answer.status, 200, "{at}: {}", answer.json());
        answer.json()
    }

    fn field(&self, row: u64, at: &str, address: &str) -> Value {
        let found = self.fields(row, at);
        let fields = found["fields"].as_array().unwrap();
        let field = fields.iter().find(|field| field["address"] == address);
        field.unwrap_or_else(|| panic!("{address}: {found}")).clone()
    }

    fn ask(&self, what: &str, row: u64, address: &str, wish: &Value) -> Answer {
        let mut body = json!({ "row": row, "address": address });
        body.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        self.post(&format!("api/edit/{what}"), &body)
    }

    /// Changes a value; returns the draft.
    fn edit(&self, row: u64, address: &str, wish: &Value) -> Value {
        let answer = self.ask("value", row, address, wish);
        assert_eq!(answer.status, 200, "{address} {wish}: {}", answer.json());
        answer.json()
    }

    fn save(&self, name: &str, form: &str) -> Value {
        let answer = self.post("api/draft/save", &json!({ "name": name, "form": form }));
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()
    }

    fn send(&self, path: &str, body: &[u8]) -> Answer {
        let (host, cookie) = (self.host(), self.cookie());
        self.request(
            "POST",
            path,
            &[("Host", &*host), ("Cookie", &*cookie), ("Content-Type", "application/octet-stream")],
            body,
        )
    }
}

fn set(value: &str) -> Value {
    json!({ "action": "set", "value": value })
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn demo() -> String {
    text(&super::demo()).to_owned()
}

/// A page with a fixture of UE 5.8, and the folder of that game.
fn fixture(corpus: &Path, cook: &str, folder: &Path, save_to: &Path) -> (Page, String) {
    let game = whole_game(corpus, cook, folder);
    let page = Page::start(Some(save_to));
    let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let opened = page.post("api/open", &json!({ "path": game, "mappings": mappings }));
    assert_eq!(opened.status, 200, "{}", opened.json());
    (page, game)
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

/// Files with the same bytes. Of a container, that takes the same name.
fn assert_same(a: &Path, b: &Path) {
    assert!(bytes(a) == bytes(b), "{} is not {}", a.display(), b.display());
}

#[test]
fn a_value_is_edited_and_saved_as_the_mod_that_set_makes() {
    let saved = tempfile::tempdir().unwrap();
    let page = Page::with_demo(Some(saved.path()));
    let row = page.row(DOOR);
    let objects = page.fields(row, "");
    assert!(
        objects["fields"].as_array().unwrap().iter().all(|object| object["kind"] == "object"),
        "{objects}"
    );
    let field = page.field(row, "Default__BP_Door_C", ANGLE);
    assert_eq!((&field["kind"], &field["text"]), (&json!("whole"), &json!("90")), "{field}");

    let refused = page.ask("check", row, ANGLE, &set("wide"));
    assert_eq!((refused.status, refused.json()["error"].as_str().unwrap().contains("wide")), (422, true));
    assert_eq!(page.ask("value", row, "Default__BP_Door_C.OpenAngel", &set("1")).status, 422);
    assert_eq!(page.ask("value", row, "*.OpenAngle", &set("1")).status, 422);
    assert_eq!(page.ask("check", row, ANGLE, &set("120")).status, 200);
    assert_eq!(page.get("api/draft").json()["total"], 0, "only tried");

    page.edit(row, ANGLE, &set("110"));
    let draft = page.edit(row, ANGLE, &set("120"));
    let change = json!({ "kind": "value", "at": 0, "of": DOOR, "what": ANGLE, "action": "set", "from": "90", "to": "120" });
    assert_eq!(draft["changes"], json!([change]));
    assert_eq!(page.field(row, "Default__BP_Door_C", ANGLE)["text"], "120");
    assert_eq!(page.fields(row, "")["changed"], json!([[ANGLE, "90", "120"]]));

    // Back to what it was is no change, and steps can be taken back.
    assert_eq!(page.edit(row, ANGLE, &set("90"))["total"], 0);
    assert_eq!(page.post("api/draft/undo", &json!({})).json()["total"], 1);
    assert_eq!(page.post("api/draft/redo", &json!({})).json()["total"], 0);
    assert_eq!(page.post("api/draft/redo", &json!({})).status, 409);
    assert_eq!(page.post("api/draft/undo", &json!({})).json()["total"], 1);

    let made = page.save("Doors", "mod");
    assert_eq!((&made["packages"], &made["warnings"]), (&json!(1), &json!([])), "{made}");
    let own = saved.path().join("Doors_P.utoc");
    assert_eq!(made["path"], text(&own));
    let by_command = saved.path().join("command/Doors_P.utoc");
    let args = ["set", &format!("{}:{DOOR}", demo()), ANGLE, "120", "-o", text(&by_command)];
    uncask(&args).ok();
    for extension in ["ucas", "pak"] {
        assert_same(&own.with_extension(extension), &by_command.with_extension(extension));
    }
    // Nothing is replaced unless that is asked for.
    let again = json!({ "name": "Doors", "form": "mod" });
    assert_eq!(page.post("api/draft/save", &again).status, 422);
    let again = json!({ "name": "Doors_P", "form": "mod", "overwrite": true });
    assert_eq!(page.post("api/draft/save", &again).status, 200);
    assert_eq!(page.post("api/draft/save", &json!({ "name": "../x", "form": "mod" })).status, 400);
    assert_eq!(page.post("api/draft/remove", &json!({ "kind": "value", "at": 7 })).status, 409);
    assert_eq!(page.post("api/draft/remove", &json!({ "kind": "value", "at": 0 })).json()["total"], 0);
    assert_eq!(page.post("api/draft/save", &json!({ "name": "None", "form": "mod" })).status, 422);
}

#[test]
fn nothing_is_saved_without_a_folder_for_it() {
    let page = Page::with_demo(None);
    page.edit(page.row(DOOR), ANGLE, &set("120"));
    assert_eq!(page.post("api/draft/save", &json!({ "name": "Doors", "form": "mod" })).status, 403);
    assert_eq!(page.post("api/draft/save", &json!({ "name": "Doors", "form": "recipe" })).status, 403);
}

/// Every value that can be edited has a text that sets it to the same value.
fn check_all(page: &Page, row: u64, at: &str, count: &mut usize) {
    let found = page.fields(row, at);
    for field in found["fields"].as_array().unwrap() {
        let address = field["address"].as_str().unwrap();
        match field["kind"].as_str().unwrap() {
            "object" | "struct" | "list" | "map" | "rows" => check_all(page, row, address, count),
            "other" => {}
            kind => {
                let value = field["text"].as_str().unwrap();
                // An empty text stands for no object.
                let answer = page.ask("check", row, address, &set(value));
                assert_eq!(answer.status, 200, "{address} ({kind}) = {value:?}: {}", answer.json());
                *count += 1;
            }
        }
    }
}

#[test]
fn the_texts_of_all_values_set_them() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut counts = Vec::new();
    for cook in ["tagged", "unversioned"] {
        let (page, _) = fixture(&corpus, cook, folder.path(), folder.path());
        for name in ["Properties/DA_AllProperties", "DataTables/DT_AllProperties"] {
            let mut count = 0;
            check_all(&page, page.row(&format!("/Game/Fixtures/{name}")), "", &mut count);
            counts.push(count);
        }
        assert_eq!(page.get("api/draft").json()["can_undo"], false);
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn rows_elements_and_keys_come_and_go_and_the_recipe_makes_the_same_mod() {
    let Some(corpus) = corpus() else { return };
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path().join("saved");
        std::fs::create_dir(&saved).unwrap();
        let (page, game) = fixture(&corpus, cook, folder.path(), &saved);
        let table = page.row("/Game/Fixtures/DataTables/DT_AllProperties");
        let asset = page.row("/Game/Fixtures/Properties/DA_AllProperties");
        assert_eq!(page.fields(table, "DT_AllProperties.Rows")["inside"], "rows");
        page.edit(table, "DT_AllProperties.Delta", &set(r#"{"Number":7}"#));
        page.edit(table, "DT_AllProperties.Rows[Beta]", &json!({ "action": "remove" }));
        let values = page.fields(table, "DT_AllProperties.Rows[Alpha].Values");
        let len = values["total"].as_u64().unwrap();
        page.edit(
            table,
            "DT_AllProperties.Rows[Alpha].Values",
            &json!({ "action": "append", "value": "99" }),
        );
        let values = page.fields(table, "DT_AllProperties.Rows[Alpha].Values");
        assert_eq!((values["total"].as_u64().unwrap(), values["inside"].as_str()), (len + 1, Some("list")));
        assert_eq!(values["fields"][usize::try_from(len).unwrap()]["text"], "99");
        let rows = page.fields(table, "DT_AllProperties.Rows");
        let names: Vec<&str> =
            rows["fields"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"[Delta]") && !names.contains(&"[Beta]"), "{names:?}");
        page.edit(
            asset,
            "DA_AllProperties.IntegerMap",
            &json!({ "action": "append", "key": "New", "value": "5" }),
        );
        assert_eq!(
            page.field(asset, "DA_AllProperties.IntegerMap", "DA_AllProperties.IntegerMap[New]")["text"],
            "5"
        );
        // An object that the package does not import yet.
        let texture = "DA_AllProperties.HardTextureReference";
        page.edit(asset, texture, &set("/Game/Fixtures/Textures/T_BC1.T_BC1"));
        let shown = page.field(asset, "DA_AllProperties", texture);
        assert!(shown["text"].as_str().unwrap().contains("T_BC1"), "{shown}");

        page.save("All", "mod");
        page.save("All", "recipe");
        let again = folder.path().join("again");
        std::fs::create_dir(&again).unwrap();
        let other = Page::start(Some(&again));
        let mappings = corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
        other.post("api/open", &json!({ "path": game, "mappings": mappings }));
        let opened = other.post("api/draft/open", &json!({ "path": saved.join("All") })).json();
        assert_eq!((&opened["total"], &opened["name"]), (&json!(5), &json!("All")), "{opened}");
        assert_eq!(opened["changes"], page.get("api/draft").json()["changes"]);
        other.save("All", "mod");
        let (command, recipe) = (folder.path().join("command/All_P.utoc"), saved.join("All"));
        let [command_text, recipe] = [&command, &recipe].map(|path| text(path));
        let args = ["build", recipe, "--game", &game, "-o", command_text, "--mappings", text(&mappings)];
        uncask(&args).ok();
        for mod_file in [again.join("All_P.ucas"), command.with_extension("ucas")] {
            assert_same(&mod_file, &saved.join("All_P.ucas"));
        }
    }
}

#[test]
fn enums_have_their_names_and_objects_what_they_leave_out() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    for cook in ["tagged", "unversioned"] {
        let (page, _) = fixture(&corpus, cook, folder.path(), folder.path());
        let asset = page.row("/Game/Fixtures/Properties/DA_AllProperties");
        let found = page.fields(asset, "DA_AllProperties");
        let fields = found["fields"].as_array().unwrap();
        let choices = fields.iter().find(|field| field["kind"] == "enum").unwrap();
        assert!(choices["choices"].as_array().unwrap().len() > 1, "{cook}: {choices}");
        let unset = found["unset"].as_array().unwrap();
        assert!(!unset.is_empty(), "{cook}");
        for member in unset.iter().filter(|member| member[1] == "Optional<Int>") {
            let address = format!("DA_AllProperties.{}", member[0].as_str().unwrap());
            assert_eq!(page.edit(asset, &address, &set("3"))["total"], 1);
            assert_eq!(page.field(asset, "DA_AllProperties", &address)["text"], "3");
        }
    }
}

#[test]
fn a_picture_is_replaced_as_by_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::with_demo(Some(folder.path()));
    let row = page.row("/Game/Textures/T_Rock");
    let png = page.get(&format!("api/download?row={row}&form=png")).body;
    let address = format!("api/edit/picture?row={row}");
    assert_eq!(page.send(&address, b"GIF89a").status, 422);
    assert_eq!(page.send(&address, &png[..png.len() / 2]).status, 422);
    let door = page.row(DOOR);
    assert_eq!(page.send(&format!("api/edit/picture?row={door}"), &png).status, 422, "no texture");
    assert_eq!(page.get("api/draft").json()["total"], 0);

    // Another picture of the same size.
    let mut picture = image_of(&png);
    picture.iter_mut().step_by(4).for_each(|red| *red = 255 - *red);
    let file = folder.path().join("new.png");
    write_png(&file, &picture);
    let draft = page.send(&address, &bytes(&file)).json();
    assert_eq!((&draft["total"], &draft["changes"][0]["to"]), (&json!(1), &json!("T_Rock.png")), "{draft}");
    assert_eq!(page.send(&address, &bytes(&file)).json()["total"], 1, "in place of the first one");
    page.save("Rock", "mod");
    page.save("Rock", "recipe");
    let by_command = folder.path().join("command/Rock_P.utoc");
    let texture = format!("{}:/Game/Textures/T_Rock", demo());
    uncask(&["replace", &texture, text(&file), "-o", text(&by_command)]).ok();
    let own = folder.path().join("Rock_P.ucas");
    assert_same(&own, &by_command.with_extension("ucas"));
    assert_same(&folder.path().join("Rock/pictures/T_Rock.png"), &file);
    let built = folder.path().join("built/Rock_P.utoc");
    uncask(&["build", text(&folder.path().join("Rock")), "--game", &demo(), "-o", text(&built)]).ok();
    assert_same(&own, &built.with_extension("ucas"));
}

/// Pixels of a PNG with four channels.
fn image_of(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (256, 256, png::ColorType::Rgba));
    pixels
}

fn write_png(file: &Path, pixels: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(file).unwrap(), 256, 256);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
}

#[test]
fn texts_are_searched_and_edited() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let real = corpus.join("found/locres/v0-a-kushnir-Content_Localization_Game_de_Game.locres");
    let (loose, paks) = (folder.path().join("Loose"), folder.path().join("Paks"));
    let place = "Game/Content/Localization/Game/de/Game.locres";
    std::fs::create_dir_all(loose.join(place).parent().unwrap()).unwrap();
    std::fs::copy(&real, loose.join(place)).unwrap();
    std::fs::create_dir(&paks).unwrap();
    uncask(&["pack", text(&loose), "-o", text(&paks.join("pakchunk0-Game.pak"))]).ok();
    let saved = folder.path().join("saved");
    std::fs::create_dir(&saved).unwrap();
    let page = Page::start(Some(&saved));
    page.open(&paks, &[]);
    let row = page.rows("Game.locres")["rows"][0]["row"].as_u64().unwrap();
    let all = page.get(&format!("api/texts?row={row}")).json();
    let total = all["total"].as_u64().unwrap();
    assert!(total > 10 && all["culture"] == "de" && all["problems"] == json!([]), "{all}");
    let first = all["texts"][0].clone();
    let key = first["key"].as_str().unwrap();
    let found = page.get(&format!("api/texts?row={row}&search={}", key.to_lowercase())).json();
    assert!((1..total).contains(&found["total"].as_u64().unwrap()), "{found}");
    let rest = page.get(&format!("api/texts?row={row}&from={}", total - 1)).json();
    assert_eq!(rest["texts"].as_array().unwrap().len(), 1);
    let edit = |from: &Value, set: &str| {
        let mut edit = json!({ "file": all["file"], "culture": "de", "from": from, "set": set });
        for name in ["namespace", "key"] {
            edit[name] = first[name].clone();
        }
        page.post("api/edit/text", &edit).json()
    };
    edit(&first["text"], "Un");
    let draft = edit(&json!("Un"), "Deux");
    assert_eq!((&draft["total"], &draft["changes"][0]["from"]), (&json!(1), &first["text"]), "{draft}");
    let made = page.save("French", "mod");
    assert_eq!((&made["texts"], &made["doubts"]), (&json!(1), &json!([])), "{made}");
    let table = folder.path().join("table.csv");
    uncask(&["texts", "export", text(&saved.join("French_P.pak")), "-o", text(&table)]).ok();
    let table = std::fs::read_to_string(&table).unwrap();
    assert!(table.contains("Deux") && table.lines().count() as u64 > total, "{table}");
    assert_eq!(edit(&json!("Deux"), first["text"].as_str().unwrap())["total"], 0);
}

/// A recipe for another build may have changes that are refused; what is edited beside them stays.
#[test]
fn an_edit_stays_beside_a_change_that_is_refused() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (page, _) = fixture(&corpus, "tagged", folder.path(), folder.path());
    let package = "/Game/Fixtures/DataTables/DT_AllProperties";
    let recipe = folder.path().join("mod.toml");
    let toml = format!(
        "[[change]]\npackages = \"{package}\"\nproperty = \"DT_AllProperties.Alpha.Number\"\nset = \"wide\"\n"
    );
    std::fs::write(&recipe, toml).unwrap();
    let row = page.row(package);
    assert_eq!(page.post("api/draft/open", &json!({ "path": recipe })).json()["total"], 1);
    let problems = page.fields(row, "")["problems"].clone();
    assert!(problems[0].as_str().unwrap().contains("wide"), "{problems}");
    assert_eq!(page.edit(row, "DT_AllProperties.Rows[Defaults].Number", &set("5"))["total"], 2);
    assert_eq!(page.post("api/draft/save", &json!({ "name": "Table", "form": "mod" })).status, 422);
    // Without the refused one, the mod is made.
    assert_eq!(page.post("api/draft/remove", &json!({ "kind": "value", "at": 0 })).json()["total"], 1);
    assert_eq!(page.save("Table", "mod")["packages"], 1);
}
