'use strict';
// A client alters tables and types about which other clients have prepared statements.
const assert = require('assert');

const PREPARE = { prepare: true };

async function altered_tables(context) {
  for (const version of [3, 4]) {
    const options = { protocolOptions: { maxVersion: version } };
    await context.session(options, (first) => context.session(options, (second) => context.session({}, (other) =>
      alteredTable(context, version, first, second, other))));
  }
}

async function alteredTable(context, version, first, second, other) {
  const table = `altering_v${version}`, place = `place_v${version}`;
  const insert = `INSERT INTO ${table} (id, role) VALUES (?, ?)`;
  // Cassandra tells only one of the clients about the change.
  const readers = context.isWiderow ? [first, second] : [first];
  const change = async (...statements) => {
    for (const statement of statements) {
      await other.execute(statement);
    }
  };
  const reads = async (expected, what) => {
    for (const client of readers) {
      for (let i = 0; i < 2; ++i) {
        const result = await client.execute(`SELECT * FROM ${table} WHERE id = ?`, ['u1'], PREPARE);
        assert.deepStrictEqual(result.rows.map((row) => ({ ...row })), [expected], `v${version}, ${what}`);
      }
    }
  };

  await change(`CREATE TYPE ${place} (street text)`,
    `CREATE TABLE ${table} (id text PRIMARY KEY, role text, home frozen<${place}>)`);
  await first.execute(insert, ['u1', 'ann'], PREPARE);
  await reads({ id: 'u1', home: null, role: 'ann' }, 'before');

  await change(`ALTER TABLE ${table} ADD email text`, `UPDATE ${table} SET email = 'a@x' WHERE id = 'u1'`);
  await reads({ id: 'u1', email: 'a@x', home: null, role: 'ann' }, 'after ADD');
  await first.execute(insert, ['u1', 'ben'], PREPARE);
  await reads({ id: 'u1', email: 'a@x', home: null, role: 'ben' }, 'a write after ADD');

  await change(`ALTER TYPE ${place} ADD number int`, `UPDATE ${table} SET home = {street: 'x', number: 2} WHERE id = 'u1'`);
  const home = { street: 'x', number: 2 };
  await reads({ id: 'u1', email: 'a@x', home, role: 'ben' }, 'after ALTER TYPE');

  await change(`ALTER TABLE ${table} DROP email`);
  await reads({ id: 'u1', home, role: 'ben' }, 'after DROP');
  await change(`ALTER TABLE ${table} ADD extra text`);
  await first.batch([{ query: insert, params: ['u1', 'carl'] }, { query: insert, params: ['u2', 'dora'] }], PREPARE);
  await reads({ id: 'u1', extra: null, home, role: 'carl' }, 'a batch after ADD');

  await change(`DROP TABLE ${table}`, `CREATE TABLE ${table} (id text PRIMARY KEY, added int, role text)`);
  await first.execute(insert, ['u1', 'ann'], PREPARE);
  await reads({ id: 'u1', added: null, role: 'ann' }, 'after the table was made again');
}

module.exports = { altered_tables };
