// node main.js HOST PORT: tests express-cassandra, an object mapper for Node, on a server (tests/applications/README.md).
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const ExpressCassandra = require('express-cassandra');
const schemas = require('./models.js');

const [host, port] = process.argv.slice(2);
const tests = [];
const test = (name, run) => tests.push({ name, run });

const options = (keyspace, ormOptions) => ({
  clientOptions: {
    contactPoints: [host],
    localDataCenter: 'datacenter1',
    protocolOptions: { port: Number(port) },
    keyspace,
    queryOptions: { consistency: ExpressCassandra.consistencies.one },
  },
  ormOptions: {
    defaultReplicationStrategy: { class: 'SimpleStrategy', replication_factor: 1 },
    migration: 'safe',
    disableTTYConfirmation: true,
    ...ormOptions,
  },
});
const connect = (keyspace, ormOptions) => ExpressCassandra.createClient(options(keyspace, ormOptions));

async function dropKeyspace(keyspace) {
  const client = connect(keyspace).orm.get_system_client();
  await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  await client.shutdown();
}

async function loaded(models, name, schema) {
  const Model = models.loadSchema(name, copyOf(schema));
  await Model.syncDBAsync();
  return Model;
}

// Returns a copy of a schema, because express-cassandra changes the schemas that it gets.
const copyOf = (value) => (Array.isArray(value) ? value.map(copyOf)
  : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)])) : value);

// Waits until `holds` returns true. A server may build indexes and views after it has answered.
async function until(holds) {
  for (let tries = 0; !await holds(); tries += 1) {
    if (tries === 100) assert.fail(`not within 5 seconds: ${holds}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

async function run({ name, run: body }) {
  await dropKeyspace(`express_${name}`);
  const models = connect(`express_${name}`, { udts: schemas.udts, migration: 'alter' });
  try {
    await models.initAsync();
    await body(models);
    console.log(`ok ${name}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}: ${(error.stack || String(error)).replaceAll('\n', ' | ')}`);
    return false;
  } finally {
    await models.closeAsync().catch(() => {});
  }
}

const address = (city) => ({ street: 'Main 1', city, phones: [{ alias: 'home', phone_number: '5', country_code: 31 }] });
const names = (people) => people.map((person) => person.name).sort();

test('sync_twice', async (models) => {
  const Person = models.loadSchema('Person', copyOf(schemas.person));
  assert.equal(await Person.syncDBAsync(), true);
  assert.equal(await Person.syncDBAsync(), false); // The schema that it reads back equals the model's.
  const again = connect('express_sync_twice', { udts: schemas.udts });
  await again.initAsync();
  assert.equal(await again.loadSchema('Person', copyOf(schemas.person)).syncDBAsync(), false);
  await again.closeAsync();
});

test('alter', async (models) => {
  const Event = await loaded(models, 'Event', schemas.event);
  await new Event({ id: 1, at: models.timeuuid(), body: 'one', extra: 'gone' }).saveAsync();
  const changed = copyOf(schemas.event);
  delete changed.fields.extra;
  changed.fields.stars = 'int';
  changed.indexes = ['body'];
  const Later = models.loadSchema('Event', changed);
  await Later.syncDBAsync();
  await until(async () => (await Later.findAsync({ body: 'one' }, { raw: true }).catch(() => [])).length === 1); // The index is built.
  const [row] = await Later.findAsync({ body: 'one' }, { raw: true });
  assert.deepEqual([row.id, row.stars, row.extra], [1, null, undefined]);
  const smaller = copyOf(changed);
  delete smaller.indexes;
  await models.loadSchema('Event', smaller).syncDBAsync();
  await assert.rejects(models.instance.Event.findAsync({ body: 'two', $limit: 2 }, { raw: true }), /ALLOW FILTERING/);
});

test('drop_and_create', async () => {
  const models = connect('express_drop_and_create', { migration: 'drop' });
  await models.initAsync();
  const Event = await loaded(models, 'Event', schemas.event);
  await new Event({ id: 1, at: models.timeuuid(), body: 'one' }).saveAsync();
  const changed = copyOf(schemas.event);
  changed.key = [['id', 'body'], 'at'];
  const Later = models.loadSchema('Event', changed);
  assert.equal(await Later.syncDBAsync(), true);
  assert.deepEqual(await Later.findAsync({}, { raw: true }), []);
  await models.closeAsync();
});

test('safe_migration', async (models) => {
  await loaded(models, 'Event', schemas.event);
  const other = connect('express_safe_migration', { migration: 'safe' });
  await other.initAsync();
  const changed = copyOf(schemas.event);
  changed.fields.stars = 'int';
  await assert.rejects(other.loadSchema('Event', changed).syncDBAsync(), /schemamismatch|does not match|different/);
  await other.closeAsync();
});

test('all_types', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  const t = models.datatypes;
  const written = {
    userID: 1, age: 30, name: 'Ann', surname: 'Lee', active: true, raw: Buffer.from('00ff', 'hex'),
    big: t.Long.fromString('9007199254740993'),
    amount: t.BigDecimal.fromString('1.50'), huge: t.Integer.fromString('123456789012345678901234567890'), ratio: 0.1, part: 0.5,
    day: t.LocalDate.fromString('2026-01-31'), hour: t.LocalTime.fromString('10:20:30.123456789'),
    ip: t.InetAddress.fromString('10.0.0.1'), small: -300, tiny: -5,
    info: { a: '1', b: '2' }, phones: ['5', '4', '5'], emails: ['z@x', 'a@x'],
    home: address('Delft'), homes: [address('Leiden'), address('Gouda')],
    pair: new t.Tuple(7, 'seven'),
  };
  await new Person(written).saveAsync();
  const ann = await Person.findOneAsync({ userID: 1, age: 30 });
  assert.equal(ann.full, 'Ann Lee');
  assert.equal(ann.initials, 'AL');
  assert.equal(ann.greeting(), 'Hello Ann');
  assert.ok(ann.uid instanceof t.Uuid && ann.made instanceof Date && ann.created_at instanceof Date && ann.__v instanceof t.TimeUuid);
  for (const name of ['big', 'amount', 'huge', 'day', 'hour', 'ip', 'raw']) assert.equal(String(ann[name]), String(written[name]), name);
  for (const name of ['active', 'ratio', 'part', 'small', 'tiny', 'info', 'phones']) assert.deepEqual(ann[name], written[name], name);
  assert.deepEqual(ann.emails, ['a@x', 'z@x']);
  assert.deepEqual(ann.pair.values(), [7, 'seven']);
  assert.equal(ann.home.city, 'Delft');
  assert.deepEqual(ann.homes.map((home) => home.city), ['Leiden', 'Gouda']);
  assert.equal(ann.home.phones[0].country_code, 31);
});

test('save_update_delete', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  const ann = new Person({ userID: 1, age: 30, name: 'Ann' });
  assert.equal(ann.isModified(), true);
  await ann.saveAsync();
  ann.surname = 'Ray';
  assert.equal(ann.isModified('surname'), true);
  await ann.saveAsync();
  await Person.updateAsync({ userID: 1, age: 30 }, { active: false, big: models.datatypes.Long.fromInt(4) });
  const found = await Person.findOneAsync({ userID: 1, age: 30 });
  assert.deepEqual([found.surname, found.active, String(found.big)], ['Ray', false, '4']);
  await assert.rejects(new Person({ userID: 1, age: -1 }).saveAsync(), /Age must be greater/);
  await found.deleteAsync();
  assert.equal(await Person.findOneAsync({ userID: 1, age: 30 }), undefined);
  await new Person({ userID: 1, age: 31 }).saveAsync();
  await Person.deleteAsync({ userID: 1 });
  assert.deepEqual(await Person.findAsync({ userID: 1 }), []);
  await new Person({ userID: 2, age: 32 }).saveAsync();
  await Person.truncateAsync();
  assert.deepEqual(await Person.findAsync({}), []);
});

test('collections', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  const key = { userID: 1, age: 30 };
  await new Person({ ...key, name: 'Ann', info: { a: '1' }, phones: ['2'], emails: ['a@x'] }).saveAsync();
  await Person.updateAsync(key, { info: { $add: { b: '2' } }, phones: { $append: ['3'] }, emails: { $add: ['b@x'] } });
  await Person.updateAsync(key, { phones: { $prepend: ['1'] } });
  await Person.updateAsync(key, { info: { $replace: { a: 'one' } } });
  await Person.updateAsync(key, { phones: { $replace: [1, 'two'] } });
  await Person.updateAsync(key, { emails: { $remove: ['a@x'] }, phones: { $remove: ['3'] } });
  let ann = await Person.findOneAsync(key);
  assert.deepEqual([ann.info, ann.phones, ann.emails], [{ a: 'one', b: '2' }, ['1', 'two'], ['b@x']]);
  await Person.updateAsync(key, { info: { $remove: { a: '' } } });
  ann = await Person.findOneAsync(key);
  ann.info.c = '3';
  ann.phones.push('9');
  await ann.saveAsync();
  assert.deepEqual((await Person.findAsync({ info: { $contains_key: 'c' } }, { raw: true }))[0].info, { b: '2', c: '3' });
  assert.equal((await Person.findAsync({ phones: { $contains: '9' } })).length, 1);
  assert.equal((await Person.findAsync({ emails: { $contains: 'b@x' } })).length, 1);
  assert.equal((await Person.findAsync({ emails: { $contains: 'a@x' } })).length, 0);
});

test('queries', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  for (let age = 1; age <= 20; age += 1) await new Person({ userID: age % 2, age, name: `n${age % 5}` }).saveAsync();
  const ages = async (query, options) => (await Person.findAsync(query, { raw: true, ...options })).map((person) => person.age);
  assert.deepEqual(await ages({ userID: 1, age: { $gt: 3, $lte: 9 } }), [9, 7, 5]);
  assert.deepEqual(await ages({ userID: 1, age: { $gt: 3, $lte: 9 }, $orderby: { $asc: 'age' } }), [5, 7, 9]);
  assert.deepEqual(await ages({ userID: { $in: [0, 1] }, age: { $in: [3, 4] } }), [4, 3]);
  assert.deepEqual(await ages({ userID: 0, $limit: 2 }), [20, 18]);
  assert.deepEqual((await ages({ $per_partition_limit: 1 })).sort(), [19, 20]);
  assert.deepEqual((await ages({ name: 'n3' })).sort((a, b) => a - b), [3, 8, 13, 18]);
  assert.deepEqual((await ages({ age: 7 }, { allow_filtering: true })), [7]);
  const [from, below] = await Promise.all([{ $gte: 0 }, { $lt: 0 }].map((range) => ages({ userID: { $token: range } })));
  assert.deepEqual([from.length, below.length].sort(), [10, 10]);
  const counts = ['userID as id', 'count(age) as people', 'max(age) as oldest'];
  assert.deepEqual((await Person.findAsync({ userID: { $in: [0, 1] } }, { select: counts, raw: true }))
    .map((row) => [row.id, Number(row.people), row.oldest]), [[0, 20, 20]]);
  const sums = await Person.findAsync({}, { $groupby: ['userID'], select: ['userID', 'sum(age) as total'] });
  assert.deepEqual(sums.map((row) => [row.userID, row.total]).sort(), [[0, 110], [1, 100]]);
  assert.deepEqual((await Person.findAsync({}, { select: ['userID'], distinct: true })).map((row) => row.userID).sort(), [0, 1]);
  await assert.rejects(Person.findAsync({ surname: 'x' }), /ALLOW FILTERING/);
});

test('materialized_views', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  for (const [userID, age, name] of [[1, 30, 'Ann'], [2, 30, 'Bob'], [3, 5, 'Kim'], [1, 31, 'Ann']]) {
    await new Person({ userID, age, name }).saveAsync();
  }
  assert.deepEqual(names(await Person.findAsync({ age: 30 }, { materialized_view: 'by_age', raw: true })), ['Ann', 'Bob']);
  const named = await Person.findAsync({ name: 'Ann', userID: 1 }, { materialized_view: 'named', raw: true });
  assert.deepEqual(named.map((person) => person.age), [30, 31]);
  assert.deepEqual(await Person.findAsync({ name: 'Kim', userID: 3 }, { materialized_view: 'named', raw: true }), []);
  await Person.updateAsync({ userID: 2, age: 30 }, { name: 'Rob' });
  await Person.deleteAsync({ userID: 1, age: 30 });
  assert.deepEqual(names(await Person.findAsync({ age: 30 }, { materialized_view: 'by_age', raw: true })), ['Rob']);
  assert.deepEqual(await Person.findAsync({ name: 'Bob', userID: 2 }, { materialized_view: 'named', raw: true }), []);
});

test('changed_views', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  await new Person({ userID: 1, age: 30, name: 'Ann', surname: 'Lee' }).saveAsync();
  const changed = copyOf(schemas.person);
  delete changed.materialized_views.named;
  changed.materialized_views.by_surname = { select: ['surname', 'userID', 'age', 'name'], key: ['surname', 'userID', 'age'] };
  const Later = models.loadSchema('Person', changed);
  await Later.syncDBAsync();
  assert.equal(await Later.syncDBAsync(), false);
  await until(async () => (await Later.findAsync({ surname: 'Lee' }, { materialized_view: 'by_surname', raw: true })).length === 1);
});

test('conditions', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  const key = { userID: 1, age: 30 };
  const applied = (result) => result.rows[0]['[applied]'];
  assert.equal(applied(await new Person({ ...key, name: 'Ann' }).saveAsync({ if_not_exist: true })), true);
  assert.equal(applied(await new Person({ ...key, name: 'Eve' }).saveAsync({ if_not_exist: true })), false);
  assert.equal(applied(await Person.updateAsync(key, { active: true }, { conditions: { name: 'Eve' } })), false);
  const conditions = { name: { $in: ['Ann', 'Eve'] }, active: null };
  assert.equal(applied(await Person.updateAsync(key, { active: true }, { conditions })), true);
  assert.equal(applied(await Person.updateAsync({ userID: 9, age: 9 }, { active: true }, { if_exists: true })), false);
  assert.equal((await Person.findOneAsync(key)).active, true);
  assert.equal(await Person.findOneAsync({ userID: 9, age: 9 }), undefined);
});

test('ttl', async (models) => {
  const Event = await loaded(models, 'Event', schemas.event);
  const at = models.timeuuid();
  await new Event({ id: 1, at, body: 'short' }).saveAsync({ ttl: 1000 });
  await Event.updateAsync({ id: 1, at }, { extra: 'x' }, { ttl: 500 });
  const select = ['id', 'ttl(body) as body', 'ttl(extra) as extra', 'writetime(body) as written'];
  const [row] = await Event.findAsync({ id: 1 }, { select });
  assert.ok(row.body > 900 && row.body <= 1000, JSON.stringify(row));
  assert.ok(row.extra > 400 && row.extra <= 500 && Number(row.written) > 1e15, JSON.stringify(row));
});

test('batch', async (models) => {
  const Event = await loaded(models, 'Event', schemas.event);
  const at = [1, 2, 3].map(() => models.timeuuid());
  await new Event({ id: 1, at: at[0], body: 'hello1' }).saveAsync();
  await new Event({ id: 2, at: at[1], body: 'hello2' }).saveAsync();
  await models.doBatchAsync([
    new Event({ id: 3, at: at[2], body: 'hello3', place: 'here' }).save({ return_query: true }),
    Event.update({ id: 1, at: at[0] }, { body: 'hello1 updated' }, { return_query: true }),
    Event.delete({ id: 2, at: at[1] }, { return_query: true }),
  ]);
  const rows = await Event.findAsync({}, { raw: true });
  assert.deepEqual(rows.map((row) => [row.id, row.body, row.place]).sort(), [[1, 'hello1 updated', null], [3, 'hello3', 'here']]);
});

test('counters', async (models) => {
  const Visits = await loaded(models, 'Visits', schemas.visits);
  const key = { page: '/', day: models.datatypes.LocalDate.fromString('2026-01-31') };
  for (const change of [2, 5, -1]) await Visits.updateAsync(key, { hits: models.datatypes.Long.fromInt(change) });
  assert.equal(String((await Visits.findOneAsync(key)).hits), '6');
});

test('custom_indexes', async (models) => {
  const Search = await loaded(models, 'Search', schemas.search);
  for (const [id, title] of [[1, 'Moby'], [2, 'moby'], [3, 'Emma']]) await new Search({ id, title, rank: id * 10 }).saveAsync();
  assert.deepEqual((await Search.findAsync({ title: 'MOBY' }, { raw: true })).map((row) => row.id).sort(), [1, 2]);
  assert.deepEqual((await Search.findAsync({ rank: { $gt: 10 } }, { raw: true })).map((row) => row.id).sort(), [2, 3]);
  assert.equal(await models.loadSchema('Search', copyOf(schemas.search)).syncDBAsync(), false);
});

test('pages', async (models) => {
  const Event = await loaded(models, 'Event', schemas.event);
  for (let id = 0; id < 100; id += 1) await new Event({ id: id % 3, at: models.timeuuid(), body: String(id) }).saveAsync();
  const seen = new Set();
  const ended = (resolve, reject) => (error, result) => (error ? reject(error) : resolve(result));
  await new Promise((resolve, reject) => {
    Event.eachRow({}, { autoPage: true, fetchSize: 7, raw: true }, (n, row) => seen.add(row.body), ended(resolve, reject));
  });
  assert.equal(seen.size, 100);
  const streamed = [];
  await new Promise((resolve, reject) => {
    Event.stream({ id: 1 }, { raw: true, fetchSize: 5 }, (reader) => {
      for (let row = reader.readRow(); row; row = reader.readRow()) streamed.push(row.body);
    }, ended(resolve, reject));
  });
  assert.equal(streamed.length, 33);
  const page = async (pageState) => {
    const rows = [];
    const result = await new Promise((resolve, reject) => {
      Event.eachRow({ id: 2 }, { fetchSize: 20, pageState, raw: true }, (n, row) => rows.push(row.body), ended(resolve, reject));
    });
    return [rows, result.pageState];
  };
  const [first, state] = await page();
  const [second, end] = await page(state);
  assert.deepEqual([first.length, second.length, Boolean(end)], [20, 13, false]);
  assert.equal(new Set([...first, ...second]).size, 33);
});

test('hooks', async (models) => {
  const schema = copyOf(schemas.event);
  const calls = [];
  for (const name of ['before_save', 'after_save', 'before_update', 'after_update', 'before_delete', 'after_delete']) {
    schema[name] = () => calls.push(name) > 0 && name !== 'before_delete';
  }
  const Event = await loaded(models, 'Event', schema);
  const key = { id: 1, at: models.timeuuid() };
  await new Event({ ...key, body: 'x' }).saveAsync();
  await Event.updateAsync(key, { body: 'y' });
  await assert.rejects(Event.deleteAsync(key), /before_delete/);
  assert.deepEqual(calls, ['before_save', 'after_save', 'before_update', 'after_update', 'before_delete']);
  assert.equal((await Event.findOneAsync(key)).body, 'y');
});

test('raw_queries', async (models) => {
  const Person = await loaded(models, 'Person', schemas.person);
  await new Person({ userID: 1, age: 30, name: 'Ann' }).saveAsync();
  const result = await Person.execute_queryAsync(`SELECT JSON "userID", name FROM "${Person.get_table_name()}" WHERE "userID" = ?`, [1]);
  assert.equal(result.rows[0]['[json]'], '{"\\"userID\\"": 1, "name": "Ann"}');
  assert.equal(models.instance.Person, Person);
  const counted = await Person.execute_queryAsync(`SELECT count(*) FROM "${Person.get_table_name()}"`, []);
  assert.equal(String(counted.rows[0].count), '1');
});

test('functions_of_users', async () => {
  const models = connect('express_functions_of_users', {
    udfs: { plus: { language: 'java', code: 'return a + b;', returnType: 'int', inputs: { a: 'int', b: 'int' } } },
  });
  await assert.rejects(models.initAsync(), /User-defined functions are disabled/); // Cassandra refuses them too, with its default settings.
  await models.closeAsync();
});

// Loads models from a directory, writes the tables of a keyspace to files, and reads the files back.
test('export_import', async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'widerow-express-'));
  const global = ExpressCassandra;
  try {
    for (const name of ['Event', 'Visits']) {
      const models = JSON.stringify(path.join(__dirname, 'models.js'));
      fs.writeFileSync(path.join(directory, `${name}Model.js`), `module.exports = require(${models}).${name.toLowerCase()};`);
    }
    await global.setDirectory(directory).bindAsync(options('express_export_import'));
    const { Event, Visits } = global.instance;
    for (let id = 0; id < 10; id += 1) await new Event({ id, at: global.timeuuid(), body: `b${id}`, place: 'p' }).saveAsync();
    const key = { page: '/', day: global.datatypes.LocalDate.fromString('2026-01-31') };
    await Visits.updateAsync(key, { hits: global.datatypes.Long.fromInt(3) });
    await global.exportAsync(directory);
    await Event.truncateAsync();
    await Visits.truncateAsync();
    assert.deepEqual(await Event.findAsync({}), []);
    await global.importAsync(directory, { batchSize: 3 });
    const bodies = (await Event.findAsync({}, { raw: true })).map((row) => `${row.body}${row.place}`);
    assert.deepEqual(bodies.sort(), [...Array(10).keys()].map((id) => `b${id}p`));
    assert.equal(String((await Visits.findOneAsync(key)).hits), '3');
  } finally {
    fs.rmSync(directory, { recursive: true });
    await global.closeAsync();
  }
});

(async () => {
  process.on('unhandledRejection', (error) => console.log(`FAIL unhandled: ${error.message}`));
  let failed = 0;
  for (const one of tests) failed += (await run(one)) ? 0 : 1;
  for (const { name } of tests) await dropKeyspace(`express_${name}`);
  process.exit(failed ? 1 : 0);
})();
