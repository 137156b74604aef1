"""The case of TLS."""
import ssl

from cassandra.cluster import NoHostAvailable
from support import NotApplicable, case, check, equal


def refusal(context, **settings):
    """Connects. Returns the reasons for which this is refused, or [] if it succeeds."""
    try:
        with context.connect(**settings):
            return []
    except NoHostAvailable as error:
        return list(error.errors.values())


@case
def tls(context):
    if not context.certificates:
        raise NotApplicable('the server has no TLS')
    with context.session() as session:
        rows = list(session.execute("SELECT ssl_enabled, ssl_protocol, username FROM system_views.clients"
                                    " WHERE connection_stage = 'ready' ALLOW FILTERING"))
        equal({(row.ssl_enabled, row.ssl_protocol, row.username) for row in rows}, {(True, 'TLSv1.3', 'cassandra')}, 'clients')
    words = {'expired': 'expired', 'wrong_host': 'mismatch', 'unknown_server': 'unable to get local issuer certificate'}
    equal(set(context.tls_refused), set(words), 'servers to refuse')
    for kind, port in context.tls_refused.items():
        reasons = refusal(context, port=port)
        check(reasons and all(isinstance(reason, ssl.SSLCertVerificationError) or words[kind] in str(reason) for reason in reasons),
              f'{kind}: {reasons}')
    for certificate in (None, 'expired_client', 'unknown_client'):
        check(refusal(context, certificate=certificate), f'the server accepts {certificate}')
