use crate::case::{all_rows, check, equal, refused, run, Outcome, Settings};
use futures::future::try_join_all;
use futures::StreamExt;
use scylla::errors::DbError;
use scylla::response::PagingState;
use scylla::statement::Statement;
use scylla::value::CqlValue::*;

const ROWS: i32 = 10_000;
const AT_ONCE: i32 = 1000;

pub async fn paging(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE paged (k int, c int, v text, PRIMARY KEY (k, c))", ()).await?;
    let insert = session.prepare("INSERT INTO paged (k, c, v) VALUES (1, ?, ?)").await?;
    for start in (0..ROWS).step_by(500) {
        let writes = (start..start + 500).map(|i| session.execute_unpaged(&insert, (i, format!("row {i}"))));
        try_join_all(writes).await?;
    }
    let mut select = Statement::new("SELECT c, v FROM paged WHERE k = 1");
    select.set_page_size(100);
    let (mut state, mut states, mut row) = (PagingState::start(), Vec::new(), 0);
    loop {
        let (page, next) = session.query_single_page(select.clone(), (), state).await?;
        for found in all_rows(page.into_rows_result()?)? {
            equal(found, [Some(Int(row)), Some(Text(format!("row {row}")))], "row")?;
            row += 1;
        }
        match next.into_paging_control_flow() {
            std::ops::ControlFlow::Continue(next) => state = next,
            std::ops::ControlFlow::Break(()) => break,
        }
        states.push(state.clone());
    }
    equal(row, ROWS, "rows")?;
    check((99..=100).contains(&states.len()), format!("{} pages", states.len() + 1))?;
    for size in [77, 5000] {
        select.set_page_size(size);
        let mut all = session.query_iter(select.clone(), ()).await?.rows_stream::<(i32, String)>()?;
        let mut count = 0;
        while let Some(found) = all.next().await {
            equal(found?.0, count, "automatic paging")?;
            count += 1;
        }
        equal(count, ROWS, &format!("rows with page size {size}"))?;
    }
    select.set_page_size(100);
    let other = s.session().await?;
    let (page, _) = other.query_single_page(select.clone(), (), states[41].clone()).await?;
    let first = all_rows(page.into_rows_result()?)?.remove(0);
    equal(&first[0], Some(Int(4200)), "first row of the page resumed in another session")?;
    let garbage = PagingState::new_from_raw_bytes(vec![0xff, 1, 2, 3, 4]);
    refused(other.query_single_page(select, (), garbage).await, &DbError::ProtocolError, "Invalid value for the paging state")
}

pub async fn concurrent(s: &Settings) -> Outcome {
    let session = s.session().await?;
    run(&session, "CREATE TABLE crowd (k int PRIMARY KEY, v text)", ()).await?;
    let insert = session.prepare("INSERT INTO crowd (k, v) VALUES (?, ?)").await?;
    let select = session.prepare("SELECT v FROM crowd WHERE k = ?").await?;
    try_join_all((0..AT_ONCE).map(|i| session.execute_unpaged(&insert, (i, format!("v{i}"))))).await?;
    let reads = try_join_all((0..AT_ONCE).map(|i| session.execute_unpaged(&select, (i,)))).await?;
    for (i, read) in reads.into_iter().enumerate() {
        equal(all_rows(read.into_rows_result()?)?, [[Some(Text(format!("v{i}")))]], "row")?;
    }
    Ok(())
}
