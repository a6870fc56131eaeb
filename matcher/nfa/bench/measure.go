package bench

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cost is what a run took. CPU time is that of the process, all threads.
type Cost struct {
	CPU    time.Duration
	Wall   time.Duration // that passed
	Allocs uint64
	Bytes  uint64 // of all allocations
	Peak   uint64 // bytes of memory resident at most; 0: not known
}

// measure runs f several times and returns the least CPU time, with the
// allocations and the peak memory of that run. It stops at the first error.
func measure(times int, f func() error) (Cost, error) {
	costs, err := inTurns(times, f)
	return costs[0], err
}

// inTurns measures several functions in turn: what is compared meets the same
// disturbances.
func inTurns(times int, fs ...func() error) ([]Cost, error) {
	best := make([]Cost, len(fs))
	for i := range best {
		best[i].CPU = math.MaxInt64
	}
	for k := range times * len(fs) {
		if err := once(&best[k%len(fs)], fs[k%len(fs)]); err != nil {
			return best, err
		}
	}
	return best, nil
}

// once runs f and keeps what it took if that is less.
func once(best *Cost, f func() error) error {
	runtime.GC()
	resetPeak()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	clock, start := time.Now(), cpuTime()
	if err := f(); err != nil {
		return err
	}
	cpu, wall := cpuTime()-start, time.Since(clock)
	runtime.ReadMemStats(&after)
	if cpu < best.CPU {
		*best = Cost{cpu, wall, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc, peak()}
	}
	return nil
}

// cpuTime is the CPU time of the process so far, user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak makes the present resident memory the peak, where the system can.
func resetPeak() {
	// An error leaves the peak of the process, which is still one.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak returns the peak of the resident memory.
func peak() uint64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			kb, err := strconv.ParseUint(words[1], 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}
