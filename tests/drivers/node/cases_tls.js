'use strict';
// The case of TLS.
const assert = require('assert');
const { NotApplicable } = require('./support');

/** Connects. Returns the text of the error with which this is refused, or null if it succeeds. */
async function refusal(context, options) {
  try {
    await context.connect(options, async () => {});
    return null;
  } catch (error) {
    return [error, ...Object.values(error.innerErrors || {})].map(String).join(' / ');
  }
}

async function tls(context) {
  if (!context.certificates) {
    throw new NotApplicable('the server has no TLS');
  }
  await context.session({}, async (client) => {
    const { rows } = await client.execute(
      "SELECT ssl_enabled, ssl_protocol, username FROM system_views.clients WHERE connection_stage = 'ready' ALLOW FILTERING");
    assert(rows.length > 0);
    for (const row of rows) {
      assert.deepStrictEqual([row.ssl_enabled, row.ssl_protocol, row.username], [true, 'TLSv1.3', 'cassandra']);
    }
  });
  const words = { expired: 'expired', wrong_host: 'does not match certificate', unknown_server: 'unable to verify the first certificate' };
  assert.deepStrictEqual(context.tlsRefused.map(([kind]) => kind).sort(), Object.keys(words).sort());
  for (const [kind, port] of context.tlsRefused) {
    const reason = await refusal(context, { protocolOptions: { port: Number(port) } });
    assert(reason && reason.includes(words[kind]), `${kind}: ${reason}`);
  }
  for (const certificate of [null, 'expired_client', 'unknown_client']) {
    assert(await refusal(context, { sslOptions: context.tlsOptions(certificate) }), `the server accepts ${certificate}`);
  }
}

module.exports = { tls };
