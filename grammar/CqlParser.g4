// CQL 3.4.7 and Widerow's extensions (docs/reference/extensions.md). The grammar contains no code. parser/build_*.cc
// ("the builder") build the syntax tree, and make the checks that a grammar would report badly: which side of a
// comparison is the column, and where a column is allowed.
//
// The grammar has one ambiguity: in `(x) y`, the name in parentheses may be a type hint or a column. As in Cassandra it
// is a hint, which is the first alternative. So ANTLR's faster SLL prediction gives the same tree as full LL prediction.
parser grammar CqlParser;

options {
  tokenVocab = CqlLexer;
}

statementInput: statement ';'* EOF;
typeInput: type EOF;
termInput: term EOF;

statement: cqlStatement | explainStatement | adviseStatement;

cqlStatement
    : selectStatement
    | insertStatement
    | updateStatement
    | deleteStatement
    | batchStatement
    | useStatement
    | truncateStatement
    | createKeyspaceStatement
    | alterKeyspaceStatement
    | dropKeyspaceStatement
    | createTableStatement
    | alterTableStatement
    | dropTableStatement
    | createTypeStatement
    | alterTypeStatement
    | dropTypeStatement
    | createIndexStatement
    | dropIndexStatement
    | createViewStatement
    | alterViewStatement
    | dropViewStatement
    | createFunctionStatement
    | dropFunctionStatement
    | createAggregateStatement
    | dropAggregateStatement
    | createTriggerStatement
    | dropTriggerStatement
    | createTableGroupStatement
    | dropTableGroupStatement
    | createRoleStatement
    | alterRoleStatement
    | dropRoleStatement
    | createUserStatement
    | alterUserStatement
    | dropUserStatement
    | grantStatement
    | revokeStatement
    | listStatement
    | addIdentityStatement
    | dropIdentityStatement
    | describeStatement
    ;

// --- Data ------------------------------------------------------------------------------------------------------------

selectStatement
    : K_SELECT K_JSON? selectClause K_FROM tableName whereClause? groupByClause? orderByClause? perPartitionLimitClause?
      limitClause? allowClause?
    ;
selectClause: K_DISTINCT? selectors;
selectors: '*' | selector (',' selector)*;
selector: term (K_AS ident)?;
whereClause: K_WHERE condition;
groupByClause: K_GROUP K_BY term (',' term)*;
orderByClause: K_ORDER K_BY ordering (',' ordering)*;
ordering: columnName ((K_ANN | K_BM25) K_OF term)? (K_ASC | K_DESC)?;
perPartitionLimitClause: K_PER K_PARTITION K_LIMIT intValue;
limitClause: K_LIMIT intValue;
allowClause: K_ALLOW (K_FILTERING (K_ALLOW K_SORTING)? | K_SORTING (K_ALLOW K_FILTERING)?);
intValue: INTEGER | NEGATIVE_INTEGER | marker;

insertStatement: K_INSERT K_INTO tableName (insertValues | insertJson) ifNotExists? usingClause?;
insertValues: '(' columnName (',' columnName)* ')' K_VALUES '(' term (',' term)* ')';
insertJson: K_JSON (STRING_LITERAL | marker) (K_DEFAULT (K_NULL | K_UNSET))?;
usingClause: K_USING usingObjective (K_AND usingObjective)*;
usingObjective: (K_TIMESTAMP | K_TTL) intValue;

updateStatement
    : K_UPDATE tableName usingClause? K_SET assignment (',' assignment)* K_WHERE condition ifClause?
    ;
assignment
    : columnName ('=' | '+=' | '-=') term
    | columnName '[' term ']' '=' term
    | columnName '.' ident '=' term
    ;
ifClause: K_IF (K_EXISTS | condition);

deleteStatement
    : K_DELETE (deleteTarget (',' deleteTarget)*)? K_FROM tableName usingTimestamp? K_WHERE condition ifClause?
    ;
deleteTarget: columnName ('[' term ']' | '.' ident)?;
usingTimestamp: K_USING K_TIMESTAMP intValue;

batchStatement: K_BEGIN (K_UNLOGGED | K_COUNTER)? K_BATCH usingClause? (batchItem ';'?)* K_APPLY K_BATCH;
batchItem: insertStatement | updateStatement | deleteStatement;

useStatement: K_USE keyspaceName;
truncateStatement: K_TRUNCATE K_COLUMNFAMILY? tableName;

// --- Conditions ------------------------------------------------------------------------------------------------------

condition: andCondition (K_OR andCondition)*;
andCondition: notCondition (K_AND notCondition)*;
notCondition: K_NOT notCondition | '(' condition ')' | indexExpression | relation;
// expr(index, value). The builder allows it only as one of the conditions that AND joins in a WHERE.
indexExpression: EXPR_OPEN ident ',' term ')';
// The builder decides which term is the column: c = 1, 1 < c, 1 < c < 2, (a, b) > (1, 2), token(k) > 5, m['x'] = 1.
relation
    : term
      ( compareOperator term (compareOperator term)?
      | K_BETWEEN term K_AND term
      | K_LIKE term
      | ':' term
      | K_IS K_NOT K_NULL
      | K_NOT? K_IN inValues
      | K_NOT? K_CONTAINS K_KEY? term
      )
    ;
compareOperator: '=' | '!=' | '<' | '<=' | '>' | '>=';
inValues: '(' (term (',' term)*)? ')' | marker;

// --- Terms -----------------------------------------------------------------------------------------------------------

term: product (('+' | '-') product | negativeProduct)*;
product: signedTerm (('*' | '/' | '%') signedTerm)*;
// Begins with the -1 of `a -1`, which is one token.
negativeProduct: negativeNumber (('*' | '/' | '%') signedTerm)*;
signedTerm: '-' signedTerm | postfixTerm;
negativeNumber: NEGATIVE_INTEGER | NEGATIVE_FLOAT | NEGATIVE_DURATION | SIGN (K_POSITIVE_NAN | K_POSITIVE_INFINITY);
postfixTerm: (negativeNumber | simpleTerm) ('.' ident | '[' subscript ']')*;
subscript: term (RANGE term?)? | RANGE term | NUMBER_RANGE term?;
simpleTerm
    : literal
    | marker
    | functionCall
    | K_CAST '(' term K_AS type ')'
    | columnName
    | '(' type ')' (negativeNumber | simpleTerm)
    | '(' term (',' term)* ')'
    | '[' (term (',' term)*)? ']'
    | braceTerm
    ;
braceTerm: '{' '}' | '{' term (':' term (',' mapEntry)* | (',' term)*) '}';
mapEntry: term ':' term;
literal
    : STRING_LITERAL
    | INTEGER
    | FLOAT
    | BOOLEAN
    | DURATION
    | UUID
    | HEXNUMBER
    | K_NULL
    | K_POSITIVE_NAN
    | K_POSITIVE_INFINITY
    ;
marker: QMARK | ':' ident;
functionCall: functionName '(' ('*' | term (',' term)*)? ')';
functionName: (ident '.')? plainFunctionName;
plainFunctionName
    : IDENT
    | QUOTED_NAME
    | basicKeyword
    | K_TOKEN
    | K_COUNT
    | K_TTL
    | K_WRITETIME
    | K_MAXWRITETIME
    ;

// --- Schema ----------------------------------------------------------------------------------------------------------

ifNotExists: K_IF K_NOT K_EXISTS;
ifExists: K_IF K_EXISTS;
orReplace: K_OR K_REPLACE;

properties: property (K_AND property)*;
property: ident '=' (propertyValue | propertyMap);
propertyValue
    : STRING_LITERAL
    | INTEGER
    | NEGATIVE_INTEGER
    | FLOAT
    | NEGATIVE_FLOAT
    | BOOLEAN
    | DURATION
    | NEGATIVE_DURATION
    | UUID
    | HEXNUMBER
    | SIGN? (K_POSITIVE_NAN | K_POSITIVE_INFINITY)
    | unreservedKeyword
    ;
propertyMap: '{' (mapEntry (',' mapEntry)*)? '}';

createKeyspaceStatement: K_CREATE K_KEYSPACE ifNotExists? keyspaceName K_WITH properties;
alterKeyspaceStatement: K_ALTER K_KEYSPACE ifExists? keyspaceName K_WITH properties;
dropKeyspaceStatement: K_DROP K_KEYSPACE ifExists? keyspaceName;

createTableStatement
    : K_CREATE K_COLUMNFAMILY ifNotExists? tableName '(' tableItem (',' tableItem?)* ')'
      (tableOptions | tableGroupClause | partitionByClause)*
    ;
tableItem: columnDefinition | primaryKey;
columnDefinition
    : ident type K_STATIC? columnMask? (notNull generatedClause? | generatedClause notNull?)? (K_PRIMARY K_KEY notNull?)?
    ;
notNull: K_NOT K_NULL;
generatedClause: K_GENERATED K_ALWAYS K_AS '(' term ')';
columnMask: K_MASKED K_WITH (K_DEFAULT | functionName '(' (term (',' term)*)? ')');
primaryKey: K_PRIMARY K_KEY '(' partitionKey (',' ident)* ')';
partitionKey: ident | '(' ident (',' ident)* ')';
tableOptions: K_WITH tableOption (K_AND tableOption)*;
tableOption: property | K_COMPACT K_STORAGE | clusteringOrder;
clusteringOrder: K_CLUSTERING K_ORDER K_BY '(' clusteringColumn (',' clusteringColumn)* ')';
clusteringColumn: ident (K_ASC | K_DESC);
tableGroupClause: K_TABLEGROUP '='? ident;
partitionByClause
    : K_PARTITION K_BY partitionMethod '(' term (',' term)* ')' (K_PARTITIONS INTEGER)? partitionDefinitions?
    ;
partitionMethod: K_KEY | K_HASH | (K_RANGE | K_LIST) K_COLUMNS?;
partitionDefinitions: '(' partitionDefinition (',' partitionDefinition)* ')';
partitionDefinition: K_PARTITION ident partitionValues?;
partitionValues
    : K_VALUES (K_LESS K_THAN (K_MAXVALUE | '(' term (',' term)* ')') | K_IN '(' term (',' term)* ')')
    ;

alterTableStatement: K_ALTER K_COLUMNFAMILY ifExists? tableName alterTableAction;
alterTableAction
    : K_ALTER ident K_TYPE type                                                             # alterColumnType
    | K_ALTER ident generatedClause                                                         # alterGeneratedColumn
    | K_ALTER ifExists? ident (columnMask | K_DROP K_MASKED)                                # alterColumnMask
    | K_ADD ifNotExists? (columnDefinition | '(' columnDefinition (',' columnDefinition)* ')')  # addColumns
    | K_DROP ifExists? (ident | '(' ident (',' ident)* ')') (K_USING K_TIMESTAMP (INTEGER | NEGATIVE_INTEGER))?  # dropColumns
    | K_RENAME ifExists? renaming (K_AND renaming)*                                         # renameColumns
    | K_DROP K_COMPACT K_STORAGE                                                            # dropCompactStorage
    | K_WITH properties                                                                     # setProperties
    | K_ADD K_PARTITION (ident partitionValues | partitionDefinitions)                      # addPartitions
    | (K_DROP | K_TRUNCATE) K_PARTITION ident (',' ident)*                                  # removePartitions
    | K_SPLIT K_PARTITION ident (K_AT '(' term (',' term)* ')')? (K_INTO partitionDefinitions)?  # splitPartition
    | (K_MERGE | K_REORGANIZE) K_PARTITION ident (',' ident)* K_INTO partitionDefinitions   # mergePartitions
    ;
renaming: ident K_TO ident;
dropTableStatement: K_DROP K_COLUMNFAMILY ifExists? tableName;

createTypeStatement: K_CREATE K_TYPE ifNotExists? typeName '(' fieldDefinition (',' fieldDefinition?)* ')';
fieldDefinition: ident type;
alterTypeStatement
    : K_ALTER K_TYPE ifExists? typeName
      (K_ALTER ident K_TYPE type | K_ADD ifNotExists? fieldDefinition | K_RENAME ifExists? renaming (K_AND renaming)*)
    ;
dropTypeStatement: K_DROP K_TYPE ifExists? typeName;

createIndexStatement
    : K_CREATE (K_CUSTOM | K_UNIQUE | K_GLOBAL | K_LOCAL)* K_INDEX ifNotExists? (ident | QMARK)? K_ON tableName
      '(' ((indexPartition ',')? indexTarget (',' indexTarget)*)? ')' (K_GLOBAL | K_LOCAL)? (K_USING STRING_LITERAL)?
      (K_WITH properties)?
    ;
// The partition key, as in ScyllaDB: a local index.
indexPartition: '(' columnName (',' columnName)* ')';
indexTarget: columnName | (K_VALUES | K_KEYS | K_ENTRIES | K_FULL) '(' columnName ')';
dropIndexStatement: K_DROP K_INDEX ifExists? indexName;

createViewStatement
    : K_CREATE K_MATERIALIZED K_VIEW ifNotExists? tableName K_AS K_SELECT selectors K_FROM tableName whereClause?
      primaryKey (K_WITH viewOption (K_AND viewOption)*)?
    ;
viewOption: property | K_COMPACT K_STORAGE | clusteringOrder;
alterViewStatement: K_ALTER K_MATERIALIZED K_VIEW ifExists? tableName K_WITH properties;
dropViewStatement: K_DROP K_MATERIALIZED K_VIEW ifExists? tableName;

createFunctionStatement
    : K_CREATE orReplace? K_FUNCTION ifNotExists? functionName '(' (fieldDefinition (',' fieldDefinition)*)? ')'
      (K_RETURNS K_NULL | K_CALLED) K_ON K_NULL K_INPUT K_RETURNS type K_LANGUAGE ident K_AS STRING_LITERAL
    ;
dropFunctionStatement: K_DROP K_FUNCTION ifExists? functionName typeList?;
typeList: '(' (type (',' type)*)? ')';
createAggregateStatement
    : K_CREATE orReplace? K_AGGREGATE ifNotExists? functionName typeList K_SFUNC plainFunctionName K_STYPE type
      (K_FINALFUNC plainFunctionName)? (K_INITCOND term)?
    ;
dropAggregateStatement: K_DROP K_AGGREGATE ifExists? functionName typeList?;

createTriggerStatement: K_CREATE K_TRIGGER ifNotExists? ident K_ON tableName K_USING STRING_LITERAL;
dropTriggerStatement: K_DROP K_TRIGGER ifExists? ident K_ON tableName;

createTableGroupStatement: K_CREATE K_TABLEGROUP ifNotExists? ident;
dropTableGroupStatement: K_DROP K_TABLEGROUP ifExists? ident;

// --- Roles -----------------------------------------------------------------------------------------------------------

createRoleStatement: K_CREATE K_ROLE ifNotExists? roleName (K_WITH roleOption (K_AND roleOption)*)?;
alterRoleStatement: K_ALTER K_ROLE ifExists? roleName (K_WITH roleOption (K_AND roleOption)*)?;
dropRoleStatement: K_DROP K_ROLE ifExists? roleName;
roleOption
    : K_PASSWORD '=' STRING_LITERAL
    | K_GENERATED K_PASSWORD
    | K_HASHED K_PASSWORD '=' STRING_LITERAL
    | K_OPTIONS '=' propertyMap
    | (K_SUPERUSER | K_LOGIN) '=' BOOLEAN
    | K_ACCESS K_TO (K_ALL K_DATACENTERS | K_DATACENTERS stringSet)
    | K_ACCESS K_FROM (K_ALL K_CIDRS | K_CIDRS stringSet)
    ;
stringSet: '{' STRING_LITERAL (',' STRING_LITERAL)* '}';
roleName: ident | STRING_LITERAL | QMARK;

createUserStatement: K_CREATE K_USER ifNotExists? userName (K_WITH userPassword)? (K_SUPERUSER | K_NOSUPERUSER)?;
alterUserStatement: K_ALTER K_USER ifExists? userName (K_WITH userPassword)? (K_SUPERUSER | K_NOSUPERUSER)?;
dropUserStatement: K_DROP K_USER ifExists? userName;
userPassword: K_PASSWORD STRING_LITERAL | K_HASHED K_PASSWORD STRING_LITERAL | K_GENERATED K_PASSWORD;
userName: IDENT | STRING_LITERAL | QUOTED_NAME;

grantStatement: K_GRANT (permissions K_ON resource | roleName) K_TO roleName;
revokeStatement: K_REVOKE (permissions K_ON resource | roleName) K_FROM roleName;
permissions: K_ALL K_PERMISSIONS? | permission (',' permission)*;
permission
    : ( K_CREATE | K_ALTER | K_DROP | K_SELECT | K_MODIFY | K_AUTHORIZE | K_DESCRIBE | K_EXECUTE | K_UNMASK
      | K_SELECT_MASKED
      ) K_PERMISSION?
    ;
resource
    : K_ALL (K_KEYSPACES | K_ROLES | K_MBEANS)
    | K_ALL (K_TABLES K_IN K_KEYSPACE keyspaceName | K_FUNCTIONS (K_IN K_KEYSPACE keyspaceName)?)
    | K_KEYSPACE keyspaceName
    | K_ROLE roleName
    | K_FUNCTION functionName typeList
    | (K_MBEAN | K_MBEANS) STRING_LITERAL
    | K_COLUMNFAMILY? tableName
    ;
listStatement
    : K_LIST (K_USERS | K_SUPERUSERS | K_ROLES (K_OF roleName)? K_NORECURSIVE?)
    | K_LIST permissions (K_ON resource)? (K_OF roleName)? K_NORECURSIVE?
    ;
addIdentityStatement: K_ADD K_IDENTITY ifNotExists? userName K_TO K_ROLE userName;
dropIdentityStatement: K_DROP K_IDENTITY ifExists? userName;

// --- DESCRIBE, EXPLAIN, ADVISE ---------------------------------------------------------------------------------------

// DESCRIBE TABLES, KEYSPACES, CLUSTER, …: these words are names here, because none is reserved.
describeStatement: (K_DESCRIBE | K_DESC) describeTarget (K_WITH K_INTERNALS)?;
describeTarget
    : K_FULL? K_SCHEMA
    | K_ONLY? K_KEYSPACE keyspaceName?
    | K_COLUMNFAMILY tableName
    | K_INDEX indexName
    | K_MATERIALIZED (K_VIEW tableName | K_VIEWS)
    | K_TYPE typeName
    | K_FUNCTION functionName
    | K_AGGREGATE functionName
    | qualifiedName
    ;
explainStatement: K_EXPLAIN K_ANALYZE? cqlStatement;
adviseStatement: K_ADVISE (K_COLUMNFAMILY tableName | K_STATEMENT STRING_LITERAL | K_SCHEMA)?;

// --- Types and names -------------------------------------------------------------------------------------------------

// list<int>, frozen<ks.address>, vector<float, 3>, varbinary(1024). The builder checks which of them are valid.
type: STRING_LITERAL | typeName ('<' type (',' type)* (',' INTEGER)? '>' | '(' INTEGER ')')?;
typeName: (ident '.')? plainTypeName;
plainTypeName: IDENT | QUOTED_NAME | basicKeyword | K_KEY | K_SET | K_TIMESTAMP | K_COUNTER;

// As in Cassandra, a bind marker is parsed as a name, and the builder refuses it.
keyspaceName: ident | QMARK;
// TABLE may be a table's name: documents write `SELECT * FROM table`.
tableName: (keyspaceName '.')? (ident | K_COLUMNFAMILY | QMARK);
indexName: (keyspaceName '.')? (ident | QMARK);
qualifiedName: (ident '.')? ident;
columnName: ident | EMPTY_QUOTED_NAME;
ident: IDENT | QUOTED_NAME | unreservedKeyword;

unreservedKeyword
    : basicKeyword
    | K_TIMESTAMP
    | K_COUNTER
    | K_TTL
    | K_COUNT
    | K_WRITETIME
    | K_MAXWRITETIME
    | K_KEY
    | K_CAST
    | K_JSON
    | K_DISTINCT
    ;
basicKeyword
    : K_KEYS
    | K_AS
    | K_CLUSTER
    | K_CLUSTERING
    | K_COMPACT
    | K_STORAGE
    | K_TABLES
    | K_TYPE
    | K_TYPES
    | K_VALUES
    | K_MAP
    | K_LIST
    | K_FILTERING
    | K_PERMISSION
    | K_PERMISSIONS
    | K_KEYSPACES
    | K_ALL
    | K_USER
    | K_USERS
    | K_ROLE
    | K_ROLES
    | K_IDENTITY
    | K_SUPERUSER
    | K_SUPERUSERS
    | K_NOSUPERUSER
    | K_LOGIN
    | K_NOLOGIN
    | K_OPTIONS
    | K_PASSWORD
    | K_GENERATED
    | K_HASHED
    | K_EXISTS
    | K_CUSTOM
    | K_TRIGGER
    | K_CONTAINS
    | K_INTERNALS
    | K_ONLY
    | K_STATIC
    | K_FROZEN
    | K_TUPLE
    | K_FUNCTION
    | K_FUNCTIONS
    | K_AGGREGATE
    | K_AGGREGATES
    | K_SFUNC
    | K_STYPE
    | K_FINALFUNC
    | K_INITCOND
    | K_RETURNS
    | K_LANGUAGE
    | K_CALLED
    | K_INPUT
    | K_LIKE
    | K_PER
    | K_PARTITION
    | K_GROUP
    | K_DATACENTERS
    | K_CIDRS
    | K_ACCESS
    | K_DEFAULT
    | K_MBEAN
    | K_MBEANS
    | K_REPLACE
    | K_UNSET
    | K_MASKED
    | K_UNMASK
    | K_SELECT_MASKED
    | K_VECTOR
    | K_ANN
    | K_BM25
    | K_BETWEEN
    | K_EXPLAIN
    | K_ANALYZE
    | K_ADVISE
    | K_STATEMENT
    | K_SORTING
    | K_PARTITIONS
    | K_TABLEGROUP
    | K_ALWAYS
    | K_HASH
    | K_RANGE
    | K_COLUMNS
    | K_LESS
    | K_THAN
    | K_MAXVALUE
    | K_SPLIT
    | K_MERGE
    | K_REORGANIZE
    | K_AT
    | K_UNIQUE
    | K_GLOBAL
    | K_LOCAL
    | K_VIEWS
    ;
