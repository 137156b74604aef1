// This grammar has the tokens and names that cql_writer.h writes, and the statements that fit the tables of FuzzDatabase.
// If a rule has the name of a rule of grammar/CqlParser.g4, it is chosen instead of that rule in most cases.
parser grammar Statements;

statement
    : selectStatement | selectStatement | selectStatement | insertStatement | insertStatement | updateStatement
    | updateStatement | deleteStatement | batchStatement | cqlStatement | cqlStatement | explainStatement
    | adviseStatement
    ;

selectStatement
    : K_SELECT K_DISTINCT? selectors K_FROM 't' whereOfT? groupByClause? orderOfT? perPartitionLimitClause? limitClause?
      allowClause?
    | K_SELECT K_JSON? selectors K_FROM 'a' whereOfA? limitClause? allowClause?
    | K_SELECT selectors K_FROM 'r' whereOfR? groupByClause? orderOfR? perPartitionLimitClause? limitClause? allowClause?
    | K_SELECT selectors K_FROM 'r_by_w' K_WHERE 'w' '=' shortText limitClause?
    | K_SELECT selectors K_FROM 'h' whereOfH? orderOfH? perPartitionLimitClause? limitClause? allowClause?
    | K_SELECT selectors K_FROM 'c' whereOfC? limitClause?
    | K_SELECT '*' K_FROM systemTable limitClause?
    ;
systemTable
    : 'system_schema' '.' ('columns' | 'tables' | 'indexes' | 'views' | 'types' | 'keyspaces')
    | 'system_views' '.' ('partitions' | 'storage' | 'statements' | 'heat' | 'large_partitions' | 'purges' | 'snapshots')
    | 'system' '.' ('local' | 'peers')
    ;
selector
    : columnOfT | columnOfR | 'count(*)' | aggregate '(' (columnOfT | columnOfR) ')' | 'writetime(v)' | 'ttl(v)'
    | 'm' '[' term ']' | 'f.a' | 'CAST(ck AS text)' | 'token(pk)' | 'token(k)' | columnOfR K_AS ident | term
    ;
aggregate: 'min' | 'max' | 'sum' | 'avg' | 'count';
whereOfT: K_WHERE relationOfT (K_AND relationOfT)*;
relationOfT
    : 'pk' '=' smallInt | 'pk' '=' smallInt | 'pk' K_IN '(' smallInt (',' smallInt)* ')' | 'ck' compareOperator smallInt
    | 'ck2' compareOperator shortText | '(ck, ck2)' compareOperator '(' smallInt ',' shortText ')'
    | 'ck' K_IN '(' smallInt (',' smallInt)* ')' | 'token(pk)' compareOperator INTEGER | 'v' compareOperator shortText
    | 'l CONTAINS' smallInt | 'm CONTAINS KEY' shortText | 'm' '[' shortText ']' '=' smallInt | 'se CONTAINS' shortText
    | 's' '=' shortText | smallInt '<' 'ck' '<=' smallInt | 'ck BETWEEN' smallInt K_AND smallInt | 'v LIKE' shortText
    | relation
    ;
orderOfT: K_ORDER K_BY 'ck' (K_ASC | K_DESC)? (',' 'ck2' (K_ASC | K_DESC))?;
whereOfA: K_WHERE ('k' '=' shortText | 'b' compareOperator term | 'q' '=' UUID | 'r' '>' INTEGER | relation) (K_AND relation)*;
whereOfR: K_WHERE relationOfR (K_AND relationOfR)*;
relationOfR
    : 'k' compareOperator smallInt | 'k' '=' smallInt | 'c' compareOperator smallInt | 'v' compareOperator smallInt
    | 'w' compareOperator shortText | 'k' K_IN '(' smallInt (',' smallInt)* ')' | 'v' K_IN '(' smallInt ',' smallInt ')'
    | 'token(k)' compareOperator INTEGER | smallInt '<=' 'k' '<' smallInt | '(k, c)' '>' '(' smallInt ',' smallInt ')'
    | relation
    ;
orderOfR: K_ORDER K_BY ('k' | 'c') (K_ASC | K_DESC)? (',' 'c' (K_ASC | K_DESC))?;
whereOfH
    : K_WHERE ('k' compareOperator smallInt | 'bucket' '=' smallInt | 'bucket' K_IN '(' '0' ',' '1' ',' '2' ',' '3' ')')
      (K_AND ('k' | 'bucket' | 'v') compareOperator smallInt)*
    ;
orderOfH: K_ORDER K_BY 'k' (K_ASC | K_DESC)?;
whereOfC: K_WHERE 'k' '=' smallInt (K_AND 'd' compareOperator smallInt)?;

insertStatement
    : K_INSERT K_INTO 't' '(' 'pk, ck, ck2, v' ')' K_VALUES '(' smallInt ',' smallInt ',' shortText ',' shortText ')'
      ifNotExists? usingClause?
    | K_INSERT K_INTO 't' '(' 'pk, ck, ck2, l, m, se, f' ')' K_VALUES '(' smallInt ',' smallInt ',' shortText ',' listTerm
      ',' mapTerm ',' setTerm ',' '{a: 1, b:' shortText '}' ')' usingClause?
    | K_INSERT K_INTO 't' '(' 'pk, s' ')' K_VALUES '(' smallInt ',' shortText ')' usingClause?
    | K_INSERT K_INTO 'r' '(' 'k, c, v, w' ')' K_VALUES '(' smallInt ',' smallInt ',' smallInt ',' shortText ')'
      ifNotExists? usingClause?
    | K_INSERT K_INTO 'h' '(' 'k, v' ')' K_VALUES '(' smallInt ',' smallInt ')' usingClause?
    | K_INSERT K_INTO 'a' '(' 'k' ',' columnOfA ')' K_VALUES '(' shortText ',' term ')' usingClause?
    | K_INSERT K_INTO 't' 'JSON' jsonText usingClause?
    ;
jsonText
    : '\'{"pk": 1, "ck": 2, "ck2": "a", "v": "x"}\'' | '\'{"pk": 1, "ck": 2, "ck2": "a", "l": [1, 2], "m": {"a": 1}}\''
    | '\'{"pk": null}\'' | '\'[\'' | STRING_LITERAL
    ;
updateStatement
    : K_UPDATE 't' usingClause? K_SET assignmentOfT (',' assignmentOfT)* K_WHERE 'pk' '=' smallInt K_AND 'ck' '=' smallInt
      K_AND 'ck2' '=' shortText ifClause?
    | K_UPDATE 'r' usingClause? K_SET ('v' '=' smallInt | 'w' '=' shortText) K_WHERE 'k' '=' smallInt K_AND 'c' '=' smallInt
      ifClause?
    | K_UPDATE 'c' K_SET 'n' '=' 'n' ('+' | '-') smallInt K_WHERE 'k' '=' smallInt K_AND 'd' '=' smallInt
    | K_UPDATE 'a' usingClause? K_SET columnOfA '=' term K_WHERE 'k' '=' shortText
    ;
assignmentOfT
    : 'v' '=' shortText | 's' '=' shortText | 'l' '=' 'l' '+' listTerm | 'l' '=' listTerm '+' 'l' | 'l' '-=' listTerm
    | 'l' '[' smallInt ']' '=' smallInt | 'm' '[' shortText ']' '=' smallInt | 'm' '+=' mapTerm | 'm' '-=' setTerm
    | 'se' '+=' setTerm | 'se' '=' setTerm | 'f' '=' '{a: 1, b:' shortText '}' | assignment
    ;
deleteStatement
    : K_DELETE K_FROM 't' usingTimestamp? whereOfT ifClause?
    | K_DELETE ('v' | 'l' '[' smallInt ']' | 'm' '[' shortText ']' | 's') K_FROM 't' usingTimestamp? whereOfT ifClause?
    | K_DELETE K_FROM 'r' usingTimestamp? whereOfR ifClause?
    | K_DELETE K_FROM 'h' whereOfH
    | K_DELETE K_FROM 'c' whereOfC
    ;
createTableStatement
    : K_CREATE K_COLUMNFAMILY ifNotExists? 'e.' freshName '(' 'k' type ',' 'c' type ',' 'v' type ',' 'x' type generatedClause?
      ',' primaryKeyOfNew ')' (tableOptions | partitionOfNew)*
    ;
primaryKeyOfNew: 'PRIMARY KEY (k, c)' | 'PRIMARY KEY ((k, c))' | 'PRIMARY KEY ((k, x), c)' | 'PRIMARY KEY (k)';
partitionOfNew
    : 'PARTITION BY RANGE (k)' partitionDefinitions? | 'PARTITION BY KEY (k) PARTITIONS' smallInt
    | 'PARTITION BY HASH (k) PARTITIONS' smallInt | 'PARTITION BY LIST (k)' partitionDefinitions | partitionByClause
    ;
freshName: 'n1' | 'n2' | 'n3';
alterTableStatement: K_ALTER K_COLUMNFAMILY ('r' | 'r' | 't' | 'e.n1' | tableName) alterTableAction;
createIndexStatement
    : K_CREATE K_INDEX ifNotExists? ident? K_ON ('t' | 'r' | 'e.n1') '(' indexTarget ')' (K_USING '\'sai\'')?
    ;
createViewStatement
    : K_CREATE K_MATERIALIZED K_VIEW ifNotExists? 'e.' freshName K_AS K_SELECT selectors K_FROM 'e.n1' K_WHERE
      'k IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL' 'PRIMARY KEY (v, k, c)'
    ;
indexTarget: columnName | ('KEYS' | 'VALUES' | 'ENTRIES' | 'FULL') '(' ('m' | 'l' | 'se' | 'f') ')';

property
    : 'gc_grace_seconds' '=' INTEGER | 'default_time_to_live' '=' INTEGER | 'comment' '=' STRING_LITERAL
    | 'split_size_kb' '=' INTEGER | 'auto_split' '=' BOOLEAN | 'compaction' '=' propertyMap
    | 'replication' '=' '{\'class\': \'SimpleStrategy\', \'replication_factor\': 1}' | ident '=' propertyValue
    ;
columnOfT: 'pk' | 'ck' | 'ck2' | 's' | 'v' | 'l' | 'm' | 'se' | 'f';
columnOfR: 'k' | 'c' | 'v' | 'w';
columnOfA
    : 'a1' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 't' | 'u' | 'v'
    ;
columnName: columnOfT | columnOfR | columnOfA;
ident: columnOfT | columnOfR | 'p0' | 'p1' | 'x' | 'r_v' | freshName | IDENT;
keyspaceName: 'k' | 'e' | 'system_schema';
tableName: 't' | 'a' | 'r' | 'c' | 'h' | 'r_by_w' | 'k.t' | 'e.n1' | 'e.n2';
indexName: 'r_v' | 'e.n1';
typeName: 'u' | 'int' | 'text' | 'bigint' | 'e.n3';
type
    : 'int' | 'text' | 'bigint' | 'timestamp' | 'decimal' | 'uuid' | 'varint' | 'double' | 'list<int>' | 'map<text, int>'
    | 'frozen<set<int>>' | 'tuple<int, text>' | 'frozen<u>' | 'vector<float, 2>' | 'duration' | 'boolean' | 'counter'
    | 'varbinary(8)' | 'blob' | 'inet' | 'date' | 'time'
    ;
functionName
    : 'now' | 'token' | 'min' | 'max' | 'count' | 'sum' | 'avg' | 'toTimestamp' | 'toJson' | 'fromJson' | 'bucket' | 'substring'
    | 'reverse' | 'md5' | 'zero_pad' | 'splice' | 'round' | 'abs' | 'uuid' | 'mintimeuuid' | 'blobasint' | 'typeasblob' | 'cast'
    | 'length' | 'collection_count' | 'map_keys' | 'similarity_cosine' | 'date_trunc' | 'to_date' | 'floor' | plainFunctionName
    ;
term
    : smallInt | shortText | literal | columnName | marker | functionCall | listTerm | mapTerm | setTerm | '(' term ',' term ')'
    | term ('+' | '-' | '*' | '/' | '%') term | 'CAST' '(' term K_AS type ')' | '(' type ')' simpleTerm
    ;
listTerm: '[]' | '[' smallInt (',' smallInt)* ']';
mapTerm: '{}' | '{' shortText ':' smallInt (',' shortText ':' smallInt)* '}';
setTerm: '{}' | '{' shortText (',' shortText)* '}';
smallInt: '0' | '1' | '2' | '3' | '4' | '9' | '10' | '11' | '15' | '-1' | INTEGER | 'null' | '?';
shortText: '\'a\'' | '\'b\'' | '\'c\'' | '\'x\'' | '\'k\'' | '\'\'' | STRING_LITERAL | '?' | 'null';

roleName: 'someone' | 'other';
userName: 'someone' | 'other';
IDENT: 'x1' | 'y_2' | 'Name' | 'p0';
QUOTED_NAME: '"Name"' | '"v"' | '"a""b"';
EMPTY_QUOTED_NAME: '""';
STRING_LITERAL
    : '\'abc\'' | '\'it\'\'s\'' | '\'2026-11-23\'' | '\'2026-11-23 10:00:00+0000\'' | '\'10:00:00.000000001\'' | '\'127.0.0.1\''
    | '\'%a%\'' | '\'\'' | '\'\u00e9\'' | '\'SELECT * FROM k.t WHERE pk = 1\'' | '\'1h30m\'' | '\'0123456789012345678901234567890\''
    ;
INTEGER
    : '0' | '1' | '7' | '100' | '255' | '65536' | '2147483647' | '2147483648' | '9223372036854775807' | '9223372036854775808'
    | '1700000000000000' | '123456789012345678901234567890'
    ;
NEGATIVE_INTEGER: '-1' | '-2147483648' | '-9223372036854775808' | '-9223372036854775809';
FLOAT: '1.5' | '0.0' | '1e10' | '1E-300' | '3.4028235e38' | '1.7976931348623157e308' | '0.1';
NEGATIVE_FLOAT: '-1.5' | '-1e400' | '-0.0';
BOOLEAN: 'true' | 'false';
DURATION: '1h' | '1mo2d3ns' | 'P1Y2M3DT4H5M6S' | 'P3W' | '9999999999y';
NEGATIVE_DURATION: '-1h' | '-1mo2d';
UUID: '50554d6e-29bb-11e5-b345-feff819cdc9f' | '00000000-0000-0000-0000-000000000000' | 'ffffffff-ffff-4fff-bfff-ffffffffffff';
HEXNUMBER: '0x' | '0x00' | '0xCAFE' | '0xffffffffffffffff';
QMARK: '?';
SIGN: '-';
EXPR_OPEN: 'expr(';
RANGE: '..';
NUMBER_RANGE: '1..';
K_POSITIVE_NAN: 'NaN';
K_POSITIVE_INFINITY: 'Infinity';
