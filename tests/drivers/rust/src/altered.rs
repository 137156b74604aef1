//! A session alters tables and types about which other sessions have prepared statements.

use crate::case::{equal, run, Outcome, Settings};
use scylla::client::session::Session;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::prepared::PreparedStatement;
use scylla::value::Row;

struct Reader {
    session: Session,
    select: PreparedStatement,
    what: &'static str,
}

impl Reader {
    async fn new(s: &Settings, cached: bool, what: &'static str) -> Outcome<Reader> {
        let session = s.session().await?;
        let mut select = session.prepare("SELECT * FROM altering WHERE id = ?").await?;
        select.set_use_cached_result_metadata(cached);
        Ok(Reader { session, select, what })
    }

    /// Returns the row of 'u1', with the names of its columns.
    async fn row(&self) -> Outcome<String> {
        let result = self.session.execute_unpaged(&self.select, ("u1",)).await?.into_rows_result()?;
        let names: Vec<String> = result.column_specs().iter().map(|column| column.name().to_string()).collect();
        let columns = result.single_row::<Row>()?.columns;
        let shown = columns.iter().map(|value| value.as_ref().map_or("null".to_string(), |value| value.to_string()));
        Ok(names.iter().zip(shown).map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }
}

async fn reads(readers: &[Reader], expected: &str, when: &str) -> Outcome {
    for reader in readers {
        for _ in 0..2 {
            equal(reader.row().await?, expected, &format!("{}, {when}", reader.what))?;
        }
    }
    Ok(())
}

pub async fn tables(s: &Settings) -> Outcome {
    let other = s.session().await?;
    run(&other, "CREATE TYPE place (street text)", ()).await?;
    run(&other, "CREATE TABLE altering (id text PRIMARY KEY, role text, home frozen<place>)", ()).await?;
    let mut readers = vec![Reader::new(s, false, "described").await?];
    if s.is_widerow {
        // Cassandra tells only one of the sessions about the change.
        readers.push(Reader::new(s, true, "with cached metadata").await?);
        readers.push(Reader::new(s, true, "a second one").await?);
    }
    let first = s.session().await?;
    let insert = first.prepare("INSERT INTO altering (id, role) VALUES (?, ?)").await?;
    first.execute_unpaged(&insert, ("u1", "ann")).await?;
    reads(&readers, "id='u1' home=null role='ann'", "before").await?;

    run(&other, "ALTER TABLE altering ADD email text", ()).await?;
    run(&other, "UPDATE altering SET email = 'a@x' WHERE id = 'u1'", ()).await?;
    reads(&readers, "id='u1' email='a@x' home=null role='ann'", "after ADD").await?;
    first.execute_unpaged(&insert, ("u1", "ben")).await?;
    reads(&readers, "id='u1' email='a@x' home=null role='ben'", "a write after ADD").await?;

    run(&other, "ALTER TYPE place ADD number int", ()).await?;
    run(&other, "UPDATE altering SET home = {street: 'x', number: 2} WHERE id = 'u1'", ()).await?;
    reads(&readers, "id='u1' email='a@x' home={street:'x',number:2} role='ben'", "after ALTER TYPE").await?;

    run(&other, "ALTER TABLE altering DROP email", ()).await?;
    reads(&readers, "id='u1' home={street:'x',number:2} role='ben'", "after DROP").await?;
    run(&other, "ALTER TABLE altering ADD extra text", ()).await?;
    let mut batch = Batch::new(BatchType::Logged);
    batch.append_statement(insert.clone());
    batch.append_statement(insert.clone());
    first.batch(&batch, (("u1", "carl"), ("u2", "dora"))).await?;
    reads(&readers, "id='u1' extra=null home={street:'x',number:2} role='carl'", "a batch after ADD").await?;

    run(&other, "DROP TABLE altering", ()).await?;
    run(&other, "CREATE TABLE altering (id text PRIMARY KEY, added int, role text)", ()).await?;
    first.execute_unpaged(&insert, ("u1", "ann")).await?;
    reads(&readers, "id='u1' added=null role='ann'", "after the table was made again").await
}
