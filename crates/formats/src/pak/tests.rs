use super::*;

#[test]
fn no_footer_is_no_pak() {
    assert!(Footer::parse(&[], 0).is_err());
    assert!(Footer::parse(&[0; 300], 300).is_err());
}
