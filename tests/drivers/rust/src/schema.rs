use crate::case::{check, equal, eventually, run, Outcome, Settings, Verdict, REPLICATION};
use scylla::client::session::Session;
use scylla::cluster::metadata::{ColumnKind, Keyspace, Strategy};
use std::time::Duration;

/// Tests the driver's metadata, which has no table options, no clustering order and no CREATE text.
pub async fn metadata(s: &Settings) -> Outcome {
    let name = format!("{}_meta", s.keyspace);
    let session = s.builder().build().await?;
    run(&session, format!("CREATE KEYSPACE {name}{REPLICATION} AND durable_writes = false"), ()).await?;
    run(&session, format!("CREATE TYPE {name}.address (street text, zip int)"), ()).await?;
    let table = "site text, day int, at timestamp, seq int, label text STATIC, v double, home frozen<address>, tags set<text>, \
        vec vector<float, 3>, PRIMARY KEY ((site, day), at, seq)";
    run(&session, format!("CREATE TABLE {name}.readings ({table}) WITH CLUSTERING ORDER BY (at DESC, seq ASC)"), ()).await?;
    session.refresh_metadata().await?;
    let state = session.get_cluster_state();
    let keyspace = state.get_keyspace(&name).ok_or(Verdict::Fail("the keyspace is not in the metadata".into()))?;
    check(!keyspace.durable_writes, "durable_writes")?;
    equal(&keyspace.strategy, Strategy::SimpleStrategy { replication_factor: 1 }, "replication")?;
    let table = keyspace.tables.get("readings").ok_or(Verdict::Fail("the table is not in the metadata".into()))?;
    equal(&table.partition_key, ["site", "day"], "partition key")?;
    equal(&table.clustering_key, ["at", "seq"], "clustering columns")?;
    equal(&table.columns["label"].kind, ColumnKind::Static, "kind of label")?;
    let mut columns: Vec<&str> = table.columns.keys().map(String::as_str).collect();
    columns.sort();
    equal(columns, ["at", "day", "home", "label", "seq", "site", "tags", "v", "vec"], "columns")?;
    for (column, kind) in [
        ("site", "Native(Text)"), ("day", "Native(Int)"), ("at", "Native(Timestamp)"), ("v", "Native(Double)"),
        ("tags", "Collection { frozen: false, typ: Set(Native(Text)) }"), ("vec", "Vector { typ: Native(Float), dimensions: 3 }"),
    ] {
        equal(format!("{:?}", table.columns[column].typ), kind, column)?;
    }
    let address = keyspace.user_defined_types.get("address").ok_or(Verdict::Fail("the type is not in the metadata".into()))?;
    let fields: Vec<String> = address.field_types.iter().map(|(field, kind)| format!("{field} {kind:?}")).collect();
    equal(fields, ["street Native(Text)", "zip Native(Int)"], "fields")?;
    check(!keyspace.tables.contains_key("missing"), "a missing table is in the metadata")?;
    check(state.get_keyspace(format!("{name}_missing")).is_none(), "a missing keyspace is in the metadata")
}

pub async fn system(s: &Settings) -> Outcome {
    let session = s.builder().build().await?;
    let state = session.get_cluster_state();
    for (keyspace, table) in [("system", "local"), ("system_schema", "tables")] {
        let found = state.get_keyspace(keyspace).is_some_and(|k| k.tables.contains_key(table));
        check(found, format!("{keyspace}.{table} is not in the metadata"))?;
    }
    check(!state.cluster_name().is_empty(), "no cluster name")?;
    equal(state.get_nodes_info().len(), 1, "nodes")?;
    let node = &state.get_nodes_info()[0];
    check(node.datacenter.is_some() && node.rack.is_some() && !node.host_id.is_nil(), "data centre, rack or host id is missing")?;
    check(node.is_connected(), "the host is not up")?;
    session.await_schema_agreement().await?;
    Ok(())
}

/// Changes the schema with `changer`. `watcher` must learn of the change by an event.
async fn step(watcher: &Session, changer: &Session, name: &str, statement: &str, holds: impl Fn(&Keyspace) -> bool) -> Outcome {
    run(changer, statement.replace("KS", name), ()).await?;
    eventually(statement, || watcher.get_cluster_state().get_keyspace(name).is_some_and(&holds)).await
}

pub async fn events(s: &Settings) -> Outcome {
    let name = format!("{}_events", s.keyspace);
    // The driver collects events. Once an interval, it reads what they name. Without events it does not read the schema.
    let interval = Duration::from_secs(1);
    let watcher = s.builder().cluster_metadata_refresh_interval(interval).build().await?;
    let changer = s.builder().build().await?;
    let (w, c, n) = (&watcher, &changer, name.as_str());
    step(w, c, n, &format!("CREATE KEYSPACE KS{REPLICATION}"), |k| k.durable_writes).await?;
    step(w, c, n, "ALTER KEYSPACE KS WITH durable_writes = false", |k| !k.durable_writes).await?;
    step(w, c, n, "CREATE TABLE KS.t (k int PRIMARY KEY, v text)", |k| k.tables.contains_key("t")).await?;
    step(w, c, n, "ALTER TABLE KS.t ADD w text", |k| k.tables["t"].columns.contains_key("w")).await?;
    step(w, c, n, "CREATE TYPE KS.u (a int)", |k| k.user_defined_types.contains_key("u")).await?;
    step(w, c, n, "ALTER TYPE KS.u ADD b int", |k| k.user_defined_types["u"].field_types.len() == 2).await?;
    step(w, c, n, "DROP TYPE KS.u", |k| !k.user_defined_types.contains_key("u")).await?;
    step(w, c, n, "DROP TABLE KS.t", |k| !k.tables.contains_key("t")).await?;
    run(c, format!("DROP KEYSPACE {n}"), ()).await?;
    eventually("DROP KEYSPACE", || w.get_cluster_state().get_keyspace(n).is_none()).await
}
