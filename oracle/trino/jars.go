package trino

import (
	"context"
	_ "embed" // pom.xml, RealTrino.java
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/oracle/internal/tail"
)

//go:embed pom.xml
var pom []byte

//go:embed RealTrino.java
var mainSource []byte

// oldestJDK is the oldest Java that the servers of today run on.
const oldestJDK = 25

// copyDependencies is the Maven goal, of a pinned version, that fetches jars.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// fetchWithin is how long the jars may take to come.
const fetchWithin = 15 * time.Minute

// jars is a folder that holds what a server needs: lib with the jars of
// trino-main and what it needs, main with the class that starts it, and
// plugin/memory if the memory connector was asked for.
type jars struct {
	dir     string
	java    string // the JDK's folder
	version string
}

// cacheFolder is where a version's jars are kept.
func cacheFolder(base, version string) (string, error) {
	if base == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(user, "rprcheck")
	}
	return filepath.Join(base, "trino-"+version), nil
}

// findJars returns the jars of a version, fetched by Maven if they are not in
// the cache. A folder is complete or not there: it is filled under another
// name, and renamed.
func findJars(ctx context.Context, base, version string, memory bool, log func(string, ...any)) (*jars, error) {
	java, err := findJDK(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := cacheFolder(base, version)
	if err != nil {
		return nil, err
	}
	j := &jars{dir: dir, java: java, version: version}
	if isDir(filepath.Join(dir, "main")) && (!memory || isDir(filepath.Join(dir, "plugin", "memory"))) {
		return j, nil
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return nil, errors.New("Maven (mvn) is not in PATH, and the jars of Trino " + version + " are not in the cache")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "trino-"+version+"-part-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	log("fetching the jars of Trino %s (about 100 MB, once)", version)
	ctx, cancel := context.WithTimeout(ctx, fetchWithin)
	defer cancel()
	part := &jars{dir: work, java: java, version: version}
	if err := part.fetch(ctx, mvn, memory); err != nil {
		return nil, err
	}
	return j, replaceFolder(work, dir)
}

// replaceFolder puts a filled folder in its place. Another process may have
// done the same meanwhile: its folder is as good.
func replaceFolder(work, dir string) error {
	old := work + "-old"
	if err := os.Rename(dir, old); err == nil {
		defer os.RemoveAll(old)
	}
	if err := os.Rename(work, dir); err != nil && !isDir(filepath.Join(dir, "main")) {
		return err
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fetch fills the folder: jars with checksums verified, the class compiled.
func (j *jars) fetch(ctx context.Context, mvn string, memory bool) error {
	if err := os.WriteFile(filepath.Join(j.dir, "pom.xml"), pom, 0o644); err != nil {
		return err
	}
	if err := j.maven(ctx, mvn, "trino-main", "lib"); err != nil {
		return err
	}
	if memory {
		if err := j.maven(ctx, mvn, "trino-memory", filepath.Join("plugin", "memory")); err != nil {
			return err
		}
		if err := j.service(ctx); err != nil {
			return err
		}
	}
	source := filepath.Join(j.dir, "RealTrino.java")
	if err := os.WriteFile(source, mainSource, 0o644); err != nil {
		return err
	}
	return j.tool(ctx, "javac", "-cp", filepath.Join(j.dir, "lib", "*"), "-d", filepath.Join(j.dir, "main"), source)
}

func (j *jars) maven(ctx context.Context, mvn, artifact, into string) error {
	cmd := exec.CommandContext(ctx, mvn, "-B", "-q", "--strict-checksums", "-f", filepath.Join(j.dir, "pom.xml"), copyDependencies,
		"-Dtrino.version="+j.version, "-Dtrino.artifact="+artifact, "-DincludeScope=runtime", "-DoutputDirectory="+filepath.Join(j.dir, into))
	cmd.Env = append(os.Environ(), "JAVA_HOME="+j.java)
	return run(cmd, "Maven cannot fetch "+artifact+" "+j.version)
}

// service names the memory connector: the published jar has no service file.
func (j *jars) service(ctx context.Context) error {
	root := filepath.Join(j.dir, "services")
	dir := filepath.Join(root, "META-INF", "services")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(root)
	if err := os.WriteFile(filepath.Join(dir, "io.trino.spi.Plugin"), []byte("io.trino.plugin.memory.MemoryPlugin\n"), 0o644); err != nil {
		return err
	}
	return j.tool(ctx, "jar", "cf", filepath.Join(j.dir, "plugin", "memory", "services.jar"), "-C", root, "META-INF")
}

func (j *jars) tool(ctx context.Context, name string, args ...string) error {
	return run(exec.CommandContext(ctx, filepath.Join(j.java, "bin", name), args...), name+" fails")
}

// run runs a command and keeps the last lines of what it says for the error.
func run(cmd *exec.Cmd, what string) error {
	var out tail.Tail
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", what, err, out.String())
	}
	return nil
}

var javaVersion = regexp.MustCompile(`version "([0-9]+)`)

// findJDK returns the folder of a JDK that is new enough: JAVA_HOME, the one of
// PATH, or one where systems keep theirs, each asked for its version.
func findJDK(ctx context.Context) (string, error) {
	var seen []string
	candidates := []string{os.Getenv("JAVA_HOME")}
	if javac, err := exec.LookPath("javac"); err == nil {
		if real, err := filepath.EvalSymlinks(javac); err == nil {
			candidates = append(candidates, filepath.Dir(filepath.Dir(real)))
		}
	}
	for _, glob := range jdkFolders() {
		found, _ := filepath.Glob(glob)
		slices.Sort(found)
		candidates = append(candidates, found...)
	}
	for _, dir := range candidates {
		if dir == "" {
			continue
		}
		n, err := jdkVersion(ctx, dir)
		if err != nil {
			continue
		}
		if n >= oldestJDK {
			return dir, nil
		}
		if v := strconv.Itoa(n); !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	have := "there is no JDK"
	if len(seen) > 0 {
		have = "there are JDKs of version " + strings.Join(seen, ", ") + " only"
	}
	return "", fmt.Errorf("a JDK %d is needed, %s: install one, or name it by JAVA_HOME", oldestJDK, have)
}

func jdkFolders() []string {
	if runtime.GOOS == "darwin" {
		return []string{"/Library/Java/JavaVirtualMachines/*/Contents/Home"}
	}
	return []string{"/usr/lib/jvm/*", "/opt/java/*", "/opt/jdk*"}
}

// jdkVersion asks the compiler in dir, since a JRE does not do, for its version.
func jdkVersion(ctx context.Context, dir string) (int, error) {
	if _, err := os.Stat(filepath.Join(dir, "bin", "javac")); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "bin", "java"), "-version").CombinedOutput()
	if err != nil {
		return 0, err
	}
	m := javaVersion.FindSubmatch(out)
	if m == nil {
		return 0, errors.New("it does not say its version")
	}
	return strconv.Atoi(string(m[1]))
}
