package trino

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Defaults of the ways to a server.
const (
	DefaultVersion = "483"
	DefaultImage   = "trinodb/trino:" + DefaultVersion
)

// Names of the environment's variables.
const (
	EnvURL      = "RPRCHECK_TRINO_URL"
	envUser     = "RPRCHECK_TRINO_USER"
	envPassword = "RPRCHECK_TRINO_PASSWORD"
	envToken    = "RPRCHECK_TRINO_TOKEN"
	fileSuffix  = "_FILE" // of a variable that names a file with the secret
)

// way is how a server is reached.
type way uint8

const (
	anyWay way = iota // URL of the environment, container, JVM
	byURL
	byContainer
	byJVM
)

// spec is a parsed engine spec.
type spec struct {
	way     way
	url     *url.URL
	user    string // named in the URL
	image   string
	version string
}

// Credentials are who asks.
type Credentials struct {
	User     string
	Password string
	Token    string
}

var (
	versionForm = regexp.MustCompile(`^[0-9]{3,4}$`)
	imageForm   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
)

// parseSpec reads trino, trino:URL, trino:docker[:IMAGE] or trino:jvm[:VERSION].
func parseSpec(s string) (spec, error) {
	name, rest, _ := strings.Cut(s, ":")
	if name != "trino" {
		return spec{}, usage("%.60q is no engine of this kind", s)
	}
	kind, arg, hasArg := strings.Cut(rest, ":")
	switch {
	case rest == "":
		return spec{way: anyWay, image: DefaultImage, version: DefaultVersion}, nil
	case kind == "docker":
		if !hasArg {
			arg = DefaultImage
		}
		if !imageForm.MatchString(arg) {
			return spec{}, usage("%.60q is no name of an image", arg)
		}
		return spec{way: byContainer, image: arg}, nil
	case kind == "jvm":
		if !hasArg {
			arg = DefaultVersion
		}
		if !versionForm.MatchString(arg) {
			return spec{}, usage("%.60q is no version of Trino, such as %s", arg, DefaultVersion)
		}
		return spec{way: byJVM, version: arg}, nil
	}
	u, user, err := parseURL(rest)
	return spec{way: byURL, url: u, user: user}, err
}

// parseURL reads the address of a server. A user may be named in it, a password
// may not: addresses are shown and logged.
func parseURL(s string) (*url.URL, string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, "", usage("the address of a server is http(s)://HOST:PORT")
	}
	if u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return nil, "", usage("the address of a server is http(s)://HOST:PORT, without a path")
	}
	user := ""
	if u.User != nil {
		if _, has := u.User.Password(); has {
			return nil, "", usage("a password does not belong into an address").
				WithHint("put it into %s, or into a file named by %s", envPassword, envPassword+fileSuffix)
		}
		user, u.User = u.User.Username(), nil
	}
	u.Path = ""
	return u, user, nil
}

// usage is the error of a wrong spec or option.
func usage(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "DATA-1", diag.Pos{}, format, args...).
		WithHint("write trino, trino:http://HOST:PORT, trino:docker[:IMAGE] or trino:jvm[:VERSION]")
}

// credentials completes what the options say by the address and the
// environment, and refuses to send a secret in the clear.
func credentials(o Credentials, s spec, insecure bool) (Credentials, error) {
	if o.User == "" {
		o.User = s.user
	}
	if o.User == "" {
		o.User = os.Getenv(envUser)
	}
	if o.Password == "" && o.Token == "" {
		var err error
		if o.Password, err = secret(envPassword); err != nil {
			return o, err
		}
		if o.Token, err = secret(envToken); err != nil {
			return o, err
		}
	}
	switch {
	case o.Password != "" && o.Token != "":
		return o, usage("a password and a token are given").WithHint("give one of %s and %s", envPassword, envToken)
	case o.Password != "" && o.User == "":
		return o, usage("a password without a user").WithHint("name the user by %s, or in the address", envUser)
	case (o.Password != "" || o.Token != "") && s.url.Scheme == "http" && !insecure:
		return o, usage("a password or token would be sent over plain http, for everyone on the way to read").
			WithHint("use https, or allow it by --insecure")
	}
	return o, nil
}

// secret reads a variable of the environment, or the file that another names.
func secret(name string) (string, error) {
	if v := os.Getenv(name); v != "" {
		return v, nil
	}
	file := os.Getenv(name + fileSuffix)
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", usage("the file that %s names cannot be read", name+fileSuffix)
	}
	if len(data) > 16<<10 {
		return "", usage("the file that %s names is too large for a secret", name+fileSuffix)
	}
	return strings.TrimSpace(string(data)), nil
}

// Unreachable says why no server could be reached: exit code 3 of the commands.
type Unreachable struct {
	Spec    string
	Reasons []string // one for each way that was tried
}

func (e *Unreachable) Error() string {
	return fmt.Sprintf("%s could not be reached: %s", e.Spec, strings.Join(e.Reasons, "; "))
}
