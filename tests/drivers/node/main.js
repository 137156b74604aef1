'use strict';
// main.js HOST PORT [NAME=VALUE...]: runs every case of tests/drivers/cases.md with the Node driver.
const { Context, runCases } = require('./support');

const CASES = {
  ...require('./cases_connect'),
  ...require('./cases_metadata'),
  ...require('./cases_statements'),
  ...require('./cases_altered'),
  ...require('./cases_types'),
  ...require('./cases_paging'),
  ...require('./cases_writes'),
  ...require('./cases_errors'),
  ...require('./cases_tls'),
};

function parse(args) {
  const settings = { driver: 'cassandra-driver', http: null, keyspace: 'drivers_node', restart: 'no', only: null, user: null, password: null,
    tls: null, tls_refused: null };
  for (const argument of args) {
    const [name, value] = argument.split(/=(.*)/s);
    if (value === undefined || !(name in settings)) {
      console.error(`unknown argument: ${argument}`);
      process.exit(2);
    }
    settings[name] = value;
  }
  return settings;
}

async function main() {
  const [host, port, ...rest] = process.argv.slice(2);
  const settings = parse(rest);
  const context = new Context({ host, port: Number(port), prefix: settings.keyspace, mayRestart: settings.restart === 'yes',
    user: settings.user, password: settings.password, isWiderow: settings.http !== null, certificates: settings.tls,
    tlsRefused: (settings.tls_refused || '').split(',').filter(Boolean).map((one) => one.split(':')) });
  return await runCases(CASES, context, settings.only && settings.only.split(',')) ? 0 : 1;
}

// After a restart of the server, a client may keep a connection open after shutdown(). exit() ends the process nevertheless.
main().then((status) => process.exit(status), (error) => {
  console.error(error);
  process.exit(1);
});
