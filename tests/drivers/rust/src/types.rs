use crate::case::{equal, rows, run, single, Outcome, Settings};
use scylla::client::session::Session;
use scylla::client::Compression;
use scylla::frame::response::result::ColumnType;
use scylla::serialize::value::SerializeValue;
use scylla::serialize::writers::{CellWriter, WrittenCellProof};
use scylla::serialize::SerializationError;
use scylla::value::CqlValue::{self, *};
use scylla::value::{CqlDate, CqlDecimal, CqlDuration, CqlTime, CqlTimestamp, CqlTimeuuid, CqlVarint};
use std::net::IpAddr;
use uuid::Uuid as Uuid128;

/// A value: its type, its literal, and its form in the driver.
pub struct Value {
    cql: String,
    literal: String,
    rust: Option<CqlValue>,
}

fn value(cql: &str, literal: impl Into<String>, rust: CqlValue) -> Value {
    Value { cql: cql.into(), literal: literal.into(), rust: Some(rust) }
}

/// Bytes that are sent without a change, for any type.
pub struct RawBytes(pub Vec<u8>);

impl SerializeValue for RawBytes {
    fn serialize<'b>(&self, _: &ColumnType, writer: CellWriter<'b>) -> Result<WrittenCellProof<'b>, SerializationError> {
        writer.set_value(&self.0).map_err(SerializationError::new)
    }
}

/// Writes a row by a prepared statement and one by literals. Reads both back.
pub async fn round_trip(session: &Session, table: &str, values: Vec<Value>) -> Outcome {
    let names: Vec<String> = (0..values.len()).map(|i| format!("v{i}")).collect();
    let definitions: Vec<String> = values.iter().enumerate().map(|(i, v)| format!("v{i} {}", v.cql)).collect();
    let literals: Vec<&str> = values.iter().map(|v| v.literal.as_str()).collect();
    run(session, format!("DROP TABLE IF EXISTS {table}"), ()).await?;
    run(session, format!("CREATE TABLE {table} (k int PRIMARY KEY, {})", definitions.join(", ")), ()).await?;
    let columns = names.join(", ");
    let insert = session
        .prepare(format!("INSERT INTO {table} (k, {columns}) VALUES (1{})", ", ?".repeat(values.len())))
        .await?;
    let bound: Vec<Option<CqlValue>> = values.iter().map(|v| v.rust.clone()).collect();
    session.execute_unpaged(&insert, bound).await?;
    run(session, format!("INSERT INTO {table} (k, {columns}) VALUES (2, {})", literals.join(", ")), ()).await?;
    for k in 1..=2 {
        let row = rows(session, format!("SELECT {columns} FROM {table} WHERE k = ?"), (k,)).await?.remove(0);
        for (actual, expected) in row.iter().zip(&values) {
            equal(actual, &expected.rust, &format!("{}, row {k}", expected.cql))?;
        }
    }
    Ok(())
}

fn text(s: &str) -> CqlValue {
    Text(s.into())
}

/// Returns a varint of minimal length.
fn varint(n: i128) -> CqlVarint {
    let bytes = n.to_be_bytes();
    let mut first = 0;
    while first < 15 && ((bytes[first] == 0 && bytes[first + 1] < 0x80) || (bytes[first] == 0xff && bytes[first + 1] >= 0x80)) {
        first += 1;
    }
    CqlVarint::from_signed_bytes_be(bytes[first..].to_vec())
}

fn decimal(unscaled: i128, scale: i32) -> CqlValue {
    Decimal(CqlDecimal::from_signed_be_bytes_and_exponent(varint(unscaled).into_signed_bytes_be(), scale))
}

fn duration(months: i32, days: i32, nanoseconds: i64) -> CqlValue {
    Duration(CqlDuration { months, days, nanoseconds })
}

pub fn scalars() -> Vec<Value> {
    let timeuuid = "50554d6e-29bb-11e5-b345-feff819cdc9f";
    let uuid = "6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3";
    vec![
        value("ascii", "'plain'", Ascii("plain".into())),
        value("bigint", "-9007199254740993", BigInt(-9007199254740993)),
        value("blob", "0x00ff10", Blob(vec![0, 255, 16])),
        value("boolean", "true", Boolean(true)),
        value("date", "'2024-02-29'", Date(CqlDate((1 << 31) + 19782))),
        value("decimal", "-12345.6789", decimal(-123456789, 4)),
        value("double", "1.7976931348623157E308", Double(f64::MAX)),
        value("duration", "1mo2d3ns", duration(1, 2, 3)),
        value("float", "1.5", Float(1.5)),
        value("inet", "'127.0.0.1'", Inet(IpAddr::from([127, 0, 0, 1]))),
        value("inet", "'2001:db8::1'", Inet("2001:db8::1".parse().expect("an address"))),
        value("int", "-42", Int(-42)),
        value("smallint", "-4242", SmallInt(-4242)),
        value("text", "'Größe 𝄞'", text("Größe 𝄞")),
        value("time", "'12:34:56.789'", Time(CqlTime(45_296_789_000_000))),
        value("timestamp", "'2024-02-29T12:34:56.789Z'", Timestamp(CqlTimestamp(1_709_210_096_789))),
        value("timeuuid", timeuuid, Timeuuid(timeuuid.parse::<CqlTimeuuid>().expect("a timeuuid"))),
        value("tinyint", "-42", TinyInt(-42)),
        value("uuid", uuid, Uuid(uuid.parse::<Uuid128>().expect("a uuid"))),
        value("varchar", "'it''s'", text("it's")),
        value("varint", "123456789012345678901234567890", Varint(varint(123456789012345678901234567890))),
    ]
}

pub async fn limits(s: &Settings) -> Outcome {
    let session = s.session().await?;
    let values = vec![
        value("tinyint", "-128", TinyInt(i8::MIN)), value("tinyint", "127", TinyInt(i8::MAX)),
        value("smallint", "-32768", SmallInt(i16::MIN)), value("smallint", "32767", SmallInt(i16::MAX)),
        value("int", "-2147483648", Int(i32::MIN)), value("int", "2147483647", Int(i32::MAX)),
        value("bigint", "-9223372036854775808", BigInt(i64::MIN)), value("bigint", "9223372036854775807", BigInt(i64::MAX)),
        value("varint", i128::MIN.to_string(), Varint(varint(i128::MIN))), value("varint", "0", Varint(varint(0))),
        value("decimal", "1E-30", decimal(1, 30)), value("decimal", "1.00", decimal(100, 2)),
        value("decimal", "-98765432109876543210.987654321", decimal(-98765432109876543210987654321, 9)),
        value("float", "3.4028235E38", Float(f32::MAX)), value("float", "1.4E-45", Float(f32::from_bits(1))),
        value("float", "NaN", Float(f32::NAN)), value("float", "-Infinity", Float(f32::NEG_INFINITY)),
        value("double", "4.9E-324", Double(f64::from_bits(1))), value("double", "-1.7976931348623157E308", Double(f64::MIN)),
        value("double", "NaN", Double(f64::NAN)), value("double", "Infinity", Double(f64::INFINITY)),
        value("date", "0", Date(CqlDate(0))), value("date", "4294967295", Date(CqlDate(u32::MAX))),
        value("time", "0", Time(CqlTime(0))), value("time", "86399999999999", Time(CqlTime(86_399_999_999_999))),
        value("timestamp", "-9223372036854775808", Timestamp(CqlTimestamp(i64::MIN))),
        value("timestamp", "9223372036854775807", Timestamp(CqlTimestamp(i64::MAX))),
        value("duration", "-1mo2d3h", duration(-1, -2, -10_800_000_000_000)),
        value("text", "''", text("")), value("ascii", "''", Ascii(String::new())), value("blob", "0x", Blob(vec![])),
        value("text", "'𝄞😀'", text("𝄞😀")),
    ];
    round_trip(&session, "limits", values).await?;
    let nulls = scalars().into_iter().map(|v| Value { cql: v.cql, literal: "null".into(), rust: None });
    round_trip(&session, "nulls", nulls.collect()).await
}

fn ints(numbers: &[i32]) -> Vec<CqlValue> {
    numbers.iter().map(|n| Int(*n)).collect()
}

fn texts(strings: &[&str]) -> Vec<CqlValue> {
    strings.iter().map(|s| text(s)).collect()
}

fn collection_values() -> Vec<Value> {
    let nested = || Map(vec![(text("a"), List(ints(&[1, 2]))), (text("b"), List(ints(&[3])))]);
    let map = || Map(vec![(text("a"), BigInt(1)), (text("b"), BigInt(2))]);
    vec![
        value("list<int>", "[3, 1, 2]", List(ints(&[3, 1, 2]))),
        value("set<text>", "{'b', 'a'}", Set(texts(&["a", "b"]))),
        value("map<text, bigint>", "{'a': 1, 'b': 2}", map()),
        value("frozen<list<int>>", "[3, 1, 2]", List(ints(&[3, 1, 2]))),
        value("frozen<set<text>>", "{'b', 'a'}", Set(texts(&["a", "b"]))),
        value("frozen<map<text, bigint>>", "{'a': 1, 'b': 2}", map()),
        value("frozen<map<text, list<int>>>", "{'a': [1, 2], 'b': [3]}", nested()),
        value("map<text, frozen<list<int>>>", "{'a': [1, 2], 'b': [3]}", nested()),
    ]
}

pub async fn collections(s: &Settings) -> Outcome {
    let session = s.session().await?;
    round_trip(&session, "collections", collection_values()).await?;
    run(&session, "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, f frozen<list<int>>)", ()).await?;
    let empty = Vec::<i32>::new();
    run(&session, "INSERT INTO empties (k, l, f) VALUES (1, ?, ?)", (&empty, &empty)).await?;
    let row = rows(&session, "SELECT l, f FROM empties", ()).await?.remove(0);
    equal(row, [None, Some(List(vec![]))], "an empty list: null if not frozen")?;

    let table = "k int, c frozen<set<int>>, l list<int>, s set<text>, m map<text, int>, PRIMARY KEY (k, c)";
    run(&session, format!("CREATE TABLE updates ({table})"), ()).await?;
    run(&session, "INSERT INTO updates (k, c, l, s, m) VALUES (1, {1, 2}, [2], {'b'}, {'b': 2})", ()).await?;
    for (assignment, bound) in [
        ("l = l + ?", List(ints(&[3, 4]))), ("l = ? + l", List(ints(&[1]))), ("l = l - ?", List(ints(&[4]))), ("l[1] = ?", Int(20)),
        ("s = s + ?", Set(texts(&["a", "c"]))), ("s = s - ?", Set(texts(&["c"]))),
        ("m = m + ?", Map(vec![(text("a"), Int(1)), (text("c"), Int(3))])), ("m = m - ?", Set(texts(&["c"]))), ("m['b'] = ?", Int(22)),
    ] {
        let statement = format!("UPDATE updates SET {assignment} WHERE k = 1 AND c = ?");
        run(&session, statement, (bound, Set(ints(&[1, 2])))).await?;
    }
    let row = rows(&session, "SELECT c, l, s, m FROM updates WHERE k = 1", ()).await?.remove(0);
    let expected = [
        Set(ints(&[1, 2])), List(ints(&[1, 20, 3])), Set(texts(&["a", "b"])),
        Map(vec![(text("a"), Int(1)), (text("b"), Int(22))]),
    ];
    equal(row, expected.map(Some), "after the updates")
}

fn udt(keyspace: &str, name: &str, fields: Vec<(&str, Option<CqlValue>)>) -> CqlValue {
    UserDefinedType {
        keyspace: keyspace.into(),
        name: name.into(),
        fields: fields.into_iter().map(|(field, v)| (field.to_string(), v)).collect(),
    }
}

fn address(keyspace: &str, zip: Option<i32>) -> CqlValue {
    udt(keyspace, "address", vec![("street", Some(text("Elm"))), ("zip", zip.map(Int))])
}

fn structured_values(keyspace: &str) -> Vec<Value> {
    let home = || address(keyspace, Some(12345));
    let notes = Some(List(texts(&["x"])));
    let person = udt(keyspace, "person", vec![("name", Some(text("Ann"))), ("home", Some(home())), ("notes", notes)]);
    let pair = || Tuple(vec![Some(Int(1)), Some(text("a"))]);
    vec![
        value("tuple<int, text>", "(1, 'a')", pair()),
        value("frozen<tuple<int, text, boolean>>", "(1, null, true)", Tuple(vec![Some(Int(1)), None, Some(Boolean(true))])),
        value("frozen<address>", "{street: 'Elm', zip: 12345}", home()),
        value("address", "{street: 'Elm', zip: null}", address(keyspace, None)),
        value("frozen<person>", "{name: 'Ann', home: {street: 'Elm', zip: 12345}, notes: ['x']}", person),
        value("list<frozen<address>>", "[{street: 'Elm', zip: 12345}]", List(vec![home()])),
        value("map<int, frozen<tuple<int, text>>>", "{7: (1, 'a')}", Map(vec![(Int(7), pair())])),
    ]
}

async fn create_types(session: &Session) -> Outcome {
    run(session, "CREATE TYPE IF NOT EXISTS address (street text, zip int)", ()).await?;
    let person = "name text, home frozen<address>, notes frozen<list<text>>";
    run(session, format!("CREATE TYPE IF NOT EXISTS person ({person})"), ()).await?;
    Ok(())
}

pub async fn structured(s: &Settings) -> Outcome {
    let session = s.session().await?;
    create_types(&session).await?;
    round_trip(&session, "structured", structured_values(&s.keyspace)).await?;
    run(&session, "CREATE TABLE fields (k int PRIMARY KEY, a address)", ()).await?;
    let without_zip = RawBytes(vec![0, 0, 0, 3, b'E', b'l', b'm']);
    run(&session, "INSERT INTO fields (k, a) VALUES (1, ?)", (without_zip,)).await?;
    let read = "SELECT a FROM fields WHERE k = 1";
    equal(single(&session, read).await?, address(&s.keyspace, None), "a missing trailing field")?;
    run(&session, "UPDATE fields SET a.zip = ? WHERE k = 1", (99,)).await?;
    equal(single(&session, read).await?, address(&s.keyspace, Some(99)), "a field update")
}

pub fn vectors() -> Vec<Value> {
    let floats = |numbers: &[f32]| Vector(numbers.iter().map(|n| Float(*n)).collect());
    vec![
        value("vector<float, 3>", "[1.5, -2, 0]", floats(&[1.5, -2.0, 0.0])),
        value("vector<text, 2>", "['a', 'bcd']", Vector(texts(&["a", "bcd"]))),
        value("list<frozen<vector<float, 2>>>", "[[1, 2], [3, 4]]", List(vec![floats(&[1.0, 2.0]), floats(&[3.0, 4.0])])),
    ]
}

pub async fn all_versions(s: &Settings) -> Outcome {
    for compression in [None, Some(Compression::Lz4), Some(Compression::Snappy)] {
        let session = s.builder().use_keyspace(&s.keyspace, false).compression(compression).build().await?;
        create_types(&session).await?;
        let mut values = scalars();
        values.extend(collection_values());
        values.extend(structured_values(&s.keyspace));
        values.extend(vectors());
        round_trip(&session, &format!("all_{}", compression.map_or("plain", |c| c.as_str())), values).await?;
    }
    Ok(())
}
