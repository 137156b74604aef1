use crate::case::{check, equal, run, single, Outcome, Settings};
use crate::say;
use scylla::client::session::Session;
use scylla::client::Compression;
use scylla::value::CqlValue;
use std::time::{Duration, Instant};

async fn use_it(session: &Session, table: &str) -> Outcome {
    run(session, format!("CREATE TABLE {table} (k int PRIMARY KEY, v text)"), ()).await?;
    for length in [0, 5, 100_000, 300_000] {
        let text = "wide rows ".repeat(length / 10) + &"x".repeat(length % 10);
        run(session, format!("INSERT INTO {table} (k, v) VALUES (?, ?)"), (length as i32, &text)).await?;
        let back = single(session, &format!("SELECT v FROM {table} WHERE k = {length}")).await?;
        check(back == CqlValue::Text(text), format!("a text of {length} bytes returns as another"))?;
    }
    Ok(())
}

pub async fn plain(s: &Settings) -> Outcome {
    use_it(&s.session().await?, "connect_plain").await
}

pub async fn compressed(s: &Settings) -> Outcome {
    for compression in [Compression::Lz4, Compression::Snappy] {
        let session = s.builder().use_keyspace(&s.keyspace, false).compression(Some(compression)).build().await?;
        use_it(&session, &format!("connect_{}", compression.as_str())).await?;
    }
    Ok(())
}

pub async fn by_default(s: &Settings) -> Outcome {
    let mut times = Vec::new();
    for _ in 0..10 {
        let begin = Instant::now();
        let session = s.builder().build().await?;
        times.push(begin.elapsed());
        equal(single(&session, "SELECT key FROM system.local").await?, CqlValue::Text("local".into()), "key")?;
    }
    times.sort();
    say(&format!("time connect {:.1}", times[5].as_secs_f64() * 1000.0));
    Ok(())
}

/// Tests that the server answers heartbeats: the driver closes a connection if a heartbeat has no answer.
pub async fn idle(s: &Settings) -> Outcome {
    let second = Duration::from_secs(1);
    let session = s.builder().keepalive_interval(second).keepalive_timeout(second / 2).build().await?;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    check(session.get_cluster_state().get_nodes_info()[0].is_connected(), "the connections were closed")?;
    equal(single(&session, "SELECT key FROM system.local").await?, CqlValue::Text("local".into()), "after idling")
}
