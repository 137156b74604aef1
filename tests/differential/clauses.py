"""The clauses of the grammar that the generator does not make, each with the reason. coverage_test.py compares this list with the
grammar. So a new clause must be made by the generator, or get a reason here."""

_EXTENSION = 'an extension, which Cassandra does not have (docs/reference/extensions.md)'
_ROLES = 'needs a server with roles; tests/cql/roles runs on both'
_RELEVANCE = 'DataStax has it, Cassandra 5.0 does not (docs/internals/decisions/0026-relevance.md)'
_DESCRIBE = 'texts of schemas; tests/cql/describe runs on both'

# If all clauses that contain a clause are excluded, it is excluded too.
EXCLUDED = {
    'statement: explainStatement': _EXTENSION,
    'statement: adviseStatement': _EXTENSION,
    'cqlStatement: createTriggerStatement': 'Cassandra loads the trigger from a file',
    'cqlStatement: createTableGroupStatement': _EXTENSION,
    'cqlStatement: dropTableGroupStatement': _EXTENSION,
    **{f'cqlStatement: {name}': _ROLES for name in (
        'createRoleStatement', 'alterRoleStatement', 'dropRoleStatement', 'createUserStatement', 'alterUserStatement', 'dropUserStatement',
        'grantStatement', 'revokeStatement', 'listStatement', 'addIdentityStatement', 'dropIdentityStatement')},
    'cqlStatement: describeStatement': _DESCRIBE,
    'ordering: BM25': _RELEVANCE,
    'basicKeyword: BM25': _RELEVANCE,
    'allowClause: ALLOW SORTING': _EXTENSION,
    'allowClause: SORTING (ALLOW FILTERING)?': _EXTENSION,
    'condition: OR andCondition': _EXTENSION,
    'notCondition: NOT notCondition': _EXTENSION,
    "notCondition: '(' condition ')'": _EXTENSION,
    'relation: compareOperator term': _EXTENSION,
    'relation: BETWEEN term AND term': _EXTENSION,
    "relation: ':' term": _EXTENSION,
    'relation: NOT': _EXTENSION,
    'relation: NOT (place 2)': _EXTENSION,
    'term: negativeProduct': 'Cassandra reads the minus as a part of the number (docs/reference/cql-support.md)',
    'createTableStatement: tableGroupClause': _EXTENSION,
    'createTableStatement: partitionByClause': _EXTENSION,
    'tableOption: COMPACT STORAGE': 'refused by Widerow (docs/reference/cql-support.md)',
    'columnDefinition: notNull': _EXTENSION,
    'columnDefinition: notNull (place 2)': _EXTENSION,
    'columnDefinition: notNull generatedClause?': _EXTENSION,
    'columnDefinition: generatedClause notNull?': _EXTENSION,
    'alterTableAction: ALTER ident generatedClause': _EXTENSION,
    'alterTableAction: ADD PARTITION (ident partitionValues | partitionDefinitions)': _EXTENSION,
    "alterTableAction: (DROP | TRUNCATE) PARTITION ident (',' ident)*": _EXTENSION,
    "alterTableAction: SPLIT PARTITION ident (AT '(' term (',' term)* ')')? (INTO partitionDefinitions)?": _EXTENSION,
    "alterTableAction: (MERGE | REORGANIZE) PARTITION ident (',' ident)* INTO partitionDefinitions": _EXTENSION,
    'createIndexStatement: UNIQUE': _EXTENSION,
    'createIndexStatement: GLOBAL': _EXTENSION,
    'createIndexStatement: LOCAL': _EXTENSION,
    'createIndexStatement: GLOBAL (place 2)': _EXTENSION,
    'createIndexStatement: LOCAL (place 2)': _EXTENSION,
    "createIndexStatement: indexPartition ','": _EXTENSION,
    "indexPartition: ',' columnName": _EXTENSION,
    "type: '(' INTEGER ')'": _EXTENSION,
    'tableName: COLUMNFAMILY': _EXTENSION,
}
