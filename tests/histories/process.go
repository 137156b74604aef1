package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const (
	readySecondsMax = 120
	stopSecondsMax  = 120
)

// clock is a file with a number. under_test/clock_shift.cc adds this number to the calendar clock of the processes under test.
type clock struct{ path string }

func newClock(directory string) (clock, error) {
	c := clock{filepath.Join(directory, "clock-shift")}
	return c, c.set(0)
}

func (c clock) set(shift time.Duration) error {
	file, err := os.OpenFile(c.path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(shift)), 0)
	return err
}

// process is a program under test. It is started several times on the same data.
type process struct {
	name      string
	shim      string
	clock     clock
	arguments func() []string // Called before each start.
	untilEOF  bool            // The program ends when its standard input ends. Others end at SIGTERM.

	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	ended   chan error
}

// start starts the program and returns its first line.
func (p *process) start() (string, error) {
	arguments := p.arguments()
	p.command = exec.Command(arguments[0], arguments[1:]...)
	p.command.Env = append(os.Environ(), "LD_PRELOAD="+p.shim, "WIDEROW_CLOCK_SHIFT="+p.clock.path)
	p.command.Stderr = os.Stderr
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return "", err
	}
	// The pipe is made here, because Wait would close a pipe of StdoutPipe before its last lines are read.
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	p.command.Stdout = write
	if err := p.command.Start(); err != nil {
		return "", err
	}
	_ = write.Close()
	p.out = bufio.NewReader(read)
	p.ended = make(chan error, 1)
	command := p.command
	go func() { p.ended <- command.Wait() }()
	impatience := time.AfterFunc(readySecondsMax*time.Second, func() { _ = command.Process.Kill() })
	defer impatience.Stop()
	line, err := p.out.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "ready") {
		return "", fmt.Errorf("%s did not get ready: %q", p.name, line)
	}
	return strings.TrimSpace(line), nil
}

// alive returns an error if the process has ended by itself.
func (p *process) alive() error {
	select {
	case err := <-p.ended:
		return fmt.Errorf("%s ended by itself: %v", p.name, err)
	default:
		return nil
	}
}

func (p *process) signal(s syscall.Signal) { _ = p.command.Process.Signal(s) }

// kill ends the process as kill -9 does, and waits until it is gone.
func (p *process) kill() error {
	if err := p.alive(); err != nil {
		return err
	}
	p.signal(syscall.SIGKILL)
	<-p.ended
	return nil
}

// stop ends the process as an administrator does: by SIGTERM, or by the end of its standard input.
func (p *process) stop() error {
	if err := p.alive(); err != nil {
		return err
	}
	_ = p.in.Close()
	if !p.untilEOF {
		p.signal(syscall.SIGTERM)
	}
	select {
	case err := <-p.ended:
		if err != nil {
			return fmt.Errorf("%s stopped with %v", p.name, err)
		}
		return nil
	case <-time.After(stopSecondsMax * time.Second):
		p.signal(syscall.SIGKILL)
		return fmt.Errorf("%s did not stop in %d s", p.name, stopSecondsMax)
	}
}

var address = regexp.MustCompile(`\b(cql|http)=(\S+)`)

// addresses returns the addresses in a server's ready line.
func addresses(line string) map[string]string {
	found := map[string]string{}
	for _, match := range address.FindAllStringSubmatch(line, -1) {
		found[match[1]] = match[2]
	}
	return found
}

func portOf(address string) string {
	if address == "" {
		return "0"
	}
	return address[strings.LastIndexByte(address, ':')+1:]
}
