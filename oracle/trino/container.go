package trino

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
	"github.com/testcontainers/testcontainers-go/wait"
)

// Of the official image, and of any other that keeps its contract: the server
// listens on port 8080 and is started by the image's command.
const containerPort = "8080/tcp"

// Limits of a container.
const (
	pullWithin  = 15 * time.Minute
	stopTimeout = 2 * time.Second
)

// containerStarter starts a server in a container of an image.
func containerStarter(image string) starter {
	return func(ctx context.Context, say func(string, ...any)) (*url.URL, host, error) {
		ctx, cancel := context.WithTimeout(ctx, pullWithin)
		defer cancel()
		if err := dockerEngine(ctx); err != nil {
			return nil, nil, fmt.Errorf("no Docker engine: %w", err)
		}
		say("starting a container of %s", image)
		c, err := testcontainers.Run(ctx, image,
			testcontainers.WithExposedPorts(containerPort),
			testcontainers.WithLogger(quiet{}),
			// The port is open and /v1/info answers before the server is ready.
			testcontainers.WithWaitStrategyAndDeadline(readyWithin, wait.ForHTTP("/v1/info").WithPort(containerPort).
				WithResponseMatcher(isReady).WithStartupTimeout(readyWithin).WithPollInterval(200*time.Millisecond)))
		if err != nil {
			if c != nil {
				(&container{c: c}).stop()
			}
			return nil, nil, containerError(image, err)
		}
		h := &container{c: c}
		address, err := c.PortEndpoint(ctx, containerPort, "http")
		if err != nil {
			h.stop()
			return nil, nil, err
		}
		u, err := url.Parse(address)
		return u, h, err
	}
}

// dockerEngine asks whether there is an engine. The library panics where it
// finds no address of one.
func dockerEngine(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	log.SetDefault(quiet{}) // the library greets on standard error
	p, err := testcontainers.NewDockerProvider(testcontainers.WithLogger(quiet{}))
	if err != nil {
		return err
	}
	defer p.Close()
	return p.Health(ctx)
}

// containerError adds what helps where the engine is there, but not what it
// needs.
func containerError(image string, err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "ryuk") || strings.Contains(text, "reaper"):
		return fmt.Errorf("%w; set TESTCONTAINERS_RYUK_DISABLED=true where the image of the reaper cannot be pulled", err)
	case strings.Contains(text, "create container") || strings.Contains(text, "pull"):
		return fmt.Errorf("the image %s is not here and cannot be pulled: %w", image, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w; set TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1 where this machine is itself a container", err)
	}
	return err
}

// isReady reports the answer of a server that has started.
func isReady(body io.Reader) bool {
	text, err := io.ReadAll(io.LimitReader(body, 64<<10))
	return err == nil && bytes.Contains(text, []byte(`"starting":false`))
}

// container is a running container.
type container struct {
	c       testcontainers.Container
	once    sync.Once
	mu      sync.Mutex
	checked time.Time
	said    string
}

// trouble asks the engine, now and then, whether the container runs.
func (c *container) trouble() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.said == "" && time.Since(c.checked) > 2*time.Second {
		c.checked = time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if state, err := c.c.State(ctx); err == nil && !state.Running {
			c.said = fmt.Sprintf(": the container ended with code %d", state.ExitCode)
		}
	}
	return c.said
}

// stop ends the container and removes it.
func (c *container) stop() (err error) {
	c.once.Do(func() { err = testcontainers.TerminateContainer(c.c, testcontainers.StopTimeout(stopTimeout)) })
	return err
}

// quiet drops what the library says.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
