'use strict';
// Cases of types: a value of every CQL type is written by prepared and by simple statements and read back.
const assert = require('assert');
const { types } = require('cassandra-driver');
const { values } = require('./support');

const { BigDecimal, Duration, InetAddress, Integer, LocalDate, LocalTime, Long, TimeUuid, Tuple, Uuid, Vector } = types;
const PREPARE = { prepare: true };
const TIMEUUID = TimeUuid.fromString('50554d6e-29bb-11e5-b345-feff819cdc9f');
const UUID = Uuid.fromString('e7f1a5c0-3d0c-4e0b-8f7b-0c4f5a8f9b11');
const AT = new Date('2015-05-03T13:30:54.234Z');
const FLOATS = [Infinity, -Infinity, NaN, -0];
const big = (text) => Integer.fromString(text);

const SCALARS = {
  ascii: 'plain', bigint: Long.fromString('-1099511627776'), blob: Buffer.from([0, 255, 16]), boolean: true,
  date: new LocalDate(2015, 5, 3), decimal: BigDecimal.fromString('-123.4500'), double: 1.1,
  duration: new Duration(14, 3, Long.fromInt(1000000007)), float: 0.5, inet: InetAddress.fromString('192.168.0.1'), int: -7,
  smallint: 300, text: 'zürich 東京 🦆', time: LocalTime.fromString('13:30:54.234567891'), timestamp: AT, timeuuid: TIMEUUID,
  tinyint: -5, uuid: UUID, varchar: "quo'te", varint: big('-1180591620717411303424'),
};
const LIMITS = {
  ascii: ['', '\x00\x7f'],
  bigint: [Long.MIN_VALUE, Long.MAX_VALUE, Long.ZERO],
  blob: [Buffer.alloc(0), Buffer.alloc(70_000)],
  boolean: [false, true],
  date: [new LocalDate(-2147483648), new LocalDate(2147483647), new LocalDate(1970, 1, 1)],
  decimal: [BigDecimal.fromString('0'), new BigDecimal(Integer.ONE, 300), BigDecimal.fromString(`-1.${'7'.repeat(60)}`)],
  double: [...FLOATS, 5e-324, Number.MAX_VALUE],
  duration: [new Duration(2147483647, 2147483647, Long.MAX_VALUE), new Duration(0, 0, Long.ZERO),
    new Duration(-2147483647, -2147483647, Long.fromString('-9223372036854775807'))],
  float: [...FLOATS, 2 ** -149, 3.4028234663852886e38],
  inet: ['::1', '0.0.0.0', '255.255.255.255', '2001:db8::ff00:42:8329'].map((text) => InetAddress.fromString(text)),
  int: [-(2 ** 31), 2 ** 31 - 1, 0],
  smallint: [-32768, 32767, 0],
  text: ['', '\x00', '🦆'.repeat(100), 'a'.repeat(70_000)],
  time: [new LocalTime(Long.ZERO), new LocalTime(Long.fromString('86399999999999'))],
  timestamp: [new Date(-8.64e15), new Date(8.64e15), new Date(0), new Date(-1)],
  timeuuid: [TimeUuid.fromString('00000000-0000-1000-8080-808080808080'), TimeUuid.fromString('ffffffff-ffff-1fff-7f7f-7f7f7f7f7f7f')],
  tinyint: [-128, 127, 0],
  uuid: [Uuid.fromString('00000000-0000-0000-0000-000000000000'), Uuid.fromString('ffffffff-ffff-ffff-ffff-ffffffffffff')],
  varchar: [''],
  varint: ['0', '-1', '127', '128', '-128', '-129', '18446744073709551616', '-18446744073709551616', `1${'0'.repeat(60)}`].map(big),
};

/** Compares values. Classes of the driver are compared by their own equals(). The zeros +0 and -0 differ. */
function same(actual, expected, what) {
  if (expected && typeof expected.equals === 'function' && !(expected instanceof Buffer)) {
    assert(actual && actual.constructor === expected.constructor && expected.equals(actual), `${what}: ${actual}, not ${expected}`);
  } else {
    assert.deepStrictEqual(actual, expected, what);
  }
}

/** In v3, these types have the names of Java classes, which this driver does not know. */
const SINCE_V4 = ['date', 'smallint', 'time', 'tinyint'];

async function writeScalars(client, table, version = 4) {
  const names = Object.keys(SCALARS).filter((name) => version >= 4 || !SINCE_V4.includes(name));
  const row = names.map((name) => SCALARS[name]);
  const columns = names.map((name) => `c_${name}`).join(', ');
  const insert = `INSERT INTO ${table} (k, ${columns}) VALUES (?, ${names.map(() => '?').join(', ')})`;
  await client.execute(insert, [1, ...row], PREPARE);
  await client.execute(insert, [2, ...row],
    { hints: ['int', ...names.map((name) => (name === 'duration' ? null : name))] });
  for (const k of [1, 2]) {
    const got = (await client.execute(`SELECT ${columns} FROM ${table} WHERE k = ${k}`)).first();
    names.forEach((name) => same(got[`c_${name}`], SCALARS[name], `${name}, row ${k}`));
  }
  return columns;
}

async function types_scalars(context) {
  await context.session({}, async (client) => {
    await client.execute(`CREATE TABLE scalars (k int PRIMARY KEY, ${Object.keys(SCALARS).map((name) => `c_${name} ${name}`).join(', ')})`);
    const columns = await writeScalars(client, 'scalars');
    await client.execute(`INSERT INTO scalars (k, ${columns}) VALUES (?${', ?'.repeat(Object.keys(SCALARS).length)})`,
      [3, ...Object.keys(SCALARS).map(() => null)], PREPARE);
    const nulls = values(await client.execute(`SELECT ${columns} FROM scalars WHERE k = 3`))[0];
    assert(nulls.every((value) => value === null), 'nulls');
    for (const [name, value] of Object.entries(SCALARS).filter(([type]) => type !== 'duration')) {
      await client.execute(`CREATE TABLE key_${name} (a ${name}, b ${name}, v int, PRIMARY KEY (a, b))`);
      await client.execute(`INSERT INTO key_${name} (a, b, v) VALUES (?, ?, 1)`, [value, value], PREPARE);
      const row = (await client.execute(`SELECT a, b FROM key_${name} WHERE a = ? AND b = ?`, [value, value], PREPARE)).first();
      same(row.a, value, `${name} as a partition key`);
      same(row.b, value, `${name} as a clustering column`);
    }
  });
}

async function types_limits(context) {
  let checked = 0;
  await context.session({}, async (client) => {
    for (const [name, list] of Object.entries(LIMITS)) {
      await client.execute(`CREATE TABLE limits_${name} (k int PRIMARY KEY, v ${name})`);
      for (const [k, value] of [...list, null].entries()) {
        await client.execute(`INSERT INTO limits_${name} (k, v) VALUES (?, ?)`, [k, value], PREPARE);
        same((await client.execute(`SELECT v FROM limits_${name} WHERE k = ?`, [k], PREPARE)).first().v, value, `${name} ${k}`);
        ++checked;
      }
    }
  });
  return `${checked} values`;
}

async function types_collections(context) {
  await context.session({ encoding: { map: Map, set: Set } }, async (client) => {
    await client.execute(`CREATE TABLE collections (k int PRIMARY KEY, l list<int>, s set<text>, m map<text, timestamp>,
      fl frozen<list<int>>, fs frozen<set<uuid>>, fm frozen<map<int, blob>>,
      n list<frozen<map<text, frozen<set<int>>>>>, d map<frozen<list<int>>, frozen<map<int, frozen<list<text>>>>>)`);
    const insert = 'INSERT INTO collections (k, l, s, m, fl, fs, fm, n, d) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const read = async (k, columns = 'l, s, m, fl, fs, fm, n, d') =>
      values(await client.execute(`SELECT ${columns} FROM collections WHERE k = ?`, [k], PREPARE))[0];
    await client.execute(insert, [1, [3, 1, 3], new Set(['b', 'a']), new Map([['x', AT], ['a', AT]]), [2, 2], new Set([UUID]),
      new Map([[7, Buffer.from('seven')], [-7, Buffer.alloc(0)]]), [new Map([['a', new Set([1, 2])]])],
      new Map([[[1, 2], new Map([[5, ['x', 'y']]])]])], PREPARE);
    const row = await read(1);
    assert.deepStrictEqual(row.slice(0, 4), [[3, 1, 3], new Set(['a', 'b']), new Map([['a', AT], ['x', AT]]), [2, 2]]);
    assert.deepStrictEqual([...row[4]].map(String), [UUID.toString()]);
    assert.deepStrictEqual([...row[5]], [[-7, Buffer.alloc(0)], [7, Buffer.from('seven')]]);
    assert.deepStrictEqual(row[6], [new Map([['a', new Set([1, 2])]])]);
    assert.deepStrictEqual([...row[7]], [[[1, 2], new Map([[5, ['x', 'y']]])]]);
    await client.execute('INSERT INTO collections (k, l, s, m) VALUES (?, ?, ?, ?)', [2, [1], new Set(['a']), new Map([['t', AT]])],
      { hints: ['int', 'list<int>', 'set<text>', 'map<text, timestamp>'] });
    assert.deepStrictEqual(await read(2, 'l, s, m'), [[1], new Set(['a']), new Map([['t', AT]])]);
    // The driver itself writes empty lists and sets as nulls.
    await client.execute(insert, [3, [], new Set(), new Map(), [], new Set(), new Map(), [], new Map()], PREPARE);
    assert.deepStrictEqual(await read(3), [null, null, null, null, null, new Map(), null, null]);
    await changes(client, read);
  });
}

async function changes(client, read) {
  const update = (assignment, ...params) => client.execute(`UPDATE collections SET ${assignment} WHERE k = 1`, params, PREPARE);
  await update('l = l + ?', [4]);
  await update('l = ? + l', [0]);
  assert.deepStrictEqual(await read(1, 'l'), [[0, 3, 1, 3, 4]]);
  await update('l[?] = ?', 1, 33);
  await update('l = l - ?', [3, 4]);
  assert.deepStrictEqual(await read(1, 'l'), [[0, 33, 1]]);
  await client.execute('DELETE l[?] FROM collections WHERE k = 1', [0], PREPARE);
  assert.deepStrictEqual(await read(1, 'l'), [[33, 1]]);
  await update('s = s + ?', new Set(['c']));
  await update('s = s - ?', new Set(['a']));
  assert.deepStrictEqual(await read(1, 's'), [new Set(['b', 'c'])]);
  await update('m[?] = ?', 'new', AT);
  await update('m = m - ?', new Set(['x']));
  await update('m = m + ?', new Map([['y', AT]]));
  assert.deepStrictEqual(await read(1, 'm'), [new Map([['a', AT], ['new', AT], ['y', AT]])]);
  assert.deepStrictEqual(await read(1, "m['new']"), [AT]);
  await client.execute('CREATE TABLE by_list (k int, c frozen<list<int>>, PRIMARY KEY (k, c))');
  for (const key of [[2], [1, 5], [-3], [1]]) {
    await client.execute('INSERT INTO by_list (k, c) VALUES (1, ?)', [key], PREPARE);
  }
  assert.deepStrictEqual(values(await client.execute('SELECT c FROM by_list WHERE k = 1')).flat(), [[-3], [1], [1, 5], [2]]);
}

/** Returns tuples and UDTs as plain arrays and objects. */
function plain(value) {
  if (value instanceof Tuple) {
    return value.elements.map((element) => plain(element ?? null));
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field ?? null)]));
  }
  return value;
}

async function types_structured(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TYPE inner_t (a int, b text)');
    await client.execute('CREATE TYPE outer_t (name text, i frozen<inner_t>, l frozen<list<frozen<inner_t>>>)');
    await client.execute(`CREATE TABLE structured (k int PRIMARY KEY, t tuple<int, text, frozen<list<int>>>, u outer_t,
      fu frozen<outer_t>, lu list<frozen<inner_t>>, mt map<text, frozen<tuple<int, int>>>, tu tuple<inner_t, int>)`);
    const insert = 'INSERT INTO structured (k, t, u, fu, lu, mt, tu) VALUES (?, ?, ?, ?, ?, ?, ?)';
    const read = async (k, columns = 't, u, fu, lu, mt, tu') =>
      plain(values(await client.execute(`SELECT ${columns} FROM structured WHERE k = ?`, [k], PREPARE))[0]);
    const udt = { name: 'n', i: { a: 1, b: 'x' }, l: [{ a: 2, b: 'y' }, { a: 3, b: null }] };
    await client.execute(insert, [1, new Tuple(1, 'a', [4, 5]), udt, udt, [{ a: 7, b: 'seven' }, { a: null, b: null }],
      { p: new Tuple(1, 2), q: new Tuple(null, 3) }, new Tuple({ a: 1, b: 'b' }, null)], PREPARE);
    assert.deepStrictEqual(await read(1), [[1, 'a', [4, 5]], udt, udt, [{ a: 7, b: 'seven' }, { a: null, b: null }],
      { p: [1, 2], q: [null, 3] }, [{ a: 1, b: 'b' }, null]]);
    await client.execute(insert, [2, new Tuple(null, 'only', null), { name: 'n' }, { i: { a: 1 } }, null, null,
      new Tuple(null, 5)], PREPARE);
    assert.deepStrictEqual(await read(2), [[null, 'only', null], { name: 'n', i: null, l: null },
      { name: null, i: { a: 1, b: null }, l: null }, null, null, [null, 5]]);
    await client.execute('UPDATE structured SET u.name = ?, u.i = ? WHERE k = 1', ['changed', { a: 8, b: 'e' }], PREPARE);
    assert.deepStrictEqual(await read(1, 'u'), [{ ...udt, name: 'changed', i: { a: 8, b: 'e' } }]);
    assert.deepStrictEqual(await read(1, 'u.name, u.i.b'), ['changed', 'e']);
    await client.execute('ALTER TYPE inner_t ADD c bigint');
  });
  await context.session({}, async (client) => {  // Values that are older than the field do not have it, and the driver omits it.
    const row = plain(values(await client.execute('SELECT lu FROM structured WHERE k = 1', [], PREPARE))[0]);
    assert.deepStrictEqual(row, [[{ a: 7, b: 'seven' }, { a: null, b: null }]]);
  });
}

async function types_vectors(context) {
  await context.session({}, async (client) => {
    await client.execute('CREATE TABLE vectors (k int PRIMARY KEY, f vector<float, 3>, t vector<text, 2>, ' +
      'l list<frozen<vector<float, 2>>>)');
    const insert = 'INSERT INTO vectors (k, f, t, l) VALUES (?, ?, ?, ?)';
    const pair = (...numbers) => new Vector(new Float32Array(numbers));
    await client.execute(insert, [1, pair(1.5, -2, 0), new Vector(['a', ''], 'text'), [pair(1, 2), pair(3, 4)]], PREPARE);
    const row = (await client.execute('SELECT f, t, l FROM vectors WHERE k = 1')).first();
    assert.deepStrictEqual([[...row.f], [...row.t], row.l.map((vector) => [...vector])], [[1.5, -2, 0], ['a', ''], [[1, 2], [3, 4]]]);
    await client.execute('INSERT INTO vectors (k, f) VALUES (2, [1, 2, 3])');
    assert.deepStrictEqual([...(await client.execute('SELECT f FROM vectors WHERE k = 2')).first().f], [1, 2, 3]);
    await client.execute(insert, [3, null, null, null], PREPARE);
    assert.deepStrictEqual(values(await client.execute('SELECT f, t, l FROM vectors WHERE k = 3')), [[null, null, null]]);
  });
}

async function types_all_versions(context) {
  const names = Object.keys(SCALARS);
  await context.session({}, async (client) => {
    await client.execute('CREATE TYPE udt_v (a int, b frozen<list<text>>)');
    await client.execute(`CREATE TABLE versions (k int PRIMARY KEY, ${names.map((name) => `c_${name} ${name}`).join(', ')}, ` +
      'l list<int>, m map<text, frozen<set<int>>>, t tuple<int, text>, u udt_v)');
  });
  for (const version of [3, 4]) {
    await context.session({ protocolOptions: { maxVersion: version } }, async (client) => {
      await writeScalars(client, 'versions', version);
      await client.execute('INSERT INTO versions (k, l, m, t, u) VALUES (1, ?, ?, ?, ?)',
        [[1, 2], { a: [1] }, new Tuple(1, null), { a: 5, b: ['x'] }], PREPARE);
      const row = plain(values(await client.execute('SELECT l, m, t, u FROM versions WHERE k = 1'))[0]);
      assert.deepStrictEqual(row, [[1, 2], { a: [1] }, [1, null], { a: 5, b: ['x'] }]);
    });
  }
  return 'v3 v4';
}

module.exports = { types_scalars, types_limits, types_collections, types_structured, types_vectors, types_all_versions };
