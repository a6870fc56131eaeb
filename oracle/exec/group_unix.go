//go:build unix

package exec

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the command in a process group of its own, so that what it
// starts can be ended with it, and so that Ctrl-C reaches us alone.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the command and all processes of its group.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
