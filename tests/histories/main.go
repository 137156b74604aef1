// The program histories runs campaigns. Public clients use Widerow while it is killed, stopped and given wrong clocks. Then
// Porcupine, a checker of linearizability, looks for an order of all operations that explains their answers
// (tests/histories/README.md).
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// over holds when a campaign must end early.
func (o options) over() bool { return time.Since(campaignBegin) > time.Duration(o.seconds)*time.Second }

type options struct {
	widerow, transactor, shim string
	directory                 string
	operations, every, slots  int
	seed                      uint64
	seconds                   int
	weak, loseLog             bool
}

func main() {
	if err := run(); err != nil {
		fmt.Println("FAILED:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	var o options
	flag.StringVar(&o.widerow, "widerow", "", "the program widerow")
	flag.StringVar(&o.transactor, "transactor", "", "the program of under_test/transactor.cc")
	flag.StringVar(&o.shim, "clock", "", "the library of under_test/clock_shift.cc")
	flag.StringVar(&o.directory, "directory", "", "directory for data and for histories that are wrong; empty: a temporary one")
	flag.IntVar(&o.operations, "operations", 5000, "operations, all kinds together")
	flag.IntVar(&o.every, "every", 1400, "operations from one disturbance to the next: a kill, a stop, a jump of the clock, in turn")
	flag.IntVar(&o.slots, "slots", 3, "groups of each kind that are used at the same time")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of all random choices")
	flag.IntVar(&o.seconds, "seconds", 14_000, "the campaign ends early after this time")
	flag.BoolVar(&o.weak, "weak", false, "clients without conditions, batches, snapshots and transactions: every kind must be found wrong")
	flag.BoolVar(&o.loseLog, "lose-log", false, "the server loses its commit log at each kill: some histories must be found wrong")
	scans := flag.Int("scans", 0, "another campaign: this many reads beside random batches (scans.go)")
	flag.Parse()
	if o.directory == "" {
		directory, err := os.MkdirTemp("", "widerow-histories-")
		if err != nil {
			return err
		}
		o.directory = directory
		defer func() {
			if err == nil {
				os.RemoveAll(directory) // A directory with wrong histories is kept, so that they can be examined.
			}
		}()
	}
	if *scans > 0 {
		return runScans(o, *scans)
	}
	return runHistories(o)
}

func runHistories(o options) error {
	c, err := newCampaign(o)
	if err != nil {
		return err
	}
	kinds := kindsOf(o.weak)
	if err := createTables(c.session.Load(), kinds); err != nil {
		return err
	}
	if o.loseLog {
		if err := c.settle(); err != nil {
			return err
		}
	}
	c.recorder = newRecorder(kinds, o.slots, runtime.NumCPU(), o.directory)
	begin := time.Now()
	if err := c.run(); err != nil {
		return err
	}
	return report(c, time.Since(begin))
}

// report prints the totals. It returns an error if the campaign does not show what it must.
func report(c *campaign, took time.Duration) error {
	var all, unknown, histories, wrong, undecided int64
	var quiet []string
	fmt.Printf("%-20s %10s %10s %10s %8s %6s %10s\n", "kind", "operations", "no answer", "histories", "longest", "wrong", "undecided")
	for _, k := range c.recorder.kinds {
		t := &k.totals
		fmt.Printf("%-20s %10d %10d %10d %8d %6d %10d\n", k.name, t.operations.Load(), t.unknown.Load(), t.histories.Load(),
			t.longest.Load(), t.wrong.Load(), t.undecided.Load())
		all += t.operations.Load()
		unknown += t.unknown.Load()
		histories += t.histories.Load()
		wrong += t.wrong.Load()
		undecided += t.undecided.Load()
		if t.wrong.Load() == 0 {
			quiet = append(quiet, k.name)
		}
	}
	fmt.Printf("%d operations in %d histories, %d without an answer; %d kills, %d stops (longest %v), %d jumps of the clock; %.0f s, seed %d: "+
		"%d wrong, %d undecided\n", all, histories, unknown, c.seen.kills, c.seen.stops, c.seen.longestStop, c.seen.jumps,
		took.Seconds(), c.options.seed, wrong, undecided)
	c.printErrors()
	switch {
	case c.options.weak && len(quiet) > 0:
		return fmt.Errorf("weak clients were not found out: %v", quiet)
	case c.options.loseLog && wrong == 0:
		return fmt.Errorf("a lost log was not noticed")
	case c.options.weak || c.options.loseLog:
		fmt.Println("found out, as it must be")
		return nil
	case wrong > 0 || undecided > 0:
		return fmt.Errorf("%d histories are wrong, %d undecided", wrong, undecided)
	case c.seen.kills == 0 || c.seen.stops == 0 || c.seen.jumps == 0:
		return fmt.Errorf("not every disturbance has happened")
	}
	return nil
}

// errors counts the error messages that the clients received.
var (
	errorsMutex sync.Mutex
	errorCounts = map[string]int{}
)

// note counts an error of an operation.
func (c *campaign) note(err error) {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = text[:min(len(text), 60)]
	errorsMutex.Lock()
	errorCounts[text]++
	errorsMutex.Unlock()
}

// printErrors prints the errors that came most often.
func (c *campaign) printErrors() {
	kept := 0
	for text, count := range errorCounts {
		if kept < 12 {
			fmt.Printf("%6d × %s\n", count, text)
		}
		kept++
	}
}
