'use strict';
// The functions that all cases share: clients that are closed automatically, and comparisons that show both values.
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const cassandra = require('cassandra-driver');

const REPLICATION = "{'class': 'SimpleStrategy', 'replication_factor': 1}";

/** A case throws this if the driver has no such feature. */
class NotApplicable extends Error {}
/** The case `reconnect` throws this if nobody restarts the server. */
class NotRun extends Error {}

/** The server's address, and its clients. All cases use the keyspace `prefix`. */
class Context {
  constructor({ host, port, prefix, mayRestart, user, password, isWiderow, certificates, tlsRefused }) {
    Object.assign(this, { host, port, prefix, mayRestart, user, password, isWiderow, certificates, tlsRefused });
  }

  /** Returns the driver's options of TLS, with this client's certificate or with none. */
  tlsOptions(certificate) {
    const file = (name) => fs.readFileSync(path.join(this.certificates, name));
    const own = certificate ? { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) } : {};
    return { ca: [file('ca.pem')], rejectUnauthorized: true, ...own };
  }

  /** Runs action(client) and then closes the client. */
  async connect(options, action) {
    const client = new cassandra.Client({
      contactPoints: [this.host],
      localDataCenter: this.dataCenter,
      ...(this.user ? { credentials: { username: this.user, password: this.password } } : {}),
      ...(this.certificates ? { sslOptions: this.tlsOptions('ann') } : {}),
      ...options,
      protocolOptions: { port: this.port, ...options.protocolOptions },
      policies: { reconnection: new cassandra.policies.reconnection.ConstantReconnectionPolicy(200), ...options.policies },
      socketOptions: { readTimeout: 60000, ...options.socketOptions },
    });
    try {
      await client.connect();
      return await action(client);
    } finally {
      await client.shutdown();
    }
  }

  /** Does the same as connect(), in the keyspace of all cases. */
  session(options, action) {
    return this.connect({ keyspace: this.prefix, ...options }, action);
  }

  /** Finds the name of the data centre, which the load balancing policy needs. A client without this policy reads it. */
  async findDataCenter() {
    const { RoundRobinPolicy } = cassandra.policies.loadBalancing;
    await this.connect({ policies: { loadBalancing: new RoundRobinPolicy() } }, async (client) => {
      this.dataCenter = (await client.execute("SELECT data_center FROM system.local WHERE key = 'local'")).first().data_center;
    });
  }

  async restartServer() {
    if (!this.mayRestart) {
      throw new NotRun('nobody restarts the server');
    }
    console.log('RESTART');
    const lines = readline.createInterface({ input: process.stdin });
    const [answer] = await new Promise((resolve) => lines.once('line', (line) => resolve([line])));
    lines.close();
    assert.strictEqual(answer, 'GO');
  }
}

async function dropKeyspaces(context) {
  await context.connect({}, async (client) => {
    const { rows } = await client.execute('SELECT keyspace_name FROM system_schema.keyspaces');
    for (const { keyspace_name: name } of rows.filter((row) => row.keyspace_name.startsWith(context.prefix))) {
      await client.execute(`DROP KEYSPACE "${name}"`);
    }
  });
}

/** Runs the cases one by one. Returns true if none of them failed. */
async function runCases(cases, context, only) {
  await context.findDataCenter();
  await dropKeyspaces(context);
  await context.connect({}, (client) => client.execute(`CREATE KEYSPACE ${context.prefix} WITH replication = ${REPLICATION}`));
  let well = true;
  for (const [name, run] of Object.entries(cases)) {
    if (only && !only.includes(name)) {
      continue;
    }
    const begin = Date.now();
    try {
      const remark = await run(context);
      console.log(`ok ${name} ${remark || ''} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      if (error instanceof NotApplicable) {
        console.log(`not-applicable ${name}: ${error.message}`);
      } else if (error instanceof NotRun) {
        console.log(`not-run ${name}: ${error.message}`);
      } else {
        well = false;
        console.error(error);
        console.log(`FAIL ${name}: ${String(error.message || error).replace(/\n/g, ' | ').slice(0, 500)}`);
      }
    }
  }
  await dropKeyspaces(context);
  return well;
}

/** Checks that `action` fails with an error of class `kind` whose text contains `begin`. If the server sent it, it must have `code`. */
async function refused(kind, code, begin, action) {
  let result;
  try {
    result = await action();
  } catch (error) {
    assert(error instanceof kind, `expected ${kind.name}, got ${error.name}: ${error.message}`);
    assert(error.message.includes(begin), `${error.name} says: ${error.message}; expected: ${begin}`);
    if (code !== null) {
      assert.strictEqual(error.code, code, error.message);
    }
    return error;
  }
  throw new assert.AssertionError({ message: `not refused: expected ${kind.name}: ${begin}; got ${JSON.stringify(result)}` });
}

async function waitUntil(holds, what, seconds = 10) {
  const end = Date.now() + seconds * 1000;
  while (!await holds()) {
    assert(Date.now() < end, `${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the rows as arrays. */
function values(result) {
  return result.rows.map((row) => row.values());
}

module.exports = { Context, NotApplicable, NotRun, REPLICATION, refused, runCases, values, waitUntil };
