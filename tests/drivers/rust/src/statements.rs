use crate::case::{all_rows, check, equal, refused, rows, run, single, Outcome, Settings, REPLICATION};
use scylla::errors::DbError;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::Statement;
use scylla::value::{CqlValue::*, MaybeUnset, Unset};
use std::collections::HashMap;

pub async fn simple(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE simple (k int PRIMARY KEY, v text, w bigint)", ()).await?;
    run(&session, "INSERT INTO simple (k, v, w) VALUES (1, 'one', 10)", ()).await?;
    run(&session, "INSERT INTO simple (k, v, w) VALUES (?, ?, ?) USING TTL 1000", (2, "two", 20i64)).await?;
    let result = run(&session, "SELECT k, v AS name, w, writetime(v), ttl(v) FROM simple WHERE k = 2", ()).await?.into_rows_result()?;
    let columns: Vec<String> = result.column_specs().iter().map(|c| format!("{} {:?}", c.name(), c.typ())).collect();
    equal(columns, ["k Native(Int)", "name Native(Text)", "w Native(BigInt)", "writetime(v) Native(BigInt)", "ttl(v) Native(Int)"],
        "columns")?;
    let from = result.column_specs().get_by_index(0).map(|c| (c.table_spec().ks_name().to_string(), c.table_spec().table_name().to_string()));
    equal(from, Some((s.keyspace.clone(), "simple".to_string())), "where a column is from")?;
    let row = all_rows(result)?.remove(0);
    equal(&row[..3], [Some(Int(2)), Some(Text("two".into())), Some(BigInt(20))], "row")?;
    check(matches!(&row[3..], [Some(BigInt(t)), Some(Int(ttl))] if *t > 1_500_000_000_000_000 && *ttl > 900), "writetime and ttl")?;
    equal(single(&session, "SELECT count(*) FROM simple").await?, BigInt(2), "count")?;
    run(&session, "BEGIN BATCH INSERT INTO simple (k, v) VALUES (3, 'three'); DELETE FROM simple WHERE k = 1; APPLY BATCH", ()).await?;
    equal(single(&session, "SELECT count(*) FROM simple").await?, BigInt(2), "count after a batch by text")?;
    run(&session, "TRUNCATE simple", ()).await?;
    equal(single(&session, "SELECT count(*) FROM simple").await?, BigInt(0), "count after TRUNCATE")?;
    equal(rows(&session, "DESCRIBE TABLE simple", ()).await?.len(), 1, "rows of DESCRIBE")
}

pub async fn prepared(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE prepared (a int, b text, c int, v double, PRIMARY KEY ((a, b), c))", ()).await?;
    let insert = session.prepare("INSERT INTO prepared (v, c, b, a) VALUES (?, ?, ?, ?)").await?;
    let markers: Vec<String> = insert.get_variable_col_specs().iter().map(|c| format!("{} {:?}", c.name(), c.typ())).collect();
    equal(markers, ["v Native(Double)", "c Native(Int)", "b Native(Text)", "a Native(Int)"], "markers")?;
    let mut indexes: Vec<(u16, u16)> = insert.get_variable_pk_indexes().iter().map(|i| (i.sequence, i.index)).collect();
    indexes.sort();
    equal(indexes, [(0, 3), (1, 2)], "partition key indices")?;
    check(insert.is_token_aware(), "the statement is not token aware")?;
    for i in 0..100 {
        session.execute_unpaged(&insert, (i as f64 / 2.0, i, "b", 7)).await?;
    }
    let select = session.prepare("SELECT c FROM prepared WHERE a = ? AND b = ? AND c IN ?").await?;
    let found = all_rows(session.execute_unpaged(&select, (7, "b", vec![3, 5, 1000])).await?.into_rows_result()?)?;
    equal(found, [[Some(Int(3))], [Some(Int(5))]], "IN ?")?;
    let limited = session.prepare("SELECT c FROM prepared WHERE a = 7 AND b = 'b' LIMIT ?").await?;
    let found = all_rows(session.execute_unpaged(&limited, (2,)).await?.into_rows_result()?)?;
    equal(found, [[Some(Int(0))], [Some(Int(1))]], "LIMIT ?")?;
    let counted = session.prepare("SELECT count(*) FROM prepared").await?;
    let found = all_rows(session.execute_unpaged(&counted, ()).await?.into_rows_result()?)?;
    equal(found, [[Some(BigInt(100))]], "no markers")?;

    run(&session, "CREATE TABLE grows (k int PRIMARY KEY, v int)", ()).await?;
    run(&session, "INSERT INTO grows (k, v) VALUES (1, 2)", ()).await?;
    let mut select = session.prepare("SELECT * FROM grows WHERE k = 1").await?;
    select.set_use_cached_result_metadata(false);
    let found = all_rows(session.execute_unpaged(&select, ()).await?.into_rows_result()?)?;
    equal(found, [[Some(Int(1)), Some(Int(2))]], "before ADD")?;
    run(&session, "ALTER TABLE grows ADD added int", ()).await?;
    run(&session, "UPDATE grows SET added = 3 WHERE k = 1", ()).await?;
    let found = all_rows(session.execute_unpaged(&select, ()).await?.into_rows_result()?)?;
    equal(found, [[Some(Int(1)), Some(Int(3)), Some(Int(2))]], "after ADD")
}

pub async fn null_unset(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE unset (k int PRIMARY KEY, v text, w text)", ()).await?;
    let insert = session.prepare("INSERT INTO unset (k, v, w) VALUES (?, ?, ?)").await?;
    session.execute_unpaged(&insert, (1, "v", "w")).await?;
    session.execute_unpaged(&insert, (1, None::<&str>, Unset)).await?;
    equal(rows(&session, "SELECT v, w FROM unset WHERE k = 1", ()).await?, [[None, Some(Text("w".into()))]], "v is null, w stays")?;
    refused(session.execute_unpaged(&insert, (MaybeUnset::<i32>::Unset, "x", "y")).await, &DbError::Invalid, "Invalid unset value for column k")?;
    let null = session.execute_unpaged(&insert, (None::<i32>, "x", "y")).await;
    refused(null, &DbError::Invalid, "Invalid null value in condition for column k")?;
    equal(rows(&session, "SELECT k FROM unset LIMIT ?", (MaybeUnset::<i32>::Unset,)).await?.len(), 1, "rows with an unset LIMIT")
}

/// Tests values by name. The driver puts them into the order of the markers.
pub async fn named(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE named (k int PRIMARY KEY, v text, w int)", ()).await?;
    let values = HashMap::from([("w", Int(3)), ("key", Int(1)), ("value", Text("x".into()))]);
    run(&session, "INSERT INTO named (k, v, w) VALUES (:key, :value, :w)", &values).await?;
    let values = HashMap::from([("w", Int(4)), ("k", Int(2)), ("v", Text("y".into()))]);
    let insert = session.prepare("INSERT INTO named (k, v, w) VALUES (?, ?, ?)").await?;
    session.execute_unpaged(&insert, &values).await?;
    let found = rows(&session, "SELECT v, w FROM named WHERE k IN (1, 2)", ()).await?;
    equal(found, [[Some(Text("x".into())), Some(Int(3))], [Some(Text("y".into())), Some(Int(4))]], "rows")
}

pub async fn batches(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE batched (k int, c int, v text, PRIMARY KEY (k, c))", ()).await?;
    let insert = session.prepare("INSERT INTO batched (k, c, v) VALUES (?, ?, ?)").await?;
    for (k, kind) in [(0, BatchType::Logged), (1, BatchType::Unlogged)] {
        let mut batch = Batch::new(kind);
        batch.append_statement(insert.clone());
        batch.append_statement(format!("INSERT INTO batched (k, c, v) VALUES ({k}, 2, 'simple')").as_str());
        batch.append_statement("UPDATE batched SET v = ? WHERE k = ? AND c = ?");
        batch.set_timestamp(Some(1000 + i64::from(k)));
        session.batch(&batch, ((k, 1, "prepared"), (), ("updated", k, 3))).await?;
        let found = rows(&session, format!("SELECT c, v, writetime(v) FROM batched WHERE k = {k}"), ()).await?;
        let row = |c, v: &str| [Some(Int(c)), Some(Text(v.into())), Some(BigInt(1000 + i64::from(k)))];
        equal(found, [row(1, "prepared"), row(2, "simple"), row(3, "updated")], "rows")?;
    }
    let mut many = Batch::new(BatchType::Unlogged);
    (0..1000).for_each(|_| many.append_statement(insert.clone()));
    let values: Vec<(i32, i32, &str)> = (0..1000).map(|c| (100, c, "many")).collect();
    session.batch(&many, values).await?;
    equal(single(&session, "SELECT count(*) FROM batched WHERE k = 100").await?, BigInt(1000), "rows of the batch of 1,000")
}

pub async fn counters(s: &Settings) -> Outcome {
    use scylla::value::Counter as Count;
    let session = s.session().await?;
    run(&session, "CREATE TABLE counted (k int, c int, s counter static, n counter, m counter, PRIMARY KEY (k, c))", ()).await?;
    let add = session.prepare("UPDATE counted SET n = n + ?, m = m - ? WHERE k = ? AND c = ?").await?;
    run(&session, "UPDATE counted SET n = n + 5 WHERE k = 1 AND c = 1", ()).await?;
    session.execute_unpaged(&add, (Count(1 << 40), Count(2), 1, 1)).await?;
    let mut batch = Batch::new(BatchType::Counter);
    batch.append_statement(add.clone());
    batch.append_statement(add.clone());
    batch.append_statement("UPDATE counted SET s = s + 3 WHERE k = 1");
    session.batch(&batch, ((Count(10), Count(20), 1, 1), (Count(-1), Count(1), 1, 2), ())).await?;
    let found = rows(&session, "SELECT c, s, n, m FROM counted WHERE k = 1", ()).await?;
    let row = |c, n, m| [Some(Int(c)), Some(Counter(Count(3))), Some(Counter(Count(n))), Some(Counter(Count(m)))];
    equal(found, [row(1, (1 << 40) + 15, -22), row(2, -1, -1)], "rows")?;
    run(&session, "DELETE n FROM counted WHERE k = 1 AND c = 1", ()).await?;
    equal(rows(&session, "SELECT n FROM counted WHERE k = 1 AND c = 1", ()).await?, [[None::<i64>]], "a deleted counter")?;
    let mut logged = Batch::new(BatchType::Logged);
    logged.append_statement(add.clone());
    let refusal = session.batch(&logged, ((Count(1), Count(1), 1, 1),)).await;
    let text = refusal.err().map(|e| e.to_string()).unwrap_or_default();
    check(text.contains("Cannot include a counter statement in a logged batch"), format!("a logged batch: {text}"))
}

pub async fn conditions(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE asked (k int, c int, v int, m map<text, int>, PRIMARY KEY (k, c))", ()).await?;
    let set = session.prepare("UPDATE asked SET v = ? WHERE k = ? AND c = ? IF v = ?").await?;
    let put = session.prepare("UPDATE asked SET m[?] = ? WHERE k = ? AND c = ? IF m[?] = ? AND v IN ?").await?;
    let applied = [[Some(Boolean(true))]];
    let answer = all_rows(session.execute_unpaged(&set, (1, 1, 1, None::<i32>)).await?.into_rows_result()?)?;
    equal(answer, &applied, "null is null")?;
    let answer = all_rows(session.execute_unpaged(&set, (2, 1, 1, 7)).await?.into_rows_result()?)?;
    equal(answer, [[Some(Boolean(false)), Some(Int(1))]], "the value that was found")?;
    let answer = all_rows(session.execute_unpaged(&put, ("a", 1, 1, 1, "a", None::<i32>, vec![1, 2])).await?.into_rows_result()?)?;
    equal(answer, &applied, "an element and IN")?;
    let mut batch = Batch::new(BatchType::Logged);
    batch.append_statement(set.clone());
    batch.append_statement(set.clone());
    let half = session.batch(&batch, ((3, 1, 1, 1), (3, 1, 2, Some(5)))).await?.into_rows_result()?;
    equal(all_rows(half)?, [[Some(Boolean(false)), Some(Int(1)), Some(Int(1)), Some(Int(1))]], "half a batch")?;
    let whole = session.batch(&batch, ((3, 1, 1, 1), (3, 1, 2, None::<i32>))).await?.into_rows_result()?;
    equal(all_rows(whole)?, &applied, "a batch whose conditions hold")?;
    equal(rows(&session, "SELECT c, v FROM asked WHERE k = 1", ()).await?, [[Some(Int(1)), Some(Int(3))], [Some(Int(2)), Some(Int(3))]], "rows")
}

/// Tests timestamps. The driver leaves them to the server, unless the program sets one.
pub async fn timestamps(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE times (k int PRIMARY KEY, v text)", ()).await?;
    run(&session, "INSERT INTO times (k, v) VALUES (1, 'default')", ()).await?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_micros() as i64;
    let written = single(&session, "SELECT writetime(v) FROM times WHERE k = 1").await?;
    check(matches!(written, BigInt(t) if (now - t).abs() < 5_000_000), format!("default timestamp {written:?}, now {now}"))?;
    for (v, time) in [("given", 5000), ("older", 4999)] {
        let mut insert = Statement::new("INSERT INTO times (k, v) VALUES (2, ?)");
        insert.set_timestamp(Some(time));
        session.query_unpaged(insert, (v,)).await?;
    }
    let found = rows(&session, "SELECT v, writetime(v) FROM times WHERE k = 2", ()).await?;
    equal(found, [[Some(Text("given".into())), Some(BigInt(5000))]], "the newer stays")
}

pub async fn use_keyspace(s: &Settings) -> Outcome {
    let session = s.session().await?;
    let other = format!("{}_use", s.keyspace);
    run(&session, format!("CREATE KEYSPACE {other}{REPLICATION}"), ()).await?;
    for keyspace in [&s.keyspace, &other] {
        run(&session, format!("CREATE TABLE {keyspace}.place (k int PRIMARY KEY, v text)"), ()).await?;
        run(&session, format!("INSERT INTO {keyspace}.place (k, v) VALUES (1, '{keyspace}')"), ()).await?;
    }
    let select = "SELECT v FROM place WHERE k = 1";
    equal(single(&session, select).await?, Text(s.keyspace.clone()), "the session's keyspace")?;
    session.use_keyspace(&other, false).await?;
    equal(single(&session, select).await?, Text(other.clone()), "after USE")?;
    let Err(error) = session.use_keyspace(format!("{other}_missing"), false).await else {
        return check(false, "USE of a missing keyspace was taken");
    };
    check(format!("{error:?}").contains("Invalid") && error.to_string().contains("does not exist"), format!("{error:?}"))
}
