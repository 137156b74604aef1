//! Runs the cases of tests/drivers/cases.md with the Rust driver, crate `scylla`.

mod altered;
mod case;
mod connect;
mod requests;
mod schema;
mod server;
mod statements;
mod types;

use case::{Outcome, Settings, Verdict, REPLICATION};
use std::io::Write;

const CASES: &[&str] = &[
    "connect_v3", "connect_v3_lz4", "connect_v4", "connect_v4_lz4", "connect_v5", "connect_v5_lz4", "connect_default",
    "idle_heartbeat", "metadata", "metadata_system", "schema_events", "simple_statements", "prepared_statements", "altered_tables", "null_unset",
    "named_values", "batches", "counters", "conditions", "timestamps", "use_keyspace", "types_scalars", "types_limits", "types_collections",
    "types_structured", "types_vectors", "types_all_versions", "paging", "concurrent", "errors", "tracing", "warnings_payload",
    "reconnect",
];

async fn run_case(name: &str, s: &Settings) -> Outcome {
    match name {
        "connect_v3" | "connect_v3_lz4" | "connect_v5" | "connect_v5_lz4" => {
            Err(Verdict::NotApplicable("the driver speaks v4 alone".into()))
        }
        "connect_v4" => connect::plain(s).await,
        "connect_v4_lz4" => connect::compressed(s).await,
        "connect_default" => connect::by_default(s).await,
        "idle_heartbeat" => connect::idle(s).await,
        "metadata" => schema::metadata(s).await,
        "metadata_system" => schema::system(s).await,
        "schema_events" => schema::events(s).await,
        "simple_statements" => statements::simple(s).await,
        "prepared_statements" => statements::prepared(s).await,
        "altered_tables" => altered::tables(s).await,
        "null_unset" => statements::null_unset(s).await,
        "named_values" => statements::named(s).await,
        "batches" => statements::batches(s).await,
        "counters" => statements::counters(s).await,
        "conditions" => statements::conditions(s).await,
        "timestamps" => statements::timestamps(s).await,
        "use_keyspace" => statements::use_keyspace(s).await,
        "types_scalars" => types::round_trip(&s.session().await?, "scalars", types::scalars()).await,
        "types_limits" => types::limits(s).await,
        "types_collections" => types::collections(s).await,
        "types_structured" => types::structured(s).await,
        "types_vectors" => types::round_trip(&s.session().await?, "vectors", types::vectors()).await,
        "types_all_versions" => types::all_versions(s).await,
        "paging" => requests::paging(s).await,
        "concurrent" => requests::concurrent(s).await,
        "errors" => server::errors(s).await,
        "tracing" => server::tracing(s).await,
        "warnings_payload" => server::warnings(s).await,
        "reconnect" => server::reconnect(s).await,
        _ => unreachable!("{name}"),
    }
}

pub fn say(line: &str) {
    println!("{}", line.replace('\n', " / "));
    std::io::stdout().flush().expect("standard output");
}

fn usage(why: &str) -> ! {
    eprintln!("{why}\nusage: run HOST PORT [NAME=VALUE…] (tests/drivers/README.md)");
    std::process::exit(2);
}

fn parse() -> Settings {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [host, port, rest @ ..] = arguments.as_slice() else { usage("host and port are missing") };
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let mut settings = Settings {
        address: format!("{host}:{port}"),
        keyspace: "drivers_rust".into(),
        restart: false,
        is_widerow: false,
        only: None,
        user: None,
        password: String::new(),
    };
    for argument in rest {
        match argument.split_once('=') {
            Some(("driver", "scylla")) => {}
            Some(("http", _)) => settings.is_widerow = true,
            Some(("keyspace", name)) => settings.keyspace = name.into(),
            Some(("restart", value)) => settings.restart = value == "yes",
            Some(("user", name)) => settings.user = Some(name.into()),
            Some(("password", word)) => settings.password = word.into(),
            Some(("only", names)) => settings.only = Some(names.split(',').map(String::from).collect()),
            _ => usage(&format!("unknown argument {argument}")),
        }
    }
    settings
}

async fn drop_keyspaces(s: &Settings) -> Outcome {
    let session = s.builder().build().await?;
    for suffix in ["", "_meta", "_events", "_use", "_warned"] {
        case::run(&session, format!("DROP KEYSPACE IF EXISTS {}{suffix}", s.keyspace), ()).await?;
    }
    Ok(())
}

async fn prepare_keyspace(s: &Settings) -> Outcome {
    drop_keyspaces(s).await?;
    let session = s.builder().build().await?;
    case::run(&session, format!("CREATE KEYSPACE {}{REPLICATION}", s.keyspace), ()).await.map(|_| ())
}

/// Prints the verdict. Returns false if the case failed.
fn report(name: &str, outcome: Outcome) -> bool {
    match outcome {
        Ok(()) => say(&format!("ok {name}")),
        Err(Verdict::NotApplicable(why)) => say(&format!("not-applicable {name}: {why}")),
        Err(Verdict::NotRun(why)) => say(&format!("not-run {name}: {why}")),
        Err(Verdict::Fail(why)) => {
            say(&format!("FAIL {name}: {why}"));
            return false;
        }
    }
    true
}

#[tokio::main]
async fn main() {
    let settings = parse();
    if let Err(verdict) = prepare_keyspace(&settings).await {
        report("connect_default", Err(verdict));
        std::process::exit(1);
    }
    let mut good = true;
    for name in CASES {
        if settings.only.as_ref().is_none_or(|only| only.iter().any(|o| o == name)) {
            good &= report(name, run_case(name, &settings).await);
        }
    }
    let dropped = drop_keyspaces(&settings).await.is_ok();
    std::process::exit(if good && dropped { 0 } else { 1 });
}
