use super::answer::Answer;
use super::asked::Asked;
use super::{bytes, code, facts, preview, properties, references, rows, texts};
use crate::browse::refusal::Refusal;
use crate::job::Context;

/// A kind of request.
#[derive(Debug)]
pub(in crate::browse) struct Question {
    path: &'static str,
    /// True if it has a body.
    posts: bool,
    /// Memory budget of an answer, besides what the answer pays for itself.
    #[cfg_attr(not(feature = "browse"), expect(dead_code, reason = "a page answers one request at a time"))]
    pub price: fn(&Asked) -> u64,
    /// Handler.
    pub answer: fn(&Asked, &Context) -> Result<Answer, Refusal>,
}

const QUESTIONS: [Question; 11] = [
    Question { path: "api/rows", posts: true, price: nothing, answer: rows::rows },
    Question { path: "api/tree", posts: false, price: nothing, answer: rows::tree },
    Question { path: "api/row", posts: false, price: nothing, answer: rows::find },
    Question { path: "api/chunk", posts: false, price: facts::price, answer: facts::facts },
    Question { path: "api/bytes", posts: false, price: bytes::price, answer: bytes::bytes },
    Question {
        path: "api/properties",
        posts: false,
        price: Asked::package_price,
        answer: properties::properties,
    },
    Question { path: "api/texts", posts: false, price: texts::price, answer: texts::texts },
    Question { path: "api/code", posts: false, price: Asked::package_price, answer: code::code },
    Question { path: "api/references", posts: false, price: nothing, answer: references::references },
    Question { path: "api/preview", posts: false, price: nothing, answer: preview::preview },
    Question { path: "api/thumbnail", posts: false, price: nothing, answer: preview::thumbnail },
];

/// The kind of request for an address.
pub(in crate::browse) fn question(path: &str, posts: bool) -> Result<&'static Question, Refusal> {
    let found = QUESTIONS.iter().find(|question| question.path == path && question.posts == posts);
    found.ok_or_else(|| Refusal::not_found("there is no such address"))
}

const fn nothing(_: &Asked) -> u64 {
    0
}
