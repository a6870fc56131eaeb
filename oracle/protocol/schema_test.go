package protocol_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles every schema file, by name without ending.
func schemas(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	files, err := filepath.Glob("schema/*.json")
	if err != nil || len(files) < 13 {
		t.Fatalf("schema files: %v, %v", files, err)
	}
	c := jsonschema.NewCompiler()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := c.AddResource("file:///"+filepath.Base(file), doc); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]*jsonschema.Schema{}
	for _, file := range files {
		s, err := c.Compile("file:///" + filepath.Base(file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := filepath.Base(file)
		out[name[:len(name)-len(".json")]] = s
	}
	return out
}

// valid tells whether a line holds to a schema.
func valid(s *jsonschema.Schema, line []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}
