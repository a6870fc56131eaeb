package trino

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rprcheck/rprcheck/oracle/internal/tail"
)

// heap is the memory of a server in a JVM of its own.
const heap = "1g"

// jvmStarter starts a server from Maven's jars, on a free port of 127.0.0.1.
func jvmStarter(version, cache string, memory bool) starter {
	return func(ctx context.Context, log func(string, ...any)) (*url.URL, host, error) {
		j, err := findJars(ctx, cache, version, memory, log)
		if err != nil {
			return nil, nil, err
		}
		log("starting Trino %s in a JVM", version)
		return j.start(memory)
	}
}

// jvm is a running server.
type jvm struct {
	cmd   *exec.Cmd
	input io.Closer // its end ends the server
	dir   string    // of its configuration and data
	said  tail.Tail
	done  chan struct{} // closed when the process has ended
	once  sync.Once
}

// start starts the server in a folder of its own, so that several may run.
func (j *jars) start(memory bool) (*url.URL, host, error) {
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "rprcheck-trino-")
	if err != nil {
		return nil, nil, err
	}
	v := &jvm{dir: dir, done: make(chan struct{})}
	if err := j.configure(dir, port, memory); err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	v.cmd = exec.Command(filepath.Join(j.java, "bin", "java"), "-Xmx"+heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError",
		"--add-modules=jdk.incubator.vector", "-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading",
		"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-Dconfig="+filepath.Join(dir, "etc", "config.properties"),
		"-cp", filepath.Join(j.dir, "main")+string(os.PathListSeparator)+filepath.Join(j.dir, "lib", "*"), "RealTrino", j.version)
	v.cmd.Dir = dir
	v.cmd.Stdout, v.cmd.Stderr = &v.said, &v.said
	// A group of its own: Ctrl-C reaches us alone, and we stop the server.
	v.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if v.input, err = v.cmd.StdinPipe(); err == nil {
		err = v.cmd.Start()
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, fmt.Errorf("java cannot be started: %w", err)
	}
	go func() {
		v.cmd.Wait()
		close(v.done)
	}()
	return &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}, v, nil
}

// configure writes the server's configuration.
func (j *jars) configure(dir string, port int, memory bool) error {
	lines := []string{"node.environment=rprcheck", "node.bind-ip=127.0.0.1", "node.internal-address=127.0.0.1", "coordinator=true",
		"node-scheduler.include-coordinator=true", fmt.Sprintf("http-server.http.port=%d", port), fmt.Sprintf("discovery.uri=http://127.0.0.1:%d", port),
		"query.max-history=20", "query.min-expire-age=10s", "plugin.dir=" + filepath.Join(dir, "plugin")}
	files := map[string]string{filepath.Join("etc", "config.properties"): strings.Join(lines, "\n") + "\n"}
	for _, sub := range []string{filepath.Join("etc", "catalog"), "plugin", "secrets-plugin"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	if memory {
		files[filepath.Join("etc", "catalog", "memory.properties")] = "connector.name=memory\n"
		if err := os.Symlink(filepath.Join(j.dir, "plugin", "memory"), filepath.Join(dir, "plugin", "memory")); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// freePort asks the system for a port that nobody uses now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// trouble returns the end of what the server said, if it has ended.
func (v *jvm) trouble() string {
	select {
	case <-v.done:
		return ": " + v.said.String()
	default:
		return ""
	}
}

// stop ends the server: kindly, then not.
func (v *jvm) stop() error {
	v.once.Do(func() {
		v.cmd.Process.Signal(syscall.SIGTERM)
		v.input.Close()
		select {
		case <-v.done:
		case <-time.After(5 * time.Second):
			v.cmd.Process.Kill()
			<-v.done
		}
		os.RemoveAll(v.dir)
	})
	return nil
}
