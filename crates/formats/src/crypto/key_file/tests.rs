use super::*;

const GUID: &str = "000000010000000200000003DEADBEEF";
/// Base64 of 0, 1, …, 31, without the slashes and pluses that JSON writers escape.
const COUNT: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn count() -> AesKey {
    AesKey::new(std::array::from_fn(|i| u8::try_from(i).unwrap()))
}

fn guid() -> Guid {
    GUID.parse().unwrap()
}

fn message(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn crypto_json_gives_the_main_key_and_the_others() {
    let text = format!(
        r#"{{
            "$type": "1",
            "EncryptionKey": {{ "$type": "2", "Name": null, "Guid": "{zero}", "Key": "{COUNT}" }},
            "SigningKey": {{ "PublicKey": {{ "Exponent": "AQAB", "Modulus": "" }} }},
            "bEnablePakSigning": false,
            "SecondaryEncryptionKeys": [
                {{ "Name": "DLC", "Guid": "{GUID}", "Key": "{COUNT}" }},
                {{ "Name": "unused", "Guid": "{GUID}", "Key": "" }}
            ]
        }}"#,
        zero = "0".repeat(32)
    );
    let expected = [(Some(Guid::ZERO), count()), (Some(guid()), count())];
    assert_eq!(parse(text.as_bytes()).unwrap(), expected);
    assert_eq!(parse(format!("\u{FEFF}{text}").as_bytes()).unwrap(), expected, "with a byte order mark");
}

#[test]
fn an_empty_crypto_json_has_no_keys() {
    let text =
        r#"{ "EncryptionKey": { "Name": "", "Guid": "", "Key": "" }, "SecondaryEncryptionKeys": null }"#;
    assert_eq!(parse(text.as_bytes()).unwrap(), []);
    assert_eq!(parse(b"{}").unwrap(), []);
    assert_eq!(parse(b"").unwrap(), []);
}

#[test]
fn a_map_names_each_key_by_its_guid() {
    let hex = "00".repeat(32);
    let text = format!(
        r#"{{"$comment": "x", "{{00000001-0000-0002-0000-0003DEADBEEF}}": "{COUNT}", "{}": "0x{hex}"}}"#,
        "0".repeat(32)
    );
    assert_eq!(
        parse(text.as_bytes()).unwrap(),
        [(Some(guid()), count()), (Some(Guid::ZERO), AesKey::new([0; 32]))]
    );
    let escaped = format!(r#"{{"{GUID}": "{}"}}"#, COUNT.replace('=', "\\u003d"));
    assert_eq!(parse(escaped.as_bytes()).unwrap(), [(Some(guid()), count())]);
}

#[test]
fn a_key_list_has_both_spellings() {
    let text = format!(
        r#"{{ "version": "1.0", "mainKey": "0x{hex}", "unloaded": [],
            "dynamicKeys": [
                {{ "name": "pakchunk10-WindowsClient.utoc", "guid": "{GUID}", "key": "{COUNT}", "size": {{}} }},
                {{ "pakFilename": "pakchunk11.pak", "pakGuid": "{GUID}", "key": "{COUNT}" }} ] }}"#,
        hex = "00".repeat(32)
    );
    let list = parse(text.as_bytes()).unwrap();
    assert_eq!(
        list,
        [(Some(Guid::ZERO), AesKey::new([0; 32])), (Some(guid()), count()), (Some(guid()), count())]
    );
}

#[test]
fn lines_may_have_comments_and_braces() {
    let text =
        format!("# my keys\r\n\r\n{COUNT}  # main\r\n{{00000001-0000-0002-0000-0003DEADBEEF}}={COUNT}\r\n");
    assert_eq!(parse(text.as_bytes()).unwrap(), [(None, count()), (Some(guid()), count())]);
    let braced_first = format!("{{00000001-0000-0002-0000-0003DEADBEEF}}={COUNT}");
    assert_eq!(parse(braced_first.as_bytes()).unwrap(), [(Some(guid()), count())]);
}

#[test]
fn errors_say_where_and_never_what() {
    let looks = "this is a GUID, not a key, expected 64 hex digits or base64 of 32 bytes";
    assert_eq!(message(&format!("# one\n{GUID}")), format!("{looks}: line 2"));
    assert_eq!(
        message(&format!(r#"{{"{COUNT}": "{GUID}"}}"#)),
        "the name of the key is not a GUID, expected 32 hex digits: entry 1"
    );
    assert_eq!(message(r#"{"mainKey": "0x12"}"#), "the key has 2 hex digits, expected 64: mainKey");
    assert_eq!(
        message(&format!(r#"{{"EncryptionKey": {{"Key": "{GUID}"}}}}"#)),
        format!("{looks}: EncryptionKey")
    );
    assert_eq!(
        message(r#"{"dynamicKeys": [{"guid": "?", "key": "12"}]}"#),
        "the name of the key is not a GUID, expected 32 hex digits: dynamicKeys[0]"
    );
    assert_eq!(
        message("{\n\"SecondaryEncryptionKeys\": \"c0ffee\"}"),
        "the key file is not valid JSON, or of an unknown form: line 2, column 35"
    );
}

#[test]
fn what_is_no_key_file_is_refused() {
    assert_eq!(
        message(&"#".repeat(MAX_KEY_FILE_LEN + 1)),
        "the key file has 1048577 bytes, expected at most 1048576"
    );
    assert_eq!(parse(&"#".repeat(MAX_KEY_FILE_LEN).into_bytes()).unwrap(), []);
    assert_eq!(parse(b"ab\xFFcd").unwrap_err().to_string(), "the key file is not UTF-8 at offset 0x2");
}

/// Output of Windows PowerShell for `"KEY" > key.txt`, and of Notepad for "Unicode big endian".
#[test]
fn a_file_may_be_utf_16() {
    let text = format!("# mine\r\n{}\r\n\r\n", "07".repeat(32));
    let plain = parse(text.as_bytes()).unwrap();
    assert_eq!(plain.len(), 1);
    let marked = |mark: [u8; 2], unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.into_iter().chain(text.encode_utf16().flat_map(unit)).collect()
    };
    assert_eq!(parse(&marked([0xFF, 0xFE], u16::to_le_bytes)).unwrap(), plain);
    assert_eq!(parse(&marked([0xFE, 0xFF], u16::to_be_bytes)).unwrap(), plain);
    let cut = marked([0xFF, 0xFE], u16::to_le_bytes);
    let error = parse(&cut[..cut.len() - 1]).unwrap_err().to_string();
    assert_eq!(error, format!("the key file is not UTF-16LE at offset {:#x}", cut.len() - 2));
}
