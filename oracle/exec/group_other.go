//go:build !unix

package exec

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the command alone.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
