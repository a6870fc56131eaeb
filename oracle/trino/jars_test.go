package trino

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A JDK is asked for its version; a folder without a compiler is none.
func TestJDKVersion(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	java := func(name, says string) {
		script := "#!/bin/sh\necho '" + says + "' >&2\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	java("java", `openjdk version "25.0.1" 2025-10-21 LTS`)
	if _, err := jdkVersion(context.Background(), dir); err == nil {
		t.Error("a folder without javac is a JDK")
	}
	java("javac", "")
	for says, want := range map[string]int{`openjdk version "25.0.1" 2025-10-21 LTS`: 25, `openjdk version "17.0.2"`: 17, `java version "1.8.0_301"`: 1} {
		java("java", says)
		if n, err := jdkVersion(context.Background(), dir); err != nil || n != want {
			t.Errorf("%s: %d, %v", says, n, err)
		}
	}
	java("java", "no java at all")
	if _, err := jdkVersion(context.Background(), dir); err == nil {
		t.Error("a program that says no version is a JDK")
	}
}

// Jars that are in the cache are not fetched again; without Maven the message
// says what is missing.
func TestFindJars(t *testing.T) {
	java, err := findJDK(context.Background())
	if err != nil {
		t.Skip(err)
	}
	cache := t.TempDir()
	if err := os.MkdirAll(filepath.Join(cache, "trino-999", "main"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("JAVA_HOME", java)
	t.Setenv("PATH", t.TempDir())
	log := func(string, ...any) { t.Error("something is fetched") }
	j, err := findJars(context.Background(), cache, "999", false, log)
	if err != nil || j.dir != filepath.Join(cache, "trino-999") || j.java != java {
		t.Errorf("%+v, %v", j, err)
	}
	if _, err := findJars(context.Background(), cache, "998", false, log); err == nil || !strings.Contains(err.Error(), "Maven") {
		t.Errorf("without Maven: %v", err)
	}
	if _, err := findJars(context.Background(), cache, "999", true, log); err == nil {
		t.Error("the memory connector is not missed")
	}
}
