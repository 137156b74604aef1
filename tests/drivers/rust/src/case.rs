//! Verdicts, checks and sessions of one case.

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::errors::{DbError, ExecutionError, PrepareError, RequestAttemptError};
use scylla::response::query_result::{QueryResult, QueryRowsResult};
use scylla::serialize::row::SerializeRow;
use scylla::value::{CqlValue, Row};
use std::fmt::Debug;
use std::time::{Duration, Instant};

pub const REPLICATION: &str = " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}";

/// The reason why a case is not `ok`.
pub enum Verdict {
    Fail(String),
    NotApplicable(String),
    NotRun(String),
}

pub type Outcome<T = ()> = Result<T, Verdict>;

impl<E: std::error::Error> From<E> for Verdict {
    fn from(error: E) -> Self {
        Verdict::Fail(error.to_string())
    }
}

/// The arguments of the program.
pub struct Settings {
    pub address: String,
    pub keyspace: String,
    pub restart: bool,
    pub is_widerow: bool, // The server has an HTTP address.
    pub only: Option<Vec<String>>,
    pub user: Option<String>,
    pub password: String,
}

pub fn check(holds: bool, why: impl Into<String>) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(Verdict::Fail(why.into()))
    }
}

/// Compares the printed forms of two values, so that NaN equals itself.
pub fn equal<A: Debug, B: Debug>(actual: A, expected: B, what: &str) -> Outcome {
    let (a, e) = (format!("{actual:?}"), format!("{expected:?}"));
    check(a == e, format!("{what}: {a} instead of {e}"))
}

impl Settings {
    pub fn builder(&self) -> SessionBuilder {
        let builder = SessionBuilder::new().known_node(&self.address).connection_timeout(Duration::from_secs(20));
        match &self.user {
            Some(user) => builder.user(user, &self.password),
            None => builder,
        }
    }

    pub async fn session(&self) -> Outcome<Session> {
        Ok(self.builder().use_keyspace(&self.keyspace, false).build().await?)
    }
}

/// Runs a statement that must succeed. The message of a failure has the statement.
pub async fn run(session: &Session, statement: impl Into<String>, values: impl SerializeRow) -> Outcome<QueryResult> {
    let statement = statement.into();
    let answer = session.query_unpaged(statement.as_str(), values).await;
    answer.map_err(|e| Verdict::Fail(format!("{statement}: {e}")))
}

pub async fn rows(session: &Session, statement: impl Into<String>, values: impl SerializeRow) -> Outcome<Vec<Vec<Option<CqlValue>>>> {
    all_rows(run(session, statement, values).await?.into_rows_result()?)
}

pub fn all_rows(result: QueryRowsResult) -> Outcome<Vec<Vec<Option<CqlValue>>>> {
    let mut all = Vec::new();
    for row in result.rows::<Row>()? {
        all.push(row?.columns);
    }
    Ok(all)
}

/// Returns the first column of the first row.
pub async fn single(session: &Session, statement: &str) -> Outcome<CqlValue> {
    let all = rows(session, statement, ()).await?;
    match all.into_iter().next().and_then(|row| row.into_iter().next()).flatten() {
        Some(value) => Ok(value),
        None => Err(Verdict::Fail(format!("{statement}: no row, or null"))),
    }
}

/// Returns the server's refusal inside a driver's error.
pub fn refusal(error: &ExecutionError) -> Option<(&DbError, &str)> {
    match error {
        ExecutionError::LastAttemptError(RequestAttemptError::DbError(kind, message)) => Some((kind, message)),
        ExecutionError::PrepareError(PrepareError::AllAttemptsFailed { first_attempt: RequestAttemptError::DbError(kind, message) }) => {
            Some((kind, message))
        }
        _ => None,
    }
}

/// Checks that the server refused with `expected` and a message that begins with `begin`.
pub fn refused<T>(answer: Result<T, ExecutionError>, expected: &DbError, begin: &str) -> Outcome {
    let Err(error) = answer else {
        return Err(Verdict::Fail(format!("not refused: {begin}")));
    };
    match refusal(&error) {
        Some((kind, message)) => {
            equal(kind, expected, begin)?;
            check(message.starts_with(begin), format!("message {message:?} instead of {begin:?}"))
        }
        None => Err(Verdict::Fail(format!("{begin:?} is wanted, not {error:?}"))),
    }
}

/// Waits up to 10 s until `holds` returns true.
pub async fn eventually(what: &str, mut holds: impl FnMut() -> bool) -> Outcome {
    let end = Instant::now() + Duration::from_secs(10);
    while !holds() {
        check(Instant::now() < end, format!("{what}: not within 10 s"))?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
