use crate::case::{all_rows, check, equal, refused, run, Outcome, Settings, Verdict, REPLICATION};
use crate::say;
use crate::types::RawBytes;
use scylla::errors::DbError;
use scylla::statement::{Consistency, SerialConsistency, Statement};
use scylla::value::CqlValue::*;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, BufReader};

pub async fn errors(s: &Settings) -> Outcome {
    let session = s.session().await?;
    let keyspace = &s.keyspace;
    run(&session, "CREATE TABLE wrong (a int, b int, c int, v text, PRIMARY KEY ((a, b), c))", ()).await?;
    let undefined = format!("Undefined column name missing in table {keyspace}.wrong");
    for (statement, kind, begin) in [
        ("SELEC * FROM wrong", DbError::SyntaxError, "line 1:0 no viable alternative at input 'SELEC'"),
        ("SELECT * FROM missing", DbError::Invalid, "table missing does not exist"),
        ("SELECT * FROM nowhere_at_all.t", DbError::Invalid, "keyspace nowhere_at_all does not exist"),
        ("SELECT missing FROM wrong", DbError::Invalid, undefined.as_str()),
        ("INSERT INTO wrong (a, b, c, v) VALUES ('x', 1, 1, 'v')", DbError::Invalid, "Invalid STRING constant (x) for \"a\" of type int"),
        ("INSERT INTO wrong (a, c, v) VALUES (1, 1, 'v')", DbError::Invalid, "Some partition key parts are missing: b"),
        ("INSERT INTO wrong (a, b, v) VALUES (1, 1, 'v')", DbError::Invalid, "Some clustering keys are missing: c"),
        ("SELECT * FROM wrong WHERE v = 'x'", DbError::Invalid, "Cannot execute this query as it might involve data filtering"),
        ("DROP TABLE system.local", DbError::Unauthorized, ""),
    ] {
        refused(session.query_unpaged(statement, ()).await, &kind, begin)?;
    }
    let exists = |table: &str| DbError::AlreadyExists { keyspace: keyspace.clone(), table: table.into() };
    let again = session.query_unpaged("CREATE TABLE wrong (k int PRIMARY KEY)", ()).await;
    refused(again, &exists("wrong"), &format!("Cannot add already existing table \"wrong\" to keyspace \"{keyspace}\""))?;
    let again = session.query_unpaged(format!("CREATE KEYSPACE {keyspace}{REPLICATION}"), ()).await;
    refused(again, &exists(""), &format!("Cannot add existing keyspace \"{keyspace}\""))?;
    let insert = session.prepare("INSERT INTO wrong (a, b, c, v) VALUES (?, 1, 1, 'v')").await?;
    let short = session.execute_unpaged(&insert, (RawBytes(vec![1, 2, 3]),)).await;
    refused(short, &DbError::Invalid, "Expected 4 or 0 byte int (3)")
}

pub async fn tracing(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE traced (k int PRIMARY KEY, v text)", ()).await?;
    let mut insert = Statement::new("INSERT INTO traced (k, v) VALUES (1, 'x')");
    insert.set_tracing(true);
    let id = session.query_unpaged(insert, ()).await?.tracing_id();
    let trace = session.get_tracing_info(&id.ok_or(Verdict::Fail("no trace id".into()))?).await?;
    check(trace.coordinator.is_some() && trace.duration.is_some_and(|d| d > 0), "coordinator or duration is missing")?;
    check(!trace.events.is_empty(), "the trace has no events")
}

/// Tests warnings only, because the driver sends no custom payload.
pub async fn warnings(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE warned (k int PRIMARY KEY, v text)", ()).await?;
    let mut insert = Statement::new("INSERT INTO warned (k, v) VALUES (1, 'x')");
    insert.set_consistency(Consistency::Quorum);
    insert.set_serial_consistency(Some(SerialConsistency::LocalSerial));
    session.query_unpaged(insert, ()).await?;
    let keyspace = format!("{}_warned", s.keyspace);
    let answer = run(&session, format!("CREATE KEYSPACE {keyspace}{}", REPLICATION.replace("'1'", "'3'")), ()).await?;
    let warnings: Vec<&str> = answer.warnings().collect();
    let begin = format!("Your replication factor 3 for keyspace {keyspace} is higher than the number of nodes 1");
    check(warnings.first().is_some_and(|w| w.starts_with(&begin)), format!("warnings: {warnings:?}"))
}

pub async fn reconnect(s: &Settings) -> Outcome {
    if !s.restart {
        return Err(Verdict::NotRun("nobody restarts the server (restart=yes)".into()));
    }
    let session = s.session().await?;
    run(&session, "CREATE TABLE lasting (k int PRIMARY KEY, v text)", ()).await?;
    let insert = session.prepare("INSERT INTO lasting (k, v) VALUES (?, ?)").await?;
    let select = session.prepare("SELECT v FROM lasting WHERE k = ?").await?;
    session.execute_unpaged(&insert, (1, "v1")).await?;
    say("RESTART");
    let mut line = String::new();
    BufReader::new(tokio::io::stdin()).read_line(&mut line).await?;
    equal(line.as_str(), "GO\n", "answer to RESTART")?;
    let end = Instant::now() + Duration::from_secs(30);
    let found = loop {
        match session.execute_unpaged(&select, (1,)).await {
            Ok(answer) => break all_rows(answer.into_rows_result()?)?,
            Err(error) => check(Instant::now() < end, format!("no connection 30 s after the restart: {error}"))?,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    equal(found, [[Some(Text("v1".into()))]], "the row written before the restart")?;
    session.execute_unpaged(&insert, (2, "v2")).await?;
    let found = all_rows(session.execute_unpaged(&select, (2,)).await?.into_rows_result()?)?;
    equal(found, [[Some(Text("v2".into()))]], "a row written after the restart")
}
