package trino

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	for _, x := range []struct {
		in   string
		want spec
	}{
		{"trino", spec{way: anyWay, image: DefaultImage, version: "483"}},
		{"trino:docker", spec{way: byContainer, image: "trinodb/trino:483"}},
		{"trino:docker:localhost:5000/my/trino:1@sha256", spec{way: byContainer, image: "localhost:5000/my/trino:1@sha256"}},
		{"trino:jvm", spec{way: byJVM, version: "483"}},
		{"trino:jvm:481", spec{way: byJVM, version: "481"}},
	} {
		got, err := parseSpec(x.in)
		if err != nil || got != x.want {
			t.Errorf("%s: %+v, %v", x.in, got, err)
		}
	}
	sp, err := parseSpec("trino:https://me@host:8443/")
	if err != nil || sp.way != byURL || sp.url.String() != "https://host:8443" || sp.user != "me" {
		t.Errorf("%+v, %v", sp, err)
	}
	for _, bad := range []string{"presto", "trino:jvm:4.8", "trino:jvm:../x", "trino:docker:-x", "trino:docker:a b", "trino:ftp://host", "trino:https://", "trino:host:8080", "trino:http://h/path", "trino:http://h/?q=1"} {
		if _, err := parseSpec(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	_, err = parseSpec("trino:https://me:hunter2@host")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a password in an address: %v", err)
	}
}

// A secret is taken from the options, the environment or a file, and never sent
// in the clear unless that is asked for.
func TestCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(address string) spec {
		u, user, err := parseURL(address)
		if err != nil {
			t.Fatal(err)
		}
		return spec{url: u, user: user}
	}
	for _, x := range []struct {
		name     string
		env      map[string]string
		given    Credentials
		address  string
		insecure bool
		want     Credentials
		err      string
	}{
		{name: "nothing", address: "http://h", want: Credentials{}},
		{name: "user of the address", address: "https://me@h", env: map[string]string{envPassword: "p"}, want: Credentials{User: "me", Password: "p"}},
		{name: "user of the environment", address: "https://h", env: map[string]string{envUser: "me", envPassword: "p"}, want: Credentials{User: "me", Password: "p"}},
		{name: "token of a file", address: "https://h", env: map[string]string{envToken + fileSuffix: file}, want: Credentials{Token: "sesame"}},
		{name: "options first", address: "https://h", env: map[string]string{envToken: "other"}, given: Credentials{User: "me", Password: "p"}, want: Credentials{User: "me", Password: "p"}},
		{name: "plain http", address: "http://h", env: map[string]string{envToken: "hunter2"}, err: "plain http"},
		{name: "plain http on request", address: "http://h", env: map[string]string{envToken: "t"}, insecure: true, want: Credentials{Token: "t"}},
		{name: "loopback is plain as well", address: "http://127.0.0.1:8080", given: Credentials{User: "me", Password: "hunter2"}, err: "plain http"},
		{name: "both", address: "https://h", given: Credentials{User: "me", Password: "hunter2", Token: "hunter2"}, err: "a password and a token"},
		{name: "no user", address: "https://h", given: Credentials{Password: "hunter2"}, err: "without a user"},
		{name: "no such file", address: "https://h", env: map[string]string{envToken + fileSuffix: file + "x"}, err: "cannot be read"},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, name := range []string{envUser, envPassword, envToken, envPassword + fileSuffix, envToken + fileSuffix} {
				t.Setenv(name, x.env[name])
			}
			got, err := credentials(x.given, at(x.address), x.insecure)
			switch {
			case x.err == "" && (err != nil || got != x.want):
				t.Errorf("%+v, %v; want %+v", got, err, x.want)
			case x.err != "" && (err == nil || !strings.Contains(err.Error(), x.err) || strings.Contains(err.Error(), "hunter2")):
				t.Errorf("error %v, want %s", err, x.err)
			}
		})
	}
}
