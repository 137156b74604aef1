'use strict';
// Cases of simple and prepared statements, values by name, null and unset values.
const assert = require('assert');
const { errors, types } = require('cassandra-driver');
const { refused, values } = require('./support');

const PREPARE = { prepare: true };
const { responseErrorCodes: codes } = types;

async function simple_statements(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE simple (k int, c text, v bigint, PRIMARY KEY (k, c))');
    await client.execute("INSERT INTO simple (k, c, v) VALUES (1, 'a', 10) USING TTL 1000 AND TIMESTAMP 12345");
    await client.execute('INSERT INTO simple (k, c, v) VALUES (?, ?, ?)', [1, "b'c", types.Long.fromNumber(2 ** 40)], { hints: ['int'] });
    let result = await client.execute('SELECT * FROM simple WHERE k = ?', [1], { hints: ['int'] });
    assert.deepStrictEqual(result.columns.map((column) => [column.name, column.type.code]),
      [['k', types.dataTypes.int], ['c', types.dataTypes.varchar], ['v', types.dataTypes.bigint]]);
    assert.deepStrictEqual(values(result), [[1, 'a', types.Long.fromInt(10)], [1, "b'c", types.Long.fromNumber(2 ** 40)]]);
    result = await client.execute('SELECT writetime(v) AS w, ttl(v) AS t, v AS "Value" FROM simple WHERE k = 1 AND c = \'a\'');
    const row = result.first();
    assert.deepStrictEqual(row.keys(), ['w', 't', 'Value']);
    assert.strictEqual(row.w.toNumber(), 12345);
    assert(row.t > 900 && row.t <= 1000, `ttl ${row.t}`);
    assert.strictEqual((await client.execute('SELECT count(*) FROM simple')).first().count.toNumber(), 2);
    assert.strictEqual((await client.execute("UPDATE simple SET v = 11 WHERE k = 1 AND c = 'a'")).rows, undefined);
    await client.execute("DELETE v FROM simple WHERE k = 1 AND c = 'a'");
    assert.strictEqual((await client.execute("SELECT v FROM simple WHERE k = 1 AND c = 'a'")).first().v, null);
    assert.deepStrictEqual((await client.execute('SELECT * FROM simple WHERE k = 99')).rows, []);
  });
}

async function prepared_statements(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE prepared (a int, b text, c int, v list<int>, PRIMARY KEY ((a, b), c))');
    const insert = 'INSERT INTO prepared (c, v, b, a) VALUES (?, ?, ?, ?)';
    for (let i = 0; i < 200; ++i) {
      await client.execute(insert, [i, [i, i + 1], 'b', 1], PREPARE);
    }
    const { meta } = client.metadata.getPreparedInfo(client.keyspace, insert);
    assert.deepStrictEqual(meta.columns.map((column) => [column.name, column.type.code]), [['c', types.dataTypes.int],
      ['v', types.dataTypes.list], ['b', types.dataTypes.varchar], ['a', types.dataTypes.int]]);
    assert.deepStrictEqual(Array.from(meta.partitionKeys), [3, 2]);
    let result = await client.execute('SELECT c, v FROM prepared WHERE a = ? AND b = ? AND c IN ? LIMIT ?', [1, 'b', [5, 7, 9], 2], PREPARE);
    assert.deepStrictEqual(values(result), [[5, [5, 6]], [7, [7, 8]]]);
    assert.strictEqual((await client.execute('SELECT count(*) FROM prepared', [], PREPARE)).first().count.toNumber(), 200);
    result = await client.execute('SELECT c FROM prepared WHERE a = ? AND b = ? AND c > ? ORDER BY c DESC LIMIT 2', [1, 'b', 100], PREPARE);
    assert.deepStrictEqual(values(result), [[199], [198]]);
  });
  await alteredTable(context);
}

/** Tests a prepared SELECT * after ALTER TABLE ADD. The driver uses v4, where a client must prepare again. */
async function alteredTable(context) {
  const select = 'SELECT * FROM altered WHERE k = ?';
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE altered (k int PRIMARY KEY, v int)');
    await client.execute('INSERT INTO altered (k, v) VALUES (1, 2)');
    assert.deepStrictEqual({ ...(await client.execute(select, [1], PREPARE)).first() }, { k: 1, v: 2 });
    await client.execute('ALTER TABLE altered ADD a text');
    await client.execute("INSERT INTO altered (k, v, a) VALUES (1, 2, 'new')");
  });
  await context.session({}, async (client) => {
    assert.deepStrictEqual({ ...(await client.execute(select, [1], PREPARE)).first() }, { k: 1, a: 'new', v: 2 });
  });
}

async function named_values(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE named (k int PRIMARY KEY, "Mixed" text, v int)');
    const insert = 'INSERT INTO named (k, "Mixed", v) VALUES (:key, :name, :v)';
    await client.execute(insert, { v: 3, key: 1, name: 'x' }, PREPARE);
    await client.execute('INSERT INTO named (k, "Mixed", v) VALUES (:key, :name, :v)', { v: 4, key: 2, name: 'y' },
      { hints: { key: 'int', v: 'int' } });
    await client.execute('SELECT k FROM named WHERE k = :n AND v = :n ALLOW FILTERING', { n: 7 }, PREPARE);
    await client.execute('INSERT INTO named (k, v) VALUES (7, 7)');
    const twice = await client.execute('SELECT k FROM named WHERE k = :n AND v = :n ALLOW FILTERING', { n: 7 }, PREPARE);
    assert.deepStrictEqual(values(twice), [[7]]);
    const rows = values(await client.execute('SELECT k, "Mixed", v FROM named')).sort((a, b) => a[0] - b[0]);
    assert.deepStrictEqual(rows, [[1, 'x', 3], [2, 'y', 4], [7, null, 7]]);
  });
}

async function null_unset(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE holes (k int, c int, v int, l list<int>, PRIMARY KEY (k, c))');
    const insert = (...row) => client.execute('INSERT INTO holes (k, c, v, l) VALUES (?, ?, ?, ?)', row, PREPARE);
    const select = (k, c) => client.execute('SELECT v, l FROM holes WHERE k = ? AND c = ?', [k, c], PREPARE);
    const holds = async (expected) => assert.deepStrictEqual(values(await select(1, 1)), [expected]);
    const { unset } = types;
    await insert(1, 1, 5, [1]);
    await insert(1, 1, unset, unset);
    await holds([5, [1]]);
    await insert(1, 1, undefined, undefined);
    await holds([5, [1]]);
    await insert(1, 1, null, unset);
    await holds([null, [1]]);
    await insert(1, 1, 5, null);
    await holds([5, null]);
    await client.execute('INSERT INTO holes (k, c, v) VALUES (?, ?, ?)', [1, 1, null], { hints: ['int', 'int', 'int'] });
    await holds([null, null]);
    await client.execute('INSERT INTO holes (k, c, v) VALUES (?, ?, ?)', [1, 1, 8], { hints: ['int', 'int', 'int'] });
    await client.execute('INSERT INTO holes (k, c, v) VALUES (?, ?, ?)', [1, 1, unset], { hints: ['int', 'int', 'int'] });
    await holds([8, null]);
    const limited = await client.execute('SELECT c FROM holes WHERE k = ? LIMIT ?', [1, unset], PREPARE);
    assert.deepStrictEqual(values(limited), [[1]]);
    await refused(errors.ResponseError, codes.invalid, 'Invalid unset value for column c', () => insert(1, unset, 5, null));
    await refused(errors.ResponseError, codes.invalid, 'Invalid null value in condition for column c', () => insert(1, null, 5, null));
    await refused(errors.ResponseError, codes.invalid, 'Invalid unset value for column c', () => select(1, unset));
  });
  await context.session({ protocolOptions: { maxVersion: 3 } }, async (client) => {
    await refused(TypeError, null, 'Unset value', () => client.execute('INSERT INTO holes (k, c, v) VALUES (?, ?, ?)',
      [1, 1, types.unset], PREPARE));  // v3 has no unset values.
  });
}

module.exports = { simple_statements, prepared_statements, named_values, null_unset };
