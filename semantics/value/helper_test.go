package value

import (
	"errors"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// typ returns the type of a name that is known to be valid.
func typ(t testing.TB, name string) Type {
	t.Helper()
	r, err := ParseType(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// val returns the value of a type from its text; NULL is NULL.
func val(t testing.TB, typeName, text string) Value {
	t.Helper()
	if text == "NULL" {
		return Null
	}
	r, err := Cast(String(text), TypeVarchar, typ(t, typeName))
	if err != nil {
		t.Fatalf("%s %q: %v", typeName, text, err)
	}
	return r
}

// state returns the SQLSTATE of an error, "" for none.
func state(err error) string {
	var e *diag.Error
	if errors.As(err, &e) {
		return e.SQLSTATE
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// wantError checks stage, rule and SQLSTATE, and that a hint says what to do.
func wantError(t testing.TB, err error, stage diag.Stage, rule, sqlstate string) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want %s %s %s", err, stage, rule, sqlstate)
	}
	if e.Stage != stage || e.Rule != rule || e.SQLSTATE != sqlstate {
		t.Errorf("error %v, want %s %s %s", err, stage, rule, sqlstate)
	}
	if e.Hint == "" {
		t.Errorf("error %v has no hint", err)
	}
}
