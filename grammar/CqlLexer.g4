// The tokens of CQL 3.4.7 and of Widerow's extensions. Keywords are case-insensitive. Their token names are Cassandra's
// (K_FROM), because error messages print them. Numbers with a sign are tokens of their own type, so the parser can read
// `a -1` as a difference without ambiguity.
lexer grammar CqlLexer;

// Never produced by the lexer. parser/narrow.cc gives REFUSED to words that a dialect does not have; parser/parse.cc
// gives SIGN to the minus of -NaN and -Infinity.
tokens { REFUSED, SIGN }

K_SELECT: S E L E C T;
K_FROM: F R O M;
K_AS: A S;
K_WHERE: W H E R E;
K_AND: A N D;
K_KEY: K E Y;
K_KEYS: K E Y S;
K_ENTRIES: E N T R I E S;
K_FULL: F U L L;
K_INSERT: I N S E R T;
K_UPDATE: U P D A T E;
K_WITH: W I T H;
K_LIMIT: L I M I T;
K_PER: P E R;
K_PARTITION: P A R T I T I O N;
K_USING: U S I N G;
K_USE: U S E;
K_DISTINCT: D I S T I N C T;
K_COUNT: C O U N T;
K_SET: S E T;
K_BEGIN: B E G I N;
K_UNLOGGED: U N L O G G E D;
K_BATCH: B A T C H;
K_APPLY: A P P L Y;
K_TRUNCATE: T R U N C A T E;
K_DELETE: D E L E T E;
K_IN: I N;
K_CREATE: C R E A T E;
K_SCHEMA: S C H E M A;
K_KEYSPACE: K E Y S P A C E;
K_KEYSPACES: K E Y S P A C E S;
K_COLUMNFAMILY: C O L U M N F A M I L Y | T A B L E;
K_TABLES: C O L U M N F A M I L I E S | T A B L E S;
K_MATERIALIZED: M A T E R I A L I Z E D;
K_VIEW: V I E W;
K_INDEX: I N D E X;
K_CUSTOM: C U S T O M;
K_ON: O N;
K_TO: T O;
K_DROP: D R O P;
K_PRIMARY: P R I M A R Y;
K_INTO: I N T O;
K_VALUES: V A L U E S;
K_TIMESTAMP: T I M E S T A M P;
K_TTL: T T L;
K_CAST: C A S T;
K_ALTER: A L T E R;
K_RENAME: R E N A M E;
K_ADD: A D D;
K_TYPE: T Y P E;
K_TYPES: T Y P E S;
K_COMPACT: C O M P A C T;
K_STORAGE: S T O R A G E;
K_ORDER: O R D E R;
K_BY: B Y;
K_ASC: A S C;
K_DESC: D E S C;
K_ALLOW: A L L O W;
K_FILTERING: F I L T E R I N G;
K_IF: I F;
K_IS: I S;
K_CONTAINS: C O N T A I N S;
K_BETWEEN: B E T W E E N;
K_GROUP: G R O U P;
K_CLUSTER: C L U S T E R;
K_INTERNALS: I N T E R N A L S;
K_ONLY: O N L Y;
K_GRANT: G R A N T;
K_ALL: A L L;
K_PERMISSION: P E R M I S S I O N;
K_PERMISSIONS: P E R M I S S I O N S;
K_OF: O F;
K_REVOKE: R E V O K E;
K_MODIFY: M O D I F Y;
K_AUTHORIZE: A U T H O R I Z E;
K_DESCRIBE: D E S C R I B E;
K_EXECUTE: E X E C U T E;
K_NORECURSIVE: N O R E C U R S I V E;
K_MBEAN: M B E A N;
K_MBEANS: M B E A N S;
K_USER: U S E R;
K_USERS: U S E R S;
K_ROLE: R O L E;
K_ROLES: R O L E S;
K_SUPERUSERS: S U P E R U S E R S;
K_SUPERUSER: S U P E R U S E R;
K_NOSUPERUSER: N O S U P E R U S E R;
K_GENERATED: G E N E R A T E D;
K_PASSWORD: P A S S W O R D;
K_HASHED: H A S H E D;
K_LOGIN: L O G I N;
K_NOLOGIN: N O L O G I N;
K_OPTIONS: O P T I O N S;
K_ACCESS: A C C E S S;
K_DATACENTERS: D A T A C E N T E R S;
K_CIDRS: C I D R S;
K_IDENTITY: I D E N T I T Y;
K_CLUSTERING: C L U S T E R I N G;
K_COUNTER: C O U N T E R;
K_TOKEN: T O K E N;
K_WRITETIME: W R I T E T I M E;
K_MAXWRITETIME: M A X W R I T E T I M E;
K_NULL: N U L L;
K_NOT: N O T;
K_EXISTS: E X I S T S;
K_MAP: M A P;
K_LIST: L I S T;
K_POSITIVE_NAN: N A N;
K_POSITIVE_INFINITY: I N F I N I T Y;
K_TUPLE: T U P L E;
K_TRIGGER: T R I G G E R;
K_STATIC: S T A T I C;
K_FROZEN: F R O Z E N;
K_FUNCTION: F U N C T I O N;
K_FUNCTIONS: F U N C T I O N S;
K_AGGREGATE: A G G R E G A T E;
K_AGGREGATES: A G G R E G A T E S;
K_SFUNC: S F U N C;
K_STYPE: S T Y P E;
K_FINALFUNC: F I N A L F U N C;
K_INITCOND: I N I T C O N D;
K_RETURNS: R E T U R N S;
K_CALLED: C A L L E D;
K_INPUT: I N P U T;
K_LANGUAGE: L A N G U A G E;
K_OR: O R;
K_REPLACE: R E P L A C E;
K_JSON: J S O N;
K_DEFAULT: D E F A U L T;
K_UNSET: U N S E T;
K_LIKE: L I K E;
K_MASKED: M A S K E D;
K_UNMASK: U N M A S K;
K_SELECT_MASKED: S E L E C T '_' M A S K E D;
K_VECTOR: V E C T O R;
K_ANN: A N N;

// Widerow's keywords; none is reserved.
K_BM25: B M '25';
K_EXPLAIN: E X P L A I N;
K_ANALYZE: A N A L Y Z E;
K_ADVISE: A D V I S E;
K_STATEMENT: S T A T E M E N T;
K_SORTING: S O R T I N G;
K_PARTITIONS: P A R T I T I O N S;
K_TABLEGROUP: T A B L E G R O U P;
K_ALWAYS: A L W A Y S;
K_HASH: H A S H;
K_RANGE: R A N G E;
K_COLUMNS: C O L U M N S;
K_LESS: L E S S;
K_THAN: T H A N;
K_MAXVALUE: M A X V A L U E;
K_SPLIT: S P L I T;
K_MERGE: M E R G E;
K_REORGANIZE: R E O R G A N I Z E;
K_AT: A T;
K_UNIQUE: U N I Q U E;
K_GLOBAL: G L O B A L;
K_LOCAL: L O C A L;
K_VIEWS: V I E W S;

// These rules come before IDENT, which would match the same texts.
BOOLEAN: T R U E | F A L S E;

STRING_LITERAL: '\'' (~'\'' | '\'\'')* '\'' | '$$' .*? '$$';
QUOTED_NAME: '"' (~'"' | '""')+ '"';
EMPTY_QUOTED_NAME: '""';

INTEGER: DIGIT+;
NEGATIVE_INTEGER: '-' DIGIT+;
// `1..` in m[1..5]. Without this token the longest match would be the number `1.`
NUMBER_RANGE: '-'? DIGIT+ '.'? '..';
FLOAT: FLOAT_DIGITS;
NEGATIVE_FLOAT: '-' FLOAT_DIGITS;
DURATION: DURATION_TEXT;
NEGATIVE_DURATION: '-' DURATION_TEXT;
HEXNUMBER: '0' X HEX*;
UUID: HEX4 HEX4 '-' HEX4 '-' HEX4 '-' HEX4 '-' HEX4 HEX4 HEX4;

// As in Cassandra's lexer, this token includes the parenthesis, so that `expr` alone is a name.
EXPR_OPEN: E X P R '(';

// A single dollar sign is part of a name (htable1$family1); two of them begin a string.
IDENT: LETTER (LETTER | DIGIT | '_' | '$' (LETTER | DIGIT | '_'))*;

QMARK: '?';
LPAREN: '(';
RPAREN: ')';
LBRACKET: '[';
RBRACKET: ']';
LBRACE: '{';
RBRACE: '}';
COMMA: ',';
SEMICOLON: ';';
COLON: ':';
RANGE: '..';
DOT: '.';
EQ: '=';
NOT_EQ: '!=';
LT: '<';
LE: '<=';
GT: '>';
GE: '>=';
PLUS_EQ: '+=';
MINUS_EQ: '-=';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';

// Blanks and comments are hidden, not skipped, because the excerpt in a syntax error counts them as tokens, as in
// Cassandra.
WS: [ \t\n\r]+ -> channel(HIDDEN);
COMMENT: ('--' | '//') ~[\r\n]* [\r\n]? -> channel(HIDDEN);
MULTILINE_COMMENT: '/*' .*? '*/' -> channel(HIDDEN);

// Any other character reaches the parser as a token that fits nowhere.
UNEXPECTED: .;

fragment FLOAT_DIGITS: DIGIT+ '.' DIGIT* EXPONENT? | DIGIT+ EXPONENT;
fragment EXPONENT: E [+-]? DIGIT+;
fragment DURATION_TEXT
    : DIGIT+ DURATION_UNIT (DIGIT+ DURATION_UNIT)*
    | 'P' DIGIT DIGIT DIGIT DIGIT '-' DIGIT DIGIT '-' DIGIT DIGIT 'T' DIGIT DIGIT ':' DIGIT DIGIT ':' DIGIT DIGIT
    | 'P' ISO_TIME
    | 'P' DIGIT+ 'W'
    | 'P' ISO_PERIOD ISO_TIME?
    ;
fragment DURATION_UNIT: Y | M O | W | D | H | M | S | M S | U S | '\u00B5' S | N S;
fragment ISO_PERIOD: DIGIT+ 'Y' (DIGIT+ 'M')? (DIGIT+ 'D')? | DIGIT+ 'M' (DIGIT+ 'D')? | DIGIT+ 'D';
fragment ISO_TIME: 'T' (DIGIT+ 'H' (DIGIT+ 'M')? (DIGIT+ 'S')? | DIGIT+ 'M' (DIGIT+ 'S')? | DIGIT+ 'S');
fragment DIGIT: [0-9];
fragment LETTER: [A-Za-z];
fragment HEX: [0-9A-Fa-f];
fragment HEX4: HEX HEX HEX HEX;
fragment A: [Aa];
fragment B: [Bb];
fragment C: [Cc];
fragment D: [Dd];
fragment E: [Ee];
fragment F: [Ff];
fragment G: [Gg];
fragment H: [Hh];
fragment I: [Ii];
fragment J: [Jj];
fragment K: [Kk];
fragment L: [Ll];
fragment M: [Mm];
fragment N: [Nn];
fragment O: [Oo];
fragment P: [Pp];
fragment Q: [Qq];
fragment R: [Rr];
fragment S: [Ss];
fragment T: [Tt];
fragment U: [Uu];
fragment V: [Vv];
fragment W: [Ww];
fragment X: [Xx];
fragment Y: [Yy];
fragment Z: [Zz];
