'use strict';
// Cases of refusals, tracing, USE, warnings, and a restart of the server.
const assert = require('assert');
const { errors: driverErrors, types } = require('cassandra-driver');
const { REPLICATION, refused, values, waitUntil } = require('./support');

const PREPARE = { prepare: true };
const { ResponseError } = driverErrors;
const { alreadyExists, invalid, syntaxError, unauthorized } = types.responseErrorCodes;

async function errors(context) {
  const keyspace = context.prefix;
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE strict (k int, c int, v int, t text, PRIMARY KEY (k, c))');
    for (const [statement, code, begin] of [
      ['SELEC * FROM strict', syntaxError, "line 1:0 no viable alternative at input 'SELEC'"],
      ['SELECT * FROM strict WHERE k = 1 2', syntaxError, "line 1:33 no viable alternative at input '2'"],
      ['SELECT * FROM nothing', invalid, 'table nothing does not exist'],
      ['SELECT * FROM nowhere.strict', invalid, 'keyspace nowhere does not exist'],
      ['SELECT x FROM strict', invalid, 'Undefined column name x in table'],
      ["INSERT INTO strict (k, c, v) VALUES (1, 1, 'a')", invalid, 'Invalid STRING constant (a) for "v" of type int'],
      ['INSERT INTO strict (k, v) VALUES (1, 1)', invalid, 'Some clustering keys are missing: c'],
      ['INSERT INTO strict (c, v) VALUES (1, 1)', invalid, 'Some partition key parts are missing: k'],
      ['SELECT * FROM strict WHERE v = 1', invalid, 'Cannot execute this query as it might involve data filtering'],
      ['SELECT * FROM strict ORDER BY c', invalid, 'ORDER BY is only supported when the partition key'],
      ['DROP TABLE nothing', invalid, `'${keyspace}.nothing' doesn't exist`],
      ['DROP TABLE system.local', unauthorized, 'system keyspace is not user-modifiable']]) {
      await refused(ResponseError, code, begin, () => client.execute(statement));
      if (!statement.startsWith('DROP')) {
        await refused(ResponseError, code, begin, () => client.execute(statement, [], PREPARE));
      }
    }
    let error = await refused(ResponseError, alreadyExists, 'Cannot add already existing table "strict"',
      () => client.execute('CREATE TABLE strict (k int PRIMARY KEY)'));
    assert.deepStrictEqual([error.keyspace, error.table], [keyspace, 'strict']);
    error = await refused(ResponseError, alreadyExists, 'Cannot add existing keyspace',
      () => client.execute(`CREATE KEYSPACE ${keyspace} WITH replication = ${REPLICATION}`));
    assert.strictEqual(error.keyspace, keyspace);
    const insert = 'INSERT INTO strict (k, c, v) VALUES (?, ?, ?)';
    await refused(ResponseError, invalid, 'Expected 4 or 0 byte int (3)',
      () => client.execute(insert, [1, 1, Buffer.from([1, 2, 3])], { hints: ['int', 'int', 'blob'] }));
    await refused(ResponseError, invalid, 'Invalid amount of bind variables',
      () => client.execute(insert, [1, 1], { hints: ['int', 'int'] }));
    await refused(ResponseError, invalid, "String didn't validate",
      () => client.execute('INSERT INTO strict (k, c, t) VALUES (1, 1, ?)', [Buffer.from([0xff, 0xfe])], { hints: ['blob'] }));
    assert.deepStrictEqual((await client.execute('SELECT * FROM strict')).rows, []);
  });
}

async function tracing(context) {
  let count = 0;
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE traced (k int PRIMARY KEY, v int)');
    const insert = 'INSERT INTO traced (k, v) VALUES (?, ?)';
    for (const run of [() => client.execute(insert, [1, 2], { ...PREPARE, traceQuery: true }),
      () => client.execute('SELECT * FROM traced WHERE k = 1', [], { traceQuery: true }),
      () => client.execute('SELECT * FROM traced', [], { traceQuery: true }),
      () => client.batch([{ query: insert, params: [3, 4] }], { ...PREPARE, traceQuery: true })]) {
      const { info } = await run();
      const trace = await client.metadata.getTrace(info.traceId);
      assert(trace.requestType && trace.coordinator && trace.startedAt, 'request, coordinator and start');
      assert(trace.duration >= 0 && trace.duration < 60e6, `duration ${trace.duration}`);
      assert(trace.events.length > 0 && trace.events.every((event) => event.activity && event.source && event.thread), 'events');
      count += trace.events.length;
    }
    assert.strictEqual((await client.execute('SELECT * FROM traced')).info.traceId, undefined);
  });
  return `${count} events`;
}

async function use_keyspace(context) {
  const one = `${context.prefix}_one`;
  const two = `${context.prefix}_Two`;
  const read = async (client) => values(await client.execute('SELECT k FROM t'))[0][0];
  await context.connect({}, async (client) => {
    for (const keyspace of [one, two]) {
      await client.execute(`CREATE KEYSPACE "${keyspace}" WITH replication = ${REPLICATION}`);
      await client.execute(`CREATE TABLE "${keyspace}".t (k text PRIMARY KEY)`);
      await client.execute(`INSERT INTO "${keyspace}".t (k) VALUES ('${keyspace}')`);
    }
  });
  await context.connect({ keyspace: one }, async (client) => {
    assert.strictEqual(await read(client), one);
    await client.execute(`USE "${two}"`);
    assert.strictEqual(client.keyspace, two);
    assert.strictEqual(await read(client), two);
    assert.strictEqual(values(await client.execute('SELECT k FROM t', [], PREPARE))[0][0], two);
    await refused(ResponseError, invalid, "Keyspace 'nowhere' does not exist", () => client.execute('USE nowhere'));
    assert.strictEqual(await read(client), two);
  });
  await context.connect({ keyspace: two }, async (client) => assert.strictEqual(await read(client), two));
  const error = await refused(Error, null, '', () => context.connect({ keyspace: 'nowhere' }, (client) => read(client)));
  const cause = error instanceof driverErrors.NoHostAvailableError ? Object.values(error.innerErrors)[0] : error;
  assert.match(cause.message, /Keyspace 'nowhere' does not exist/);
}

async function warnings_payload(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE warned (k int PRIMARY KEY, v text)');
    const { consistencies } = types;
    for (const consistency of [consistencies.one, consistencies.quorum, consistencies.all, consistencies.localOne]) {
      await client.execute('INSERT INTO warned (k, v) VALUES (1, ?)', ['x'],
        { ...PREPARE, consistency, serialConsistency: consistencies.localSerial });
    }
    const { info } = await client.execute(`CREATE KEYSPACE ${context.prefix}_many WITH replication = ` +
      "{'class': 'SimpleStrategy', 'replication_factor': 3}");
    assert.match(info.warnings[0], /Your replication factor 3 for keyspace/);
    const quiet = await client.execute('SELECT k FROM warned WHERE k = 1', [], { customPayload: { key: Buffer.from('value') } });
    assert.deepStrictEqual(values(quiet), [[1]]);
    assert.strictEqual(quiet.info.warnings, undefined);
  });
}

async function reconnect(context) {
  if (!context.mayRestart) {
    await context.restartServer();
  }
  await context.session({ rePrepareOnUp: false, refreshSchemaDelay: 0 }, async (client) => {  // The driver learns of it by UNPREPARED, and prepares again.
    await client.execute('CREATE TABLE lasting (k int PRIMARY KEY, v text)');
    const insert = (k, v) => client.execute('INSERT INTO lasting (k, v) VALUES (?, ?)', [k, v], PREPARE);
    const select = async (k) => (await client.execute('SELECT v FROM lasting WHERE k = ?', [k], PREPARE)).first().v;
    for (let k = 0; k < 100; ++k) {
      await insert(k, `before ${k}`);
    }
    assert.strictEqual(await select(1), 'before 1');
    await context.restartServer();
    await waitUntil(async () => {
      try {
        return await select(1) === 'before 1';
      } catch (error) {
        assert(error instanceof driverErrors.NoHostAvailableError || error instanceof driverErrors.OperationTimedOutError, error);
        return false;
      }
    }, 'the client answers again', 30);
    for (let k = 100; k < 200; ++k) {
      await insert(k, `after ${k}`);
    }
    for (let k = 0; k < 200; ++k) {
      assert.strictEqual(await select(k), `${k < 100 ? 'before' : 'after'} ${k}`);
    }
    await client.batch([{ query: 'INSERT INTO lasting (k, v) VALUES (?, ?)', params: [1, 'batch'] }], PREPARE);
    assert.strictEqual(await select(1), 'batch');
    await context.connect({}, (other) => other.execute(`CREATE KEYSPACE ${context.prefix}_later WITH replication = ${REPLICATION}`));
    await waitUntil(() => client.metadata.keyspaces[`${context.prefix}_later`], 'events come again');
  });
}

module.exports = { errors, tracing, use_keyspace, warnings_payload, reconnect };
