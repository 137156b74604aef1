'use strict';
// Cases of pages, and of many requests in flight.
const assert = require('assert');
const { concurrent: driverConcurrent, errors, types } = require('cassandra-driver');
const { refused, values } = require('./support');

const ROWS = 10_000;
const TEXT = 'SELECT c, v FROM pages WHERE k = 1';

async function paging(context) {
  const expected = Array.from({ length: ROWS }, (_, i) => [ROWS - 1 - i, `value ${ROWS - 1 - i}`]);
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE pages (k int, c int, v text, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)');
    await driverConcurrent.executeConcurrent(client, 'INSERT INTO pages (k, c, v) VALUES (?, ?, ?)',
      expected.map(([c, v]) => [1, c, v]), { concurrencyLevel: 200, executionProfile: 'default' });
    const small = [];
    for (let pageState; ;) {
      const result = await client.execute(TEXT, [], { fetchSize: 100, pageState });
      small.push(values(result));
      pageState = result.pageState;
      if (!pageState) {
        break;
      }
    }
    assert([100, 101].includes(small.length), `${small.length} pages`);
    assert(small.slice(0, 100).every((page) => page.length === 100), 'full pages');
    assert.deepStrictEqual(small.flat(), expected);
    const first = await client.execute(TEXT);
    assert.strictEqual(first.rowLength, 5000);
    const prepared = [];
    for await (const row of await client.execute('SELECT c, v FROM pages WHERE k = ?', [1], { prepare: true, fetchSize: 777 })) {
      prepared.push(row.values());
    }
    assert.deepStrictEqual(prepared, expected);
    const streamed = [];
    for await (const row of client.stream('SELECT c, v FROM pages', [], { fetchSize: 333, autoPage: true })) {
      streamed.push(row.values());
    }
    assert.deepStrictEqual(streamed, expected);
    const each = await new Promise((resolve, reject) => {
      let count = 0;
      client.eachRow(TEXT, [], { fetchSize: 1000, autoPage: true }, () => { ++count; },
        (error, result) => (error ? reject(error) : resolve([count, result.rowLength])));
    });
    assert.deepStrictEqual(each, [ROWS, ROWS]);
    const whole = await client.execute(TEXT, [], { fetchSize: 20_000 });
    assert.deepStrictEqual([whole.rowLength, whole.pageState], [ROWS, null]);
    let limited = await client.execute(`${TEXT} LIMIT 250`, [], { fetchSize: 200 });
    assert.strictEqual(limited.rowLength, 200);
    limited = await client.execute(`${TEXT} LIMIT 250`, [], { fetchSize: 200, pageState: limited.pageState });
    assert.deepStrictEqual([limited.rowLength, limited.pageState], [50, null]);
    await resumed(context, client, expected);
  });
}

async function resumed(context, client, expected) {
  const { pageState } = await client.execute(TEXT, [], { fetchSize: 1000 });
  await context.session({}, async (other) => {
    const second = await other.execute(TEXT, [], { fetchSize: 1000, pageState });
    assert.deepStrictEqual(values(second), expected.slice(1000, 2000));
  });
  const broken = Buffer.from(Buffer.from(pageState, 'hex').map((byte) => byte ^ 0xff)).toString('hex');
  await refused(errors.ResponseError, types.responseErrorCodes.protocolError, 'Invalid value for the paging state',
    () => client.execute(TEXT, [], { fetchSize: 1000, pageState: broken }));
}

async function concurrent(context) {
  const count = 1000;
  const keys = Array.from({ length: count }, (_, i) => i);
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE flight (k int PRIMARY KEY, v text)');
    await Promise.all(keys.map((i) => client.execute('INSERT INTO flight (k, v) VALUES (?, ?)', [i, `v${i}`], { prepare: true })));
    const select = 'SELECT k, v FROM flight WHERE k = ?';
    const read = await Promise.all(keys.map((i) => client.execute(select, [i], { prepare: true })));
    read.forEach((result, i) => assert.deepStrictEqual(values(result), [[i, `v${i}`]]));
    const mixed = await Promise.all(keys.map((i) => (i % 3 ? client.execute(select, [i], { prepare: true }) :
      client.execute(`SELECT k, v FROM flight WHERE k = ${i}`))));
    mixed.forEach((result, i) => assert.deepStrictEqual(values(result), [[i, `v${i}`]]));
    const many = await driverConcurrent.executeConcurrent(client, select, Array.from({ length: 5 * count }, (_, i) => [i]),
      { concurrencyLevel: count, collectResults: true });
    assert.strictEqual(many.errors.length, 0);
    many.resultItems.forEach((result, i) => assert.deepStrictEqual(values(result), i < count ? [[i, `v${i}`]] : []));
  });
}

module.exports = { paging, concurrent };
