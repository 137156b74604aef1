'use strict';
// Cases of batches, counters, conditions and timestamps.
const assert = require('assert');
const { errors, types } = require('cassandra-driver');
const { refused, values } = require('./support');

const PREPARE = { prepare: true };
const { invalid } = types.responseErrorCodes;

async function batches(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE batched (k int, c int, v text, PRIMARY KEY (k, c))');
    const insert = 'INSERT INTO batched (k, c, v) VALUES (?, ?, ?)';
    const rows = async (k) => values(await client.execute('SELECT c, v FROM batched WHERE k = ?', [k], PREPARE));
    for (const [k, logged] of [[0, true], [1, false]]) {
      const prepared = await client.batch([
        { query: insert, params: [k, 1, 'prepared'] },
        { query: 'INSERT INTO batched (k, c, v) VALUES (:k, :c, :v)', params: { v: 'named', c: 4, k } },
        { query: insert, params: [k, 5, null] },
        { query: insert, params: [k, 6, types.unset] },
      ], { prepare: true, logged });
      assert.strictEqual(prepared.rows, undefined);
      await client.batch([
        { query: "INSERT INTO batched (k, c, v) VALUES (?, 2, 'simple')", params: [k] },
        `INSERT INTO batched (k, c, v) VALUES (${k}, 3, 'text')`,
      ], { logged, hints: [['int'], []] });
      assert.deepStrictEqual(await rows(k), [[1, 'prepared'], [2, 'simple'], [3, 'text'], [4, 'named'], [5, null], [6, null]]);
    }
    await client.batch([{ query: 'DELETE FROM batched WHERE k = ? AND c = ?', params: [0, 1] },
      { query: insert, params: [0, 7, 'seven'] }], PREPARE);
    assert.deepStrictEqual((await rows(0)).map((row) => row[0]), [2, 3, 4, 5, 6, 7]);
    await client.batch([{ query: insert, params: [7, 1, 'a'] }, { query: insert, params: [7, 2, 'b'] }],
      { prepare: true, timestamp: 3000 });
    const stamps = await client.execute('SELECT writetime(v) AS w FROM batched WHERE k = 7');
    assert.deepStrictEqual(stamps.rows.map((row) => row.w.toNumber()), [3000, 3000]);
    await client.batch(["INSERT INTO batched (k, c, v) VALUES (8, 1, 'a') USING TIMESTAMP 1000",
      "INSERT INTO batched (k, c, v) VALUES (8, 2, 'b') USING TIMESTAMP 2000"]);
    const own = await client.execute('SELECT writetime(v) AS w FROM batched WHERE k = 8');
    assert.deepStrictEqual(own.rows.map((row) => row.w.toNumber()), [1000, 2000]);
    await client.execute('BEGIN BATCH INSERT INTO batched (k, c, v) VALUES (?, ?, ?); DELETE FROM batched WHERE k = ? AND c = ?; ' +
      'APPLY BATCH', [8, 3, 'c', 8, 1], PREPARE);
    assert.deepStrictEqual((await rows(8)).map((row) => row[0]), [2, 3]);
    await client.batch(Array.from({ length: 1000 }, (_, i) => ({ query: insert, params: [9, i, `v${i}`] })),
      { prepare: true, logged: false });
    assert.deepStrictEqual(await rows(9), Array.from({ length: 1000 }, (_, i) => [i, `v${i}`]));
    await refused(errors.ResponseError, invalid, 'Undefined column name nothing', () => client.batch(
      ["INSERT INTO batched (k, c, v) VALUES (10, 1, 'x')", 'INSERT INTO batched (k, c, nothing) VALUES (10, 2, 0)']));
    assert.deepStrictEqual(await rows(10), []);
    await refused(errors.ResponseError, invalid, 'Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.',
      () => client.batch([{ query: 'SELECT * FROM batched' }], PREPARE));
  });
}

async function counters(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE counted (k int, c int, s counter static, n counter, m counter, PRIMARY KEY (k, c))');
    const add = 'UPDATE counted SET n = n + ?, m = m - ? WHERE k = ? AND c = ?';
    const long = (text) => types.Long.fromString(text);
    await client.execute('UPDATE counted SET n = n + 5 WHERE k = 1 AND c = 1');
    await client.execute(add, [long('1099511627776'), 2, 1, 1], PREPARE);
    await client.batch([{ query: add, params: [10, 20, 1, 1] }, { query: add, params: [-1, 1, 1, 2] },
      { query: 'UPDATE counted SET s = s + 3 WHERE k = 1' }], { prepare: true, counter: true });
    const found = await client.execute('SELECT c, s, n, m FROM counted WHERE k = 1', [], PREPARE);
    assert.deepStrictEqual(values(found).map((row) => row.map(String)), [['1', '3', '1099511627791', '-22'], ['2', '3', '-1', '-1']]);
    await Promise.all(Array.from({ length: 300 }, (_, i) => client.execute(add, [i, 0, 2, i % 3], PREPARE)));
    const sum = await client.execute('SELECT sum(n) AS n FROM counted WHERE k = 2');
    assert.strictEqual(String(sum.first().n), String(300 * 299 / 2));
    await client.execute('DELETE n FROM counted WHERE k = 1 AND c = 1');
    assert.strictEqual((await client.execute('SELECT n FROM counted WHERE k = 1 AND c = 1')).first().n, null);
    await refused(errors.ResponseError, invalid, 'Cannot include a counter statement in a logged batch',
      () => client.batch([{ query: add, params: [1, 1, 1, 1] }, { query: add, params: [1, 1, 1, 2] }], PREPARE));
  });
}

async function conditions(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE asked (k int, c int, v int, m map<text, int>, PRIMARY KEY (k, c))');
    const set = 'UPDATE asked SET v = ? WHERE k = ? AND c = ? IF v = ?';
    assert((await client.execute(set, [1, 1, 1, null], PREPARE)).wasApplied());
    const refusal = await client.execute(set, [2, 1, 1, 7], PREPARE);
    assert(!refusal.wasApplied());
    assert.deepStrictEqual(refusal.columns.map((column) => column.name), ['[applied]', 'v']);
    assert.deepStrictEqual(values(refusal), [[false, 1]]);
    assert((await client.execute('UPDATE asked SET m[?] = ? WHERE k = ? AND c = ? IF m[?] = ? AND v IN ?', ['a', 1, 1, 1, 'a', null, [1, 2]],
      PREPARE)).wasApplied());
    const half = await client.batch([{ query: set, params: [3, 1, 1, 1] }, { query: set, params: [3, 1, 2, 5] }], PREPARE);
    assert(!half.wasApplied());
    assert.deepStrictEqual(values(half), [[false, 1, 1, 1]]);
    assert((await client.batch([{ query: set, params: [3, 1, 1, 1] }, { query: set, params: [3, 1, 2, null] }], PREPARE)).wasApplied());
    assert.deepStrictEqual(values(await client.execute('SELECT c, v FROM asked WHERE k = 1')), [[1, 3], [2, 3]]);
  });
}

async function timestamps(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE stamped (k int PRIMARY KEY, v int)');
    const insert = (k, v, options) => client.execute('INSERT INTO stamped (k, v) VALUES (?, ?)', [k, v], { ...PREPARE, ...options });
    const read = async (k) => {
      const row = (await client.execute('SELECT v, writetime(v) AS w FROM stamped WHERE k = ?', [k], PREPARE)).first();
      return row && [row.v, row.w.toNumber()];
    };
    for (const timestamp of [1_000_000, 2_000_000, 1_500_000]) {
      await insert(1, timestamp, { timestamp });
    }
    assert.deepStrictEqual(await read(1), [2_000_000, 2_000_000]);
    await client.execute('INSERT INTO stamped (k, v) VALUES (2, 2)', [], { timestamp: 1_500_000 });
    assert.deepStrictEqual(await read(2), [2, 1_500_000]);
    await client.execute('INSERT INTO stamped (k, v) VALUES (4, 4) USING TIMESTAMP 77', [], { timestamp: 1_500_000 });
    assert.deepStrictEqual(await read(4), [4, 77]);
    await client.execute('DELETE FROM stamped WHERE k = 1', [], { timestamp: 2_000_001 });
    assert.strictEqual(await read(1), null);
    await checkDefault(insert, read);
  });
  await context.session({ policies: { timestampGeneration: null } }, async (client) => {
    await checkDefault((k, v) => client.execute('INSERT INTO stamped (k, v) VALUES (?, ?)', [k, v], PREPARE), async (k) => {
      const row = (await client.execute('SELECT v, writetime(v) AS w FROM stamped WHERE k = ?', [k], PREPARE)).first();
      return [row.v, row.w.toNumber()];
    });
  });
}

async function checkDefault(insert, read) {
  const before = Date.now() * 1000;
  await insert(5, 5);
  const after = Date.now() * 1000 + 1000;
  const [, written] = await read(5);
  assert(before - 1000 <= written && written <= after + 1000, `${before} ${written} ${after}`);
}

module.exports = { batches, counters, conditions, timestamps };
