'use strict';
// Cases of protocol versions, of the time of a new connection, and of an idle connection.
const assert = require('assert');
const { NotApplicable } = require('./support');

function connects(context, version, text) {
  return context.session({ protocolOptions: { maxVersion: version } }, async (client) => {
    assert.strictEqual(client.controlConnection.protocolVersion, version);
    await client.execute('CREATE TABLE IF NOT EXISTS greeting (k int PRIMARY KEY, v text)');
    await client.execute('INSERT INTO greeting (k, v) VALUES (?, ?)', [version, text], { hints: ['int', 'text'] });
    const row = (await client.execute('SELECT k, v FROM greeting WHERE k = ?', [version], { prepare: true })).first();
    assert.deepStrictEqual([row.k, row.v], [version, text]);
  });
}

function notApplicable(what) {
  return async () => { throw new NotApplicable(`the driver has no ${what}`); };
}

async function connect_v3(context) {
  await connects(context, 3, 'a row');
  await connects(context, 3, 'big '.repeat(75_000));
}

async function connect_v4(context) {
  await connects(context, 4, 'a row');
  await connects(context, 4, 'big '.repeat(75_000));
}

async function connect_default(context) {
  const milliseconds = [];
  for (let i = 0; i < 10; ++i) {
    const begin = process.hrtime.bigint();
    await context.connect({}, async (client) => {
      milliseconds.push(Number(process.hrtime.bigint() - begin) / 1e6);
      assert.strictEqual(client.controlConnection.protocolVersion, 4);
      assert.strictEqual((await client.execute("SELECT key FROM system.local WHERE key = 'local'")).rowLength, 1);
    });
  }
  milliseconds.sort((a, b) => a - b);
  console.log(`time connect ${((milliseconds[4] + milliseconds[5]) / 2).toFixed(1)}`);
  return 'v4';
}

async function idle_heartbeat(context) {
  await context.session({ pooling: { heartBeatInterval: 1000 } }, async (client) => {
    const down = [];
    client.on('hostDown', (host) => down.push(host));
    const before = client.getState().toString();
    await new Promise((resolve) => setTimeout(resolve, 3500));
    assert.strictEqual((await client.execute("SELECT key FROM system.local WHERE key = 'local'")).rowLength, 1);
    assert.strictEqual(client.getState().toString(), before);
    assert.deepStrictEqual(down, []);
  });
}

module.exports = {
  connect_v3,
  connect_v3_lz4: notApplicable('compression'),
  connect_v4,
  connect_v4_lz4: notApplicable('compression'),
  connect_v5: notApplicable('protocol v5'),
  connect_v5_lz4: notApplicable('protocol v5 and no compression'),
  connect_default,
  idle_heartbeat,
};
