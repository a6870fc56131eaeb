//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rprcheck")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// started is a command that runs.
type started struct {
	*exec.Cmd
	out, errs bytes.Buffer
	done      chan struct{}
}

func start(t *testing.T, path string, args ...string) *started {
	t.Helper()
	s := &started{Cmd: exec.Command(path, args...), done: make(chan struct{})}
	s.Stdout, s.Stderr = &s.out, &s.errs
	in, err := s.StdinPipe() // stays open
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		s.Wait()
		close(s.done)
	}()
	t.Cleanup(func() {
		s.Process.Kill()
		<-s.done
		in.Close()
	})
	return s
}

// ends waits for the end after a signal.
func (s *started) ends(t *testing.T, sig os.Signal, within time.Duration) {
	t.Helper()
	if err := s.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.done:
	case <-time.After(within):
		t.Fatalf("it runs on %v after the signal %v", within, sig)
	}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, within time.Duration, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// runs reports a process that runs; one that has ended and that nobody waited
// for does not.
func runs(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !exists("/proc/self/stat")
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// hanging is an engine that answers its first question wrong, starts a program
// of its own and says no more.
const hanging = `read hello
echo '{"protocol":1,"name":"slow","version":"1","ops":["map"]}'
read question
echo '{"id":"0","mappings":[null]}'
read question
sleep 300 &
echo $$ $! > pids.part && mv pids.part pids
wait
`

// Ctrl-C and a request to end or to hang up stop a run within seconds: what was
// found is reported, and neither the engine nor what it started is left.
func TestSignalsEndARun(t *testing.T) {
	program := build(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			cases := "# Shows.\n"
			for i := range 3 {
				cases += fmt.Sprintf("\nlabels id=c%d rule=PREF-1\nPATTERN (A)\nROWS A\n----\n1: A\n", i+1)
			}
			for name, text := range map[string]string{"cases": cases, "engine.sh": hanging} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := start(t, program, "diff", "--engine", "exec:sh engine.sh", "--timeout", "5m", "--minutes", "5", "cases")
			var engine, child int
			eventually(t, "the engine hangs", time.Minute, func() bool {
				text, err := os.ReadFile("pids")
				if err != nil {
					return false
				}
				_, err = fmt.Sscan(string(text), &engine, &child)
				return err == nil
			})
			s.ends(t, sig, 10*time.Second)
			if code := s.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d: %s", code, s.errs.String())
			}
			for _, want := range []string{"1 differs", "1 finding\n", "PATTERN (A)", "interrupted: this is what was found before"} {
				if !strings.Contains(s.out.String(), want) {
					t.Errorf("no %q in the report:\n%s", want, s.out.String())
				}
			}
			for _, pid := range []int{engine, child} {
				eventually(t, fmt.Sprintf("the process %d has ended", pid), 2*time.Second, func() bool { return !runs(pid) })
			}
		})
	}
}

// A second signal ends a command at once, whatever it does.
func TestSecondSignal(t *testing.T) {
	s := start(t, build(t), "query", "--table", "t=-", "SELECT * FROM t")
	time.Sleep(500 * time.Millisecond) // it waits for standard input
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	s.ends(t, syscall.SIGTERM, grace/2)
	if status := s.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended as %v", s.ProcessState)
	}
}

// javaOf finds the server that a process has started, and where it listens.
func javaOf(parent int) (pid int, address string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) < 2 || f[1] != strconv.Itoa(parent) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		for _, arg := range strings.Split(string(line), "\x00") {
			config, ok := strings.CutPrefix(arg, "-Dconfig=")
			if !ok {
				continue
			}
			text, _ := os.ReadFile(config)
			if m := regexp.MustCompile(`discovery\.uri=(\S+)`).FindSubmatch(text); m != nil {
				pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
				return pid, string(m[1])
			}
		}
	}
	return 0, ""
}

// finished counts the statements that a server has run, of the last few.
func finished(address string) int {
	q, err := http.NewRequest(http.MethodGet, address+"/v1/query", nil)
	if err != nil {
		return 0
	}
	q.Header.Set("X-Trino-User", "test")
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return 0
	}
	return bytes.Count(text, []byte(`"state":"FINISHED"`))
}

// In the middle of the suite a signal ends the run with its table, and the
// server with it; the server does not outlive a run that is killed either.
func TestLiveSignals(t *testing.T) {
	if os.Getenv("RPRCHECK_LIVE") == "" {
		t.Skip("no live server: set RPRCHECK_LIVE=1 to start one")
	}
	program := build(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			s := start(t, program, "diff", "--engine", "trino:jvm", "--minutes", "5")
			var java int
			var address string
			eventually(t, "the server starts", 3*time.Minute, func() bool {
				java, address = javaOf(s.Process.Pid)
				return java > 0
			})
			eventually(t, "the suite is under way", 3*time.Minute, func() bool { return finished(address) >= 10 })
			s.ends(t, sig, graceToClear)
			eventually(t, "the server has ended", 10*time.Second, func() bool { return !runs(java) })
			if sig == syscall.SIGKILL {
				return
			}
			if code := s.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d: %s", code, s.errs.String())
			}
			for _, want := range []string{"theme", "trino 483", "agrees", "interrupted: this is what was found before"} {
				if !strings.Contains(s.out.String(), want) {
					t.Errorf("no %q in the report:\n%s", want, s.out.String())
				}
			}
		})
	}
}
