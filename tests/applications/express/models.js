// The models of the test, as express-cassandra's documentation writes them.
'use strict';

exports.udts = {
  phone: { alias: 'text', phone_number: 'text', country_code: 'int' },
  address: { street: 'text', city: 'text', phones: 'set<frozen<phone>>' },
};

exports.person = {
  fields: {
    userID: { type: 'int' },
    age: { type: 'int', rule: { validator: (value) => value > 0, message: 'Age must be greater than 0' } },
    name: { type: 'varchar', default: 'no name' },
    surname: { type: 'text', default: 'no surname' },
    full: { type: 'text', default() { return `${this.name} ${this.surname}`; } },
    uid: { type: 'uuid', default: { $db_function: 'uuid()' } },
    made: { type: 'timestamp', default: { $db_function: 'toTimestamp(now())' } },
    active: 'boolean',
    raw: 'blob',
    big: 'bigint',
    amount: 'decimal',
    huge: 'varint',
    ratio: 'double',
    part: 'float',
    day: 'date',
    hour: 'time',
    ip: 'inet',
    small: 'smallint',
    tiny: 'tinyint',
    info: { type: 'map', typeDef: '<varchar, text>' },
    phones: { type: 'list', typeDef: '<varchar>' },
    emails: { type: 'set', typeDef: '<varchar>' },
    home: { type: 'frozen', typeDef: '<address>' },
    homes: { type: 'list', typeDef: '<frozen<address>>' },
    pair: { type: 'frozen', typeDef: '<tuple<int, text>>' },
    initials: { type: 'text', virtual: { get() { return this.name[0] + this.surname[0]; } } },
  },
  key: [['userID'], 'age'],
  clustering_order: { age: 'desc' },
  indexes: ['name', 'keys(info)', 'emails', 'values(phones)'],
  materialized_views: {
    by_age: { select: ['age', 'userID', 'name', 'surname'], key: ['age', 'userID'] },
    named: {
      select: ['*'],
      key: [['name', 'userID'], 'age'],
      clustering_order: { age: 'asc' },
      filters: { age: { $gte: 10 }, name: { $isnt: null } },
    },
  },
  methods: { greeting() { return `Hello ${this.name}`; } },
  options: { timestamps: { createdAt: 'created_at', updatedAt: 'updated_at' }, versions: { key: '__v' } },
};

exports.event = {
  fields: { id: 'int', at: 'timeuuid', body: 'text', place: { type: 'text', static: true }, extra: 'text' },
  key: [['id'], 'at'],
  table_name: 'all_Events',
};

exports.visits = { fields: { page: 'text', day: 'date', hits: 'counter' }, key: [['page'], 'day'] };

exports.search = {
  fields: { id: 'int', title: 'text', rank: 'int' },
  key: ['id'],
  custom_indexes: [
    { on: 'title', using: 'StorageAttachedIndex', options: { case_sensitive: 'false' } },
    { on: 'rank', using: 'StorageAttachedIndex', options: {} },
  ],
};
