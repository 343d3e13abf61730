use crate::browse::refusal::Refusal;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status: 200, or another one if the request is refused. Then the bytes are the reason, in JSON.
    pub status: u16,
    /// MIME type of the bytes.
    pub kind: &'static str,
    /// The bytes.
    pub bytes: Bytes,
    /// File name, if the answer is a file to save.
    pub name: Option<String>,
}

impl Answer {
    /// An answer with bytes of a type.
    pub(in crate::browse) fn new(kind: &'static str, bytes: impl Into<Bytes>) -> Self {
        Self { status: 200, kind, bytes: bytes.into(), name: None }
    }

    pub(in crate::browse) fn json(value: &impl Serialize) -> Result<Self, Refusal> {
        let text = serde_json::to_vec(value).map_err(|error| Refusal::internal(error.to_string()))?;
        Ok(Self::new("application/json", text))
    }

    pub(in crate::browse) fn refused(refusal: &Refusal) -> Self {
        // The page shows the message, so a refusal is JSON like everything else.
        let text = serde_json::to_vec(refusal).unwrap_or_default();
        Self { status: refusal.status, ..Self::new("application/json", text) }
    }
}

/// Parses the body of a request.
pub(in crate::browse) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad_request(format!("malformed JSON: {error}")))
}
