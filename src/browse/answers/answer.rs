use crate::browse::refusal::Refusal;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a question is answered with.
#[derive(Debug)]
pub struct Answer {
    /// The status that HTTP has for it: 200, unless there is no answer. Then the bytes say in JSON why not.
    pub status: u16,
    /// The type of its bytes, as HTTP has it.
    pub kind: &'static str,
    /// The bytes.
    pub bytes: Bytes,
    /// The name to save them under, if they are a file to save.
    pub name: Option<String>,
}

impl Answer {
    /// Bytes of a type.
    pub(in crate::browse) fn new(kind: &'static str, bytes: impl Into<Bytes>) -> Self {
        Self { status: 200, kind, bytes: bytes.into(), name: None }
    }

    pub(in crate::browse) fn json(value: &impl Serialize) -> Result<Self, Refusal> {
        let text = serde_json::to_vec(value).map_err(|error| Refusal::internal(error.to_string()))?;
        Ok(Self::new("application/json", text))
    }

    pub(in crate::browse) fn refused(refusal: &Refusal) -> Self {
        let text = serde_json::to_vec(refusal).unwrap_or_default();
        Self { status: refusal.status, ..Self::new("application/json", text) }
    }
}

/// What was sent with a question.
pub(in crate::browse) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad_request(format!("malformed JSON: {error}")))
}
