//! What can be asked for.
//!
//! | address | answer |
//! |---|---|
//! | `/`, `/main.js`, … | the page |
//! | `GET /api/game` | what is open |
//! | `POST /api/open` | opens a game |
//! | `POST /api/compare` | opens another build beside it, and compares |
//! | `POST /api/compare/end` | closes the other build |
//! | `POST /api/forget` | forgets a game that was opened, and its keys |
//! | `POST /api/rows` | rows that a search finds |
//! | `GET /api/tree` | folders in a folder |
//! | `GET /api/row` | the row of a path or a package name |
//! | `GET /api/chunk` | what a chunk is: what `inspect` shows |
//! | `GET /api/bytes` | some of its bytes |
//! | `GET /api/properties` | the values of its objects |
//! | `GET /api/references` | packages that it needs, or that need it |
//! | `GET /api/preview` | makes files that a browser shows |
//! | `GET /made/N/PATH` | one of these files |
//! | `GET /api/download` | a chunk in a form: a file, or a zip |
//! | `POST /api/select`, `GET /api/zip` | what a search finds, as a zip |
//! | `POST /api/save` | what a search finds, into the folder for saving |
//! | `POST /api/end` | ends the program |

mod chunk;
mod compare;
mod open;
mod references;
mod rows;
mod saving;
mod selection;
mod shown;
mod state;

pub(super) use state::State;

use super::guard::Pass;
use super::page;
use super::reply::{self, Refusal, Reply};
use super::request::Parameters;
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request};
use std::sync::Arc;

/// Answers a request.
pub(super) async fn answer(state: &Arc<State>, request: Request<Incoming>) -> Reply {
    let (parts, body) = request.into_parts();
    let path = match state.guard.check(&parts) {
        Ok(Pass::Path(path)) => path,
        Ok(Pass::Enter) => return reply::enter(&state.guard.page(), &state.guard.cookie()),
        Ok(Pass::Late) => return reply::late(),
        Err(refusal) => return refusal.reply(),
    };
    if let Err(refusal) = check_game(state, &path, &parts.headers) {
        return refusal.reply();
    }
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default());
    let answered = match parts.method {
        Method::POST => post(state, &path, body).await,
        _ => get(state, &path, &parameters, &parts.headers).await,
    };
    answered.unwrap_or_else(|refusal| refusal.reply())
}

/// Rows are numbered anew with each game: requests of a page that shows another one are refused.
fn check_game(state: &State, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
    let number = headers.get("uncask-game").and_then(|number| number.to_str().ok()?.parse::<u32>().ok());
    let Some(number) = number else { return Ok(()) };
    if matches!(path, "/api/open" | "/api/game" | "/api/end") || state.opened()?.number == number {
        return Ok(());
    }
    Err(Refusal::other_game())
}

async fn get(
    state: &Arc<State>,
    path: &str,
    parameters: &Parameters,
    headers: &HeaderMap,
) -> Result<Reply, Refusal> {
    if let Some((kind, bytes)) = page::part(path) {
        return Ok(reply::whole(kind, bytes));
    }
    match path {
        "/api/game" => open::summary(state),
        "/api/tree" => rows::tree(state, parameters).await,
        "/api/row" => rows::find(state, parameters).await,
        "/api/chunk" => chunk::facts(state, parameters).await,
        "/api/bytes" => chunk::bytes(state, parameters).await,
        "/api/properties" => chunk::properties(state, parameters).await,
        "/api/references" => references::references(state, parameters).await,
        "/api/preview" => shown::preview(state, parameters).await,
        "/api/download" => saving::download(state, parameters).await,
        "/api/zip" => saving::zip(state, parameters).await,
        _ => match path.strip_prefix("/made/") {
            Some(path) => shown::made(state, path, headers),
            None => Err(Refusal::not_found("there is no such address")),
        },
    }
}

async fn post(state: &Arc<State>, path: &str, body: Incoming) -> Result<Reply, Refusal> {
    match path {
        "/api/open" => open::open(state, body).await,
        "/api/compare" => compare::compare(state, body).await,
        "/api/compare/end" => compare::end(state),
        "/api/forget" => open::forget(state, body).await,
        "/api/rows" => rows::rows(state, body).await,
        "/api/select" => saving::select(state, body).await,
        "/api/save" => saving::save(state, body).await,
        "/api/end" => {
            state.end();
            reply::json(&())
        }
        _ => Err(Refusal::not_found("there is no such address")),
    }
}
