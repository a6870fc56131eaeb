package trino

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a Docker engine the way is said to be missing, at once.
func TestNoDockerEngine(t *testing.T) {
	if os.Getenv(envImage) != "" {
		t.Skip("the library remembers the first engine that it is told of")
	}
	t.Setenv("DOCKER_HOST", "unix://"+filepath.Join(t.TempDir(), "none.sock"))
	o, err := New("trino:docker", Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Version(context.Background())
	var un *Unreachable
	if !errors.As(err, &un) || !strings.Contains(err.Error(), "no Docker engine") {
		t.Errorf("%v", err)
	}
}

func TestContainerErrors(t *testing.T) {
	for text, want := range map[string]string{
		"create container: no such host": "cannot be pulled: create container",
		"create reaper: pull ryuk":       "TESTCONTAINERS_RYUK_DISABLED=true",
		"something else":                 "something else",
	} {
		if got := containerError("i:1", errors.New(text)).Error(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := containerError("i:1", context.DeadlineExceeded).Error(); !strings.Contains(got, "TESTCONTAINERS_HOST_OVERRIDE") {
		t.Errorf("deadline: %s", got)
	}
}

func TestIsReady(t *testing.T) {
	for text, want := range map[string]bool{`{"starting":false}`: true, `{"starting":true}`: false, "": false} {
		if got := isReady(strings.NewReader(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
