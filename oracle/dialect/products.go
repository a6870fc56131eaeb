package dialect

import (
	"fmt"
	"math"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Trino is Trino's SQL.
func Trino() *Product {
	return &Product{
		Name: "Trino",
		reserved: words(`ALTER AND AS BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE
CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DELETE DESCRIBE
DISTINCT DROP ELSE END ESCAPE EXCEPT EXISTS EXTRACT FALSE FOR FROM FULL GROUP GROUPING HAVING IN INNER INSERT
INTERSECT INTO IS JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LEFT LIKE LISTAGG
LOCALTIME LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL ON OR ORDER OUTER PREPARE RECURSIVE RIGHT ROLLUP SELECT SKIP
TABLE THEN TRIM TRUE UESCAPE UNION UNNEST USING VALUES WHEN WHERE WITH PERMUTE PREV NEXT FIRST LAST`),
		neverKeyword: words(`ALTER CONSTRAINT CREATE CUBE DEALLOCATE DELETE DESCRIBE DROP EXECUTE GROUPING INSERT INTO PREPARE
ROLLUP TABLE`),
		listagg:   "Trino's LISTAGG needs WITHIN GROUP, which it refuses in patterns",
		bigNumber: func(digits string) string { return "DECIMAL '" + digits + "'" },
		functions: map[string]string{"CHAR_LENGTH": "length", "CHARACTER_LENGTH": "length", "OCTET_LENGTH": ""},
		typeName:  trinoType,
		literal: func(v value.Value, t value.Type) string {
			if v.Form() != value.FormDouble {
				return ""
			}
			switch f := v.AsFloat(); {
			case math.IsNaN(f):
				return "nan()"
			case math.IsInf(f, 1):
				return "infinity()"
			case math.IsInf(f, -1):
				return "-infinity()"
			}
			return ""
		},
	}
}

func trinoType(t value.Type) (string, bool) {
	switch t.Kind {
	case value.Decimal:
		if t.Precision == 0 {
			return "", false
		}
	case value.Double:
		return "double", true
	case value.Time, value.Timestamp:
		name := "time"
		if t.Kind == value.Timestamp {
			name = "timestamp"
		}
		return fmt.Sprintf("%s(%d)", name, t.Precision), true
	case value.Array:
		elem, ok := trinoType(*t.Elem)
		return "array(" + elem + ")", ok
	case value.Unknown:
		return "", false
	}
	return t.String(), true
}

// DuckDB is DuckDB's SQL.
func DuckDB() *Product {
	return &Product{
		Name:     "DuckDB",
		reserved: words("ALL AND ANY AS ASC BETWEEN BY CASE CAST CHECK COLUMN CREATE CROSS DEFAULT DESC DISTINCT ELSE END EXCEPT FALSE FOR FOREIGN FROM GROUP HAVING IN INITIALLY INNER INTERSECT INTO IS JOIN LEFT LIKE LIMIT NATURAL NOT NULL OFFSET ON ONLY OR ORDER OUTER PRIMARY QUALIFY REFERENCES RIGHT SELECT SOME TABLE THEN TO TRUE UNION UNIQUE USING VALUES WHEN WHERE WINDOW WITH PATTERN DEFINE SUBSET PERMUTE PREV NEXT FIRST LAST"),
		lacks:    features{windowForm: "DuckDB has no patterns in windows", permute: 6},
		typeName: func(t value.Type) (string, bool) {
			switch t.Kind {
			case value.IntervalDay, value.IntervalYear:
				return "INTERVAL", true
			case value.Array:
				s, ok := plainType(*t.Elem)
				return s + "[]", ok
			case value.Time, value.Timestamp:
				return map[value.Kind]string{value.Time: "TIME", value.Timestamp: "TIMESTAMP"}[t.Kind], true
			}
			return plainType(t)
		},
	}
}

// PostgreSQL is PostgreSQL with the proposed patches for patterns in windows.
func PostgreSQL() *Product {
	return &Product{
		Name:      "PostgreSQL",
		lowerCase: true,
		reserved:  words("ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING IN INITIALLY INNER INTERSECT INTO IS JOIN LATERAL LEADING LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP NATURAL NOT NULL OFFSET ON ONLY OR ORDER OUTER PLACING PRIMARY REFERENCES RETURNING RIGHT SELECT SESSION_USER SOME SYMMETRIC TABLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VALUES VARIADIC WHEN WHERE WINDOW WITH"),
		functions: map[string]string{"CARDINALITY": "cardinality"},
		lacks:     features{fromForm: "PostgreSQL has no MATCH_RECOGNIZE, its patch has patterns in windows only", subsets: true},
		typeName: func(t value.Type) (string, bool) {
			if t.Kind == value.Array {
				s, ok := plainType(*t.Elem)
				return s + "[]", ok
			}
			if t.Kind == value.Binary {
				return "bytea", true
			}
			return plainType(t)
		},
	}
}

// Oracle is Oracle's SQL, 19c and later.
func Oracle() *Product {
	return &Product{
		Name:       "Oracle",
		dual:       " FROM dual",
		noBooleans: true,
		reserved:   words("ACCESS ADD ALL ALTER AND ANY AS ASC AUDIT BETWEEN BY CHAR CHECK CLUSTER COLUMN COMMENT COMPRESS CONNECT CREATE CURRENT DATE DECIMAL DEFAULT DELETE DESC DISTINCT DROP ELSE EXCLUSIVE EXISTS FILE FLOAT FOR FROM GRANT GROUP HAVING IDENTIFIED IMMEDIATE IN INCREMENT INDEX INITIAL INSERT INTEGER INTERSECT INTO IS LEVEL LIKE LOCK LONG MAXEXTENTS MINUS MLSLABEL MODE MODIFY NOAUDIT NOCOMPRESS NOT NOWAIT NULL NUMBER OF OFFLINE ON ONLINE OPTION OR ORDER PCTFREE PRIOR PUBLIC RAW RENAME RESOURCE REVOKE ROW ROWID ROWNUM ROWS SELECT SESSION SET SHARE SIZE SMALLINT START SUCCESSFUL SYNONYM SYSDATE TABLE THEN TO TRIGGER UID UNION UNIQUE UPDATE USER VALIDATE VALUES VARCHAR VARCHAR2 VIEW WHENEVER WHERE WITH"),
		functions:  map[string]string{"CHAR_LENGTH": "LENGTH", "CHARACTER_LENGTH": "LENGTH", "OCTET_LENGTH": "LENGTHB"},
		lacks:      features{windowForm: "Oracle has no patterns in windows", largest: 200, permute: 7, nullable: true},
		typeName: func(t value.Type) (string, bool) {
			switch t.Kind {
			case value.Boolean, value.Array, value.Time, value.Unknown:
				return "", false
			case value.Smallint, value.Integer, value.Bigint:
				return "NUMBER(19)", true
			case value.Decimal:
				return fmt.Sprintf("NUMBER(%d,%d)", t.Precision, t.Scale), true
			case value.Real, value.Double:
				return "BINARY_DOUBLE", true
			case value.Char, value.Varchar:
				return fmt.Sprintf("VARCHAR2(%d)", max(t.Precision, 1000)), true
			case value.Binary:
				return "RAW(1000)", true
			case value.Timestamp:
				return fmt.Sprintf("TIMESTAMP(%d)", t.Precision), true
			}
			return strings.ToUpper(t.String()), true
		},
	}
}

func plainType(t value.Type) (string, bool) {
	if t.Kind == value.Unknown || t.Kind == value.Decimal && t.Precision == 0 || t.Kind == value.Array {
		return "", false
	}
	return t.String(), true
}
