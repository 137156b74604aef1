'use strict';
// Cases of the schema in the driver's own API, and of its updates after changes by other clients.
const assert = require('assert');
const { types } = require('cassandra-driver');
const { REPLICATION, waitUntil } = require('./support');

const { dataTypes } = types;
const TABLE = `(
    site text, day date, at timestamp, sensor int, "Value" double, place frozen<place>, note text STATIC,
    tags map<text, frozen<list<int>>>, pair tuple<int, text>,
    PRIMARY KEY ((site, day), at, sensor))
  WITH CLUSTERING ORDER BY (at DESC, sensor ASC) AND comment = 'what it''s for'
  AND default_time_to_live = 86400 AND gc_grace_seconds = 1000`;

async function metadata(context) {
  const keyspace = `${context.prefix}_meta`;
  await context.connect({}, async (client) => {
    await client.execute(`CREATE KEYSPACE ${keyspace} WITH replication = ${REPLICATION} AND durable_writes = false`);
    await client.execute(`CREATE TYPE ${keyspace}.place (street text, door int, codes frozen<set<ascii>>)`);
    await client.execute(`CREATE TABLE ${keyspace}.readings ${TABLE}`);
    await client.execute(`CREATE TABLE ${keyspace}.plain (k uuid PRIMARY KEY)`);
  });
  await context.connect({}, async (client) => {
    const known = client.metadata.keyspaces[keyspace];
    assert.strictEqual(known.durableWrites, false);
    assert.strictEqual(known.strategy, 'org.apache.cassandra.locator.SimpleStrategy');
    assert.deepStrictEqual({ ...known.strategyOptions }, { replication_factor: '1' });
    checkTable(await client.metadata.getTable(keyspace, 'readings'));
    const plain = await client.metadata.getTable(keyspace, 'plain');
    assert.deepStrictEqual(plain.columns.map((column) => column.name), ['k']);
    assert.deepStrictEqual(plain.clusteringKeys, []);
    assert.strictEqual(await client.metadata.getTable(keyspace, 'nothing'), null);
    assert.strictEqual(await client.metadata.getTable('nowhere', 'nothing'), null);
    const place = await client.metadata.getUdt(keyspace, 'place');
    assert.deepStrictEqual(place.fields.map((field) => [field.name, field.type.code]),
      [['street', dataTypes.text], ['door', dataTypes.int], ['codes', dataTypes.set]]);
    assert.strictEqual(await client.metadata.getUdt(keyspace, 'nothing'), null);
    assert.deepStrictEqual(await client.metadata.getFunctions(keyspace, 'nothing'), []);
    assert.strictEqual(await client.metadata.getMaterializedView(keyspace, 'nothing'), null);
  });
}

function checkTable(table) {
  assert.deepStrictEqual(table.partitionKeys.map((column) => column.name), ['site', 'day']);
  assert.deepStrictEqual(table.clusteringKeys.map((column) => column.name), ['at', 'sensor']);
  assert.deepStrictEqual(table.clusteringOrder, ['DESC', 'ASC']);
  assert.deepStrictEqual(Object.fromEntries(table.columns.map((column) => [column.name, column.type.code])), {
    site: dataTypes.text, day: dataTypes.date, at: dataTypes.timestamp, sensor: dataTypes.int, Value: dataTypes.double,
    place: dataTypes.udt, note: dataTypes.text, tags: dataTypes.map, pair: dataTypes.tuple });
  const { columnsByName: columns } = table;
  assert.strictEqual(columns.note.isStatic, true);
  assert.strictEqual(columns.Value.isStatic, false);
  assert.strictEqual(columns.place.type.info.name, 'place');
  assert.deepStrictEqual(columns.tags.type.info.map((type) => type.code), [dataTypes.text, dataTypes.list]);
  assert.strictEqual(columns.tags.type.info[1].options.frozen, true);
  assert.deepStrictEqual(columns.pair.type.info.map((type) => type.code), [dataTypes.int, dataTypes.text]);
  assert.deepStrictEqual([table.comment, table.defaultTtl, table.gcGraceSeconds], ["what it's for", 86400, 1000]);
  assert.match(table.compactionClass, /CompactionStrategy$/);
  assert.match(table.compression.class, /Compressor$/);
  assert(JSON.parse(JSON.stringify(table.caching)).keys || /keys/.test(table.caching), `caching ${JSON.stringify(table.caching)}`);
  assert(table.speculativeRetry && table.bloomFilterFalsePositiveChance > 0 && table.crcCheckChance > 0);
  assert(table.minIndexInterval > 0 && table.maxIndexInterval >= table.minIndexInterval);
  assert.deepStrictEqual([table.virtual, table.isCompact, table.indexes], [false, false, []]);
}

async function metadata_system(context) {
  await context.connect({}, async (client) => {
    for (const keyspace of ['system', 'system_schema', 'system_traces', 'system_auth', context.prefix]) {
      assert(keyspace in client.metadata.keyspaces, keyspace);
    }
    for (const table of ['local', 'peers', 'peers_v2']) {
      assert(await client.metadata.getTable('system', table), table);
    }
    assert(await client.metadata.getTable('system_schema', 'tables'));
    const virtual = await client.metadata.getTable('system_virtual_schema', 'tables');
    assert(virtual.virtual, 'system_virtual_schema.tables is virtual');
    const hosts = client.hosts.values();
    assert.strictEqual(hosts.length, 1);
    const [host] = hosts;
    assert(host.isUp() && host.datacenter && host.rack && host.hostId, 'the host');
    assert(Number(host.cassandraVersion.split('.')[0]) >= 4, host.cassandraVersion);
    assert(host.tokens.length > 0, 'tokens');
    assert.strictEqual(host.address, `${context.host}:${context.port}`);
    assert(client.metadata.getReplicas(context.prefix, Buffer.from('key')).includes(host), 'replicas');
    assert(client.metadata.getTokenRanges().size >= host.tokens.length, 'token ranges');
    assert(await client.metadata.checkSchemaAgreement(), 'schema agreement');
    await context.connect({}, async (other) => {
      assert.strictEqual(other.hosts.values()[0].hostId.toString(), host.hostId.toString());
    });
  });
}

async function schema_events(context) {
  const keyspace = `${context.prefix}_events`;
  await context.connect({ refreshSchemaDelay: 0 }, (watcher) => context.connect({}, async (actor) => {
    const { metadata: known } = watcher;
    const columns = async () => (await known.getTable(keyspace, 't'))?.columns.map((column) => column.name).sort().join();
    const fields = async () => (await known.getUdt(keyspace, 'ty'))?.fields.map((field) => field.name).join();
    const step = async (statement, holds) => {
      await actor.execute(statement);
      await waitUntil(holds, statement);
    };
    await step(`CREATE KEYSPACE ${keyspace} WITH replication = ${REPLICATION}`, () => known.keyspaces[keyspace]);
    await step(`ALTER KEYSPACE ${keyspace} WITH durable_writes = false`, () => !known.keyspaces[keyspace].durableWrites);
    await step(`CREATE TYPE ${keyspace}.ty (a int)`, async () => await fields() === 'a');
    await step(`ALTER TYPE ${keyspace}.ty ADD b text`, async () => await fields() === 'a,b');
    await step(`CREATE TABLE ${keyspace}.t (k int PRIMARY KEY, v int)`, async () => await columns() === 'k,v');
    await step(`ALTER TABLE ${keyspace}.t ADD w text`, async () => await columns() === 'k,v,w');
    await step(`DROP TABLE ${keyspace}.t`, async () => await columns() === undefined);
    await step(`DROP TYPE ${keyspace}.ty`, async () => await fields() === undefined);
    await step(`DROP KEYSPACE ${keyspace}`, () => !known.keyspaces[keyspace]);
  }));
}

module.exports = { metadata, metadata_system, schema_events };
