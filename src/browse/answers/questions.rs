use super::answer::Answer;
use super::asked::Asked;
use super::{bytes, facts, preview, properties, references, rows};
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::pipeline::Context;

/// A kind of question.
#[derive(Debug)]
pub(in crate::browse) struct Question {
    path: &'static str,
    /// Whether something is sent with it.
    posts: bool,
    /// Answers it.
    pub answer: fn(&Opened, &Asked, &Context) -> Result<Answer, Refusal>,
}

const QUESTIONS: [Question; 8] = [
    Question { path: "api/rows", posts: true, answer: rows::rows },
    Question { path: "api/tree", posts: false, answer: rows::tree },
    Question { path: "api/row", posts: false, answer: rows::find },
    Question { path: "api/chunk", posts: false, answer: facts::facts },
    Question { path: "api/bytes", posts: false, answer: bytes::bytes },
    Question { path: "api/properties", posts: false, answer: properties::properties },
    Question { path: "api/references", posts: false, answer: references::references },
    Question { path: "api/preview", posts: false, answer: preview::preview },
];

/// The kind of question that an address stands for.
pub(in crate::browse) fn question(path: &str, posts: bool) -> Result<&'static Question, Refusal> {
    let found = QUESTIONS.iter().find(|question| question.path == path && question.posts == posts);
    found.ok_or_else(|| Refusal::not_found("there is no such address"))
}
