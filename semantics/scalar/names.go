package scalar

// rowPattern holds the functions of row pattern recognition: MEASURES and
// DEFINE only (NEST-5).
var rowPattern = map[string]bool{"PREV": true, "NEXT": true, "FIRST": true, "LAST": true,
	"CLASSIFIER": true, "MATCH_NUMBER": true}

// windowOnly holds the window functions that are no aggregates.
var windowOnly = map[string]bool{"ROW_NUMBER": true, "RANK": true, "DENSE_RANK": true, "PERCENT_RANK": true,
	"CUME_DIST": true, "NTILE": true, "LAG": true, "LEAD": true, "FIRST_VALUE": true, "LAST_VALUE": true, "NTH_VALUE": true}

const (
	hintClock  = "write the date or time as a literal, or pass it as a host variable"
	hintRandom = "put the values into a column of the input, or pass one as a host variable"
	hintUser   = "pass the value as a host variable"
)

// nonDeterministic holds the functions whose result depends on more than their
// arguments (DEF-15), with what to do instead.
var nonDeterministic = map[string]string{
	"CURRENT_DATE": hintClock, "CURRENT_TIME": hintClock, "CURRENT_TIMESTAMP": hintClock, "LOCALTIME": hintClock,
	"LOCALTIMESTAMP": hintClock, "NOW": hintClock, "SYSDATE": hintClock, "SYSTIMESTAMP": hintClock, "GETDATE": hintClock,
	"CLOCK_TIMESTAMP": hintClock, "STATEMENT_TIMESTAMP": hintClock, "TRANSACTION_TIMESTAMP": hintClock,
	"TIMEOFDAY": hintClock, "UNIX_TIMESTAMP": hintClock, "CURDATE": hintClock, "CURTIME": hintClock, "TODAY": hintClock,
	"CURRENT_TIMEZONE": hintClock, "UTC_TIMESTAMP": hintClock, "PG_SLEEP": hintClock, "SLEEP": hintClock,
	"RAND": hintRandom, "RANDOM": hintRandom, "RANDOM_NORMAL": hintRandom, "SETSEED": hintRandom, "UUID": hintRandom,
	"GEN_RANDOM_UUID": hintRandom, "NEWID": hintRandom, "SYS_GUID": hintRandom, "SHUFFLE": hintRandom,
	"NEXTVAL": hintRandom, "CURRVAL": hintRandom, "SETVAL": hintRandom,
	"CURRENT_USER": hintUser, "SESSION_USER": hintUser, "SYSTEM_USER": hintUser, "USER": hintUser,
	"CURRENT_ROLE": hintUser, "CURRENT_SCHEMA": hintUser, "CURRENT_CATALOG": hintUser, "CURRENT_PATH": hintUser,
}

const (
	hintApproximate = "approximate results are not determined by the input; "
	hintPrepare     = "prepare the value in a column of the input"
)

// unsupported holds aggregate functions of the standard or of well-known
// products that are left out.
var unsupported = map[string]string{
	"APPROX_DISTINCT":       hintApproximate + "write COUNT(DISTINCT x)",
	"APPROX_COUNT_DISTINCT": hintApproximate + "write COUNT(DISTINCT x)",
	"APPROX_PERCENTILE":     hintApproximate + hintPrepare,
	"APPROX_QUANTILE":       hintApproximate + hintPrepare,
	"APPROX_MEDIAN":         hintApproximate + hintPrepare,
	"APPROX_MOST_FREQUENT":  hintApproximate + hintPrepare,
	"APPROX_TOP_K":          hintApproximate + hintPrepare,
	"APPROX_SET":            hintApproximate + hintPrepare,
	"NUMERIC_HISTOGRAM":     hintApproximate + hintPrepare,
	"QDIGEST_AGG":           hintApproximate + hintPrepare,
	"TDIGEST_AGG":           hintApproximate + hintPrepare,
	"PERCENTILE_CONT":       hintPrepare, "PERCENTILE_DISC": hintPrepare, "MEDIAN": hintPrepare, "MODE": hintPrepare,
	"QUANTILE": hintPrepare, "GROUPING": hintPrepare, "HISTOGRAM": hintPrepare, "MAP_AGG": hintPrepare,
	"MULTIMAP_AGG": hintPrepare, "MAP_UNION": hintPrepare, "SET_AGG": "write ARRAY_AGG(DISTINCT x)",
	"JSON_AGG": "write ARRAY_AGG(x)", "JSON_ARRAYAGG": "write ARRAY_AGG(x)", "JSON_OBJECTAGG": hintPrepare,
	"XMLAGG": hintPrepare, "COLLECT": "write ARRAY_AGG(x)", "FUSION": hintPrepare, "INTERSECTION": hintPrepare,
	"BITWISE_AND_AGG": hintPrepare, "BITWISE_OR_AGG": hintPrepare, "BIT_AND": hintPrepare, "BIT_OR": hintPrepare,
	"BIT_XOR": hintPrepare, "CHECKSUM": hintPrepare, "SKEWNESS": hintPrepare, "KURTOSIS": hintPrepare, "ENTROPY": hintPrepare,
}

// elsewhere holds functions that other products have, with what to write instead.
var elsewhere = map[string]string{
	"NVL": "write COALESCE", "IFNULL": "write COALESCE", "ISNULL": "write COALESCE, or x IS NULL", "NVL2": "write CASE",
	"IIF": "write IF or CASE", "DECODE": "write CASE", "LEN": "write LENGTH", "INSTR": "write POSITION(part IN string)",
	"LOCATE": "write POSITION(part IN string)", "CHARINDEX": "write POSITION(part IN string)", "INDEX": "write POSITION(part IN string)",
	"GROUP_CONCAT": "write LISTAGG", "WM_CONCAT": "write LISTAGG", "COLLECT_LIST": "write ARRAY_AGG", "LIST": "write ARRAY_AGG",
	"DATEDIFF": "subtract: later - earlier is an interval", "DATE_DIFF": "subtract: later - earlier is an interval",
	"TIMESTAMPDIFF": "subtract: later - earlier is an interval", "MONTHS_BETWEEN": "subtract, or use EXTRACT",
	"DATEADD": "add an interval: x + INTERVAL '5' DAY", "DATE_ADD": "add an interval: x + INTERVAL '5' DAY",
	"TIMESTAMPADD": "add an interval: x + INTERVAL '5' DAY", "ADD_MONTHS": "add an interval: x + INTERVAL '5' MONTH",
	"DATE_SUB": "subtract an interval: x - INTERVAL '5' DAY", "DATE_PART": "write EXTRACT(YEAR FROM x)",
	"DATEPART": "write EXTRACT(YEAR FROM x)", "TO_DATE": "write DATE '2026-01-31' or CAST(x AS date)",
	"TO_TIMESTAMP": "write TIMESTAMP '2026-01-31 12:00:00' or CAST(x AS timestamp)",
	"TO_NUMBER":    "write CAST(x AS decimal(10,2))", "TO_CHAR": "write CAST(x AS varchar)", "STR": "write CAST(x AS varchar)",
	"CONVERT": "write CAST(x AS type)", "TRY_CAST": "write CAST(x AS type)", "SAFE_CAST": "write CAST(x AS type)",
	"MATCH_SEQUENCE_NUMBER": "write COUNT(*) for the number of the row in its match",
	"LOG2":                  "write LOG(2, x)", "SQUARE": "write x * x", "CBRT": "write POWER(x, 1e0 / 3)",
	"ARRAY_LENGTH": "write CARDINALITY", "ARRAY_SIZE": "write CARDINALITY", "REGEXP_LIKE": "write LIKE, or prepare a column",
	"WITHIN": "WITHIN is not in the standard: compare times in DEFINE",
}
