package trino

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"time"
)

// host is where a server that was started here runs.
type host interface {
	// stop ends the server; it may be called more than once.
	stop() error
	// trouble says what the server last complained of, to be put behind a
	// message; "" if it runs.
	trouble() string
}

// starter starts a server and returns its address.
type starter func(ctx context.Context, log func(string, ...any)) (*url.URL, host, error)

// session is a server in use. It is reached when first needed, and again, a few
// times, when one that was started here has died.
type session struct {
	spec string
	open []attempt
	opt  Options

	mu      sync.Mutex
	client  *client
	host    host // nil: a server that runs without us
	version string
	starts  int
	failure error
}

// attempt is one way to a server.
type attempt struct {
	name  string
	own   bool // the server is started here, and for this alone
	start starter
	creds Credentials
}

// maxStarts is how often a server that dies is started again.
const maxStarts = 40

// connect returns a client of a running server.
func (s *session) connect(ctx context.Context) (*client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil && (s.host == nil || s.host.trouble() == "") {
		return s.client, nil
	}
	if s.failure != nil {
		return nil, s.failure
	}
	if s.host != nil {
		s.opt.log("the server ended%s: starting it again", s.host.trouble())
		s.host.stop()
		s.client, s.host = nil, nil
	}
	if s.starts++; s.starts > maxStarts {
		s.failure = &Unreachable{Spec: s.spec, Reasons: []string{fmt.Sprintf("the server ended %d times", maxStarts)}}
		return nil, s.failure
	}
	var reasons []string
	for i, a := range s.open {
		err := s.try(ctx, a)
		if err == nil {
			s.open = s.open[i : i+1]
			return s.client, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reasons = append(reasons, a.name+": "+err.Error())
	}
	s.failure = &Unreachable{Spec: s.spec, Reasons: reasons}
	return nil, s.failure
}

// readyWithin is how long a server may take from its start until it is ready.
const readyWithin = 3 * time.Minute

func (s *session) try(ctx context.Context, a attempt) error {
	address, h, err := a.start(ctx, s.opt.log) // has limits of its own: it may have to fetch the server
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	c := newClient(address, a.creds, s.opt.Insecure && !a.own)
	c.catalog, c.schema, c.sent = s.opt.Catalog, s.opt.Schema, s.opt.Sent
	version, err := s.ready(ctx, c, h)
	if err != nil {
		if h != nil {
			h.stop()
		}
		return err
	}
	s.client, s.host, s.version = c, h, version
	return nil
}

// ready waits until the server answers, and puts one statement, since the
// first is slow.
func (s *session) ready(ctx context.Context, c *client, h host) (string, error) {
	for {
		version, starting, err := c.info(ctx)
		var ce *clientError
		switch {
		case err == nil && !starting:
			_, err := c.run(ctx, "SELECT 1", 60*time.Second)
			return version, err
		case h == nil && err != nil:
			return "", err
		case h != nil && h.trouble() != "":
			return "", fmt.Errorf("the server ended%s", h.trouble())
		case ctx.Err() != nil:
			return "", fmt.Errorf("the server is not ready after %v", readyWithin)
		case err != nil && !errors.As(err, &ce):
			return "", err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// own reports a server that was started here: it may be asked what could end it.
func (s *session) own() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.host != nil
}

// abandon stops a server that was started here, so that the next question
// starts another; false if the server is not ours.
func (s *session) abandon() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.host == nil {
		return false
	}
	s.opt.log("the server does not answer: starting another")
	s.host.stop()
	s.client, s.host = nil, nil
	return true
}

func (s *session) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.host
	s.client, s.host = nil, nil
	s.failure = errors.New("the oracle is closed")
	if h == nil {
		return nil
	}
	return h.stop()
}

// attempts lists the ways of a spec, in the order in which they are tried.
func attempts(sp spec, o Options) ([]attempt, error) {
	running := func(u *url.URL, user string) (attempt, error) {
		creds, err := credentials(o.Credentials, spec{url: u, user: user}, o.Insecure)
		start := func(context.Context, func(string, ...any)) (*url.URL, host, error) { return u, nil, nil }
		return attempt{name: u.Scheme + "://" + u.Host, start: start, creds: creds}, err
	}
	container := attempt{name: "container " + sp.image, own: true, start: containerStarter(sp.image)}
	jvm := attempt{name: "JVM", own: true, start: jvmStarter(sp.version, o.CacheDir, o.Memory)}
	switch sp.way {
	case byURL:
		a, err := running(sp.url, sp.user)
		return []attempt{a}, err
	case byContainer:
		return []attempt{container}, nil
	case byJVM:
		return []attempt{jvm}, nil
	}
	var list []attempt
	if address := os.Getenv(EnvURL); address != "" {
		u, user, err := parseURL(address)
		if err != nil {
			return nil, err
		}
		a, err := running(u, user)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	} else {
		missing := func(context.Context, func(string, ...any)) (*url.URL, host, error) {
			return nil, nil, errors.New(EnvURL + " is not set")
		}
		list = append(list, attempt{name: "a server that runs", start: missing})
	}
	return append(list, container, jvm), nil
}
