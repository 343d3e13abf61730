//! Routes: [requests about a game](crate::browse::answers), and those that only a server can answer.
//!
//! | address | answer |
//! |---|---|
//! | `/`, `/main.js`, … | the page |
//! | `GET /api/game` | the open game |
//! | `POST /api/open` | opens a game |
//! | `POST /api/compare` | opens another build beside it, and compares |
//! | `POST /api/compare/end` | closes the other build |
//! | `POST /api/forget` | removes a game and its keys from the list of opened games |
//! | `GET /api/download` | a chunk in a form: a file, or a zip |
//! | `POST /api/select`, `GET /api/zip` | the results of a search, as a zip |
//! | `POST /api/save` | the results of a search, written to the folder for saving |
//! | `POST /api/end` | ends the program |
//!
//! Further ones, for changes, are listed in `drafts` and `editing`.

mod drafts;
mod editing;
mod open;
mod saving;
mod state;

pub(super) use state::State;

use super::guard::Pass;
use super::page;
use super::reply::{self, Refusal, Reply};
use super::request;
use super::visitors::Visit;
use crate::browse::answers::{self, Asked};
use crate::browse::parameters::Parameters;
use crate::job::Context;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request};
use state::lock;
use std::sync::Arc;

/// Beginning of the addresses of what happens to the draft.
const DRAFT: &str = "/api/draft/";

/// Answers a request.
pub(super) async fn answer(state: &Arc<State>, visit: &Visit, request: Request<Incoming>) -> Reply {
    let (parts, body) = request.into_parts();
    // Nothing else is looked at before the guard has accepted the request.
    let path = match state.guard.check(&parts) {
        Ok(Pass::Path(path)) => path,
        Ok(Pass::Enter) => return reply::enter(&state.guard.page(), &state.guard.cookie()),
        // Nobody who is not let in has a second request on a connection.
        Ok(Pass::Late) => return reply::last(reply::late()),
        Err(refusal) => return reply::last(refusal.reply()),
    };
    visit.admit();
    if let Err(refusal) = check_game(state, &path, &parts.headers) {
        return refusal.reply();
    }
    let parameters = Parameters::parse(parts.uri.query().unwrap_or_default());
    // The guard lets only GET, HEAD and POST through, so all that is not POST is a GET.
    let answered = match parts.method {
        Method::POST => post(state, &path, parameters, body).await,
        _ => get(state, &path, parameters, &parts.headers).await,
    };
    answered.unwrap_or_else(|refusal| refusal.reply())
}

/// Refuses requests of a page that shows another game: row numbers are different there.
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
    parameters: Parameters,
    headers: &HeaderMap,
) -> Result<Reply, Refusal> {
    if let Some((kind, bytes)) = page::part(path) {
        return Ok(reply::whole(kind, bytes));
    }
    match path {
        "/api/game" => open::summary(state),
        "/api/draft" => drafts::listing(state).await,
        "/api/download" => saving::download(state, &parameters).await,
        "/api/zip" => saving::zip(state, &parameters).await,
        _ => match path.strip_prefix("/made/") {
            Some(path) => {
                let made = answers::made(&state.kept, path)?;
                Ok(reply::ranged(made.kind, made.bytes, headers))
            }
            None => ask(state, path, parameters, None).await,
        },
    }
}

async fn post(
    state: &Arc<State>,
    path: &str,
    parameters: Parameters,
    body: Incoming,
) -> Result<Reply, Refusal> {
    match path {
        "/api/open" => open::open(state, body).await,
        "/api/compare" => open::compare(state, body).await,
        "/api/compare/end" => open::end_comparison(state),
        "/api/forget" => open::forget(state, body).await,
        "/api/select" => saving::select(state, body).await,
        "/api/save" => saving::save(state, body).await,
        "/api/end" => {
            state.end();
            reply::json(&())
        }
        "/api/edit/fields" => editing::values(state, body).await,
        "/api/edit/json" => editing::json(state, body).await,
        "/api/edit/packages" => editing::packages(state, body).await,
        "/api/edit/check" => editing::value(state, body, true).await,
        "/api/edit/value" => editing::value(state, body, false).await,
        "/api/edit/text" => editing::text(state, body).await,
        "/api/edit/picture" => editing::picture(state, &parameters, body).await,
        "/api/draft/save" => drafts::save(state, body).await,
        _ if path.starts_with(DRAFT) => drafts::change(state, path.trim_start_matches(DRAFT), body).await,
        _ => ask(state, path, parameters, Some(body)).await,
    }
}

/// Answers a request about the open games.
async fn ask(
    state: &State,
    path: &str,
    parameters: Parameters,
    body: Option<Incoming>,
) -> Result<Reply, Refusal> {
    let question = answers::question(path.strip_prefix('/').unwrap_or(path), body.is_some())?;
    let body = match body {
        Some(body) => request::bytes(body).await?,
        None => Bytes::new(),
    };
    // A copy of the handles: the games stay open for this request, even if others are opened meanwhile.
    let asked = Asked { parameters, body, games: lock(&state.games).clone(), kept: state.kept.clone() };
    let cpu = asked.games.opened()?.game.cpu().clone();
    let price = (question.price)(&asked);
    let work = move |context: &Context| (question.answer)(&asked, context);
    Ok(reply::answered(state.workshop.run_with(price, &cpu, work).await?))
}
