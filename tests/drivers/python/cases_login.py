"""Cases of logins and permissions."""
from cassandra import AuthenticationFailed, Unauthorized
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import NoHostAvailable
from support import NotApplicable, case, check, equal


def refusal(context, role, password):
    """Logs in. Returns the driver's error, or 'in' if the login succeeds."""
    try:
        with context.connect(auth_provider=PlainTextAuthProvider(role, password)):
            return 'in'
    except NoHostAvailable as error:
        reasons = list(error.errors.values())
        check(all(isinstance(reason, AuthenticationFailed) for reason in reasons), f'the reasons are {reasons}')
        return str(reasons[0])


@case
def login(context):
    if not context.credentials:
        raise NotApplicable('the server asks nobody')
    keyspace = context.prefix
    with context.session() as admin:
        for role in ('drivers_ann', 'drivers_bob'):
            admin.execute(f'DROP ROLE IF EXISTS {role}')
        admin.execute('CREATE TABLE granted (k int PRIMARY KEY, v int)')
        admin.execute("CREATE ROLE drivers_ann WITH PASSWORD = 'pw' AND LOGIN = true")
        admin.execute("CREATE ROLE drivers_bob WITH PASSWORD = 'pw'")
        check('Provided username drivers_ann and/or password are incorrect' in refusal(context, 'drivers_ann', 'wrong'), 'a wrong password')
        check('Provided username drivers_nobody and/or' in refusal(context, 'drivers_nobody', 'pw'), 'a wrong name')
        check('drivers_bob is not permitted to log in' in refusal(context, 'drivers_bob', 'pw'), 'no LOGIN')
        for version in (3, 4, 5):
            with context.session(auth_provider=PlainTextAuthProvider('drivers_ann', 'pw'), protocol_version=version) as ann:
                check(keyspace in ann.cluster.metadata.keyspaces, 'the schema is read')
                read = ann.prepare('SELECT v FROM granted WHERE k = ?')
                write = ann.prepare('INSERT INTO granted (k, v) VALUES (?, ?)')
                expect_unauthorized(ann, read, (1,), 'SELECT', keyspace)
                admin.execute('GRANT SELECT ON granted TO drivers_ann')
                equal(list(ann.execute(read, (1,))), [] if version == 3 else [(version - 1,)], 'what may be read now')
                expect_unauthorized(ann, write, (1, 1), 'MODIFY', keyspace)
                admin.execute('GRANT MODIFY ON granted TO drivers_ann')
                ann.execute(write, (1, version))
                equal(ann.execute(read, (1,)).one().v, version, 'what was written')
                admin.execute('REVOKE ALL ON granted FROM drivers_ann')
                expect_unauthorized(ann, read, (1,), 'SELECT', keyspace)
                expect_unauthorized(ann, write, (1, 1), 'MODIFY', keyspace)
        rows = admin.execute('LIST ROLES OF drivers_ann')
        equal([(row.role, row.super, row.login, dict(row.options), row.datacenters) for row in rows],
              [('drivers_ann', False, True, {}, 'ALL')], 'LIST ROLES')
        admin.execute('DROP ROLE drivers_ann')
        admin.execute('DROP ROLE drivers_bob')


def expect_unauthorized(session, statement, values, permission, keyspace):
    try:
        session.execute(statement, values)
    except Unauthorized as error:
        check(f'User drivers_ann has no {permission} permission on <table {keyspace}.granted> or any of its parents' in str(error), str(error))
        return
    check(False, f'{permission} was not asked for')
