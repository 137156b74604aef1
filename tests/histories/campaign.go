package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

var campaignBegin = time.Now() // All times in histories are measured from here, by the monotonic clock.

// campaign has the programs under test, the workers that use them, and the state of the disturbances.
type campaign struct {
	options   options
	random    *rand.Rand
	clock     clock
	server    *process
	embedded  *process
	cql       string
	http      string
	logIsLost bool // The next start of the server finds no commit log.

	session    atomic.Pointer[gocql.Session]
	transactor atomic.Pointer[transactor]
	reader     *httpReader
	recorder   *recorder
	done       atomic.Int64 // Operations of all kinds.
	gate       sync.RWMutex // Held by a disturbance while programs are down.
	seen       disturbances
}

// disturbances counts the disturbances of each kind.
type disturbances struct {
	kills, stops, jumps int
	longestStop         time.Duration
}

func newCampaign(o options) (*campaign, error) {
	c := &campaign{options: o, random: rand.New(rand.NewPCG(o.seed, 1))}
	var err error
	if c.clock, err = newClock(o.directory); err != nil {
		return nil, err
	}
	modes := []string{"sync", "periodic", "none"}
	data, embedded := filepath.Join(o.directory, "data"), filepath.Join(o.directory, "embedded")
	log := filepath.Join(data, "log")
	c.server = &process{name: "the server", shim: o.shim, clock: c.clock, arguments: func() []string {
		a := []string{o.widerow, "serve", "--data", data, "--port", portOf(c.cql), "--http-port", portOf(c.http),
			"--durability", modes[c.random.IntN(3)], "--memtable", []string{"1M", "64M"}[c.random.IntN(2)]}
		if c.logIsLost {
			_ = os.RemoveAll(log)
			a = append(a, "--accept-lost-log")
		}
		return a
	}}
	c.embedded = &process{name: "the transactor", untilEOF: true, shim: o.shim, clock: c.clock, arguments: func() []string {
		a := []string{o.transactor, embedded, modes[c.random.IntN(3)]}
		if o.weak {
			a = append(a, "--weak")
		}
		return a
	}}
	return c, c.start()
}

// settle stops the server and starts it again. Afterwards its tables are not only in the commit log.
func (c *campaign) settle() error {
	if err := c.embedded.stop(); err != nil {
		return err
	}
	if err := c.server.stop(); err != nil {
		return err
	}
	return c.start()
}

// start starts both programs and connects to them.
func (c *campaign) start() error {
	line, err := c.server.start()
	if err != nil {
		return err
	}
	found := addresses(line)
	c.cql, c.http = found["cql"], found["http"]
	if _, err := c.embedded.start(); err != nil {
		return err
	}
	c.transactor.Store(newTransactor(c.embedded))
	c.reader = newHTTPReader(c.http)
	session, err := connect(c.cql, answerSecondsMax*time.Second)
	if err != nil {
		return err
	}
	if old := c.session.Swap(session); old != nil {
		go old.Close()
	}
	return nil
}

func connect(address string, patience time.Duration) (*gocql.Session, error) {
	cluster := gocql.NewCluster(address)
	cluster.ProtoVersion = 5
	cluster.NumConns = 4
	cluster.Timeout = patience
	cluster.ConnectTimeout = 30 * time.Second
	cluster.DefaultTimestamp = false // The server sets the timestamps, by the clock that jumps.
	cluster.DisableInitialHostLookup = true
	cluster.Logger = quiet{}
	var session *gocql.Session
	var err error
	for range 3 {
		if session, err = cluster.CreateSession(); err == nil {
			return session, nil
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("the driver does not connect: %w", err)
}

type quiet struct{}

func (quiet) Error(string, ...gocql.LogField)   {}
func (quiet) Warning(string, ...gocql.LogField) {}
func (quiet) Info(string, ...gocql.LogField)    {}
func (quiet) Debug(string, ...gocql.LogField)   {}

// run runs workers until all operations are done, and disturbs the programs meanwhile. Each kind of operations has the same share.
func (c *campaign) run() error {
	share := int64(c.options.operations / len(c.recorder.kinds))
	var workers sync.WaitGroup
	client := 0
	for _, k := range c.recorder.kinds {
		left := &atomic.Int64{}
		left.Store(share)
		for range k.workers {
			client++
			w := &worker{campaign: c, kind: k, client: client, random: rand.New(rand.NewPCG(c.options.seed, uint64(client)))}
			workers.Go(func() {
				for left.Add(-1) >= 0 && !c.options.over() {
					w.once()
				}
			})
		}
	}
	over := make(chan struct{})
	go func() {
		workers.Wait()
		close(over)
	}()
	err := c.disturb(over)
	if err != nil {
		return err
	}
	c.recorder.wait()
	if err := c.embedded.stop(); err != nil {
		return err
	}
	return c.server.stop()
}

// disturb kills and stops the programs and moves their clock. A disturbance comes after every options.every operations. In the
// middle between two disturbances, a new generation of groups begins.
func (c *campaign) disturb(over <-chan struct{}) error {
	next, rotate := int64(c.options.every), int64(c.options.every+c.options.every/2)
	for round := 0; ; {
		select {
		case <-over:
			return nil
		case <-time.After(5 * time.Millisecond):
		}
		if err := c.server.alive(); err != nil {
			return err
		}
		if err := c.embedded.alive(); err != nil {
			return err
		}
		if done := c.done.Load(); done >= next {
			next += int64(c.options.every)
			if err := c.disturbOnce(round); err != nil {
				return err
			}
			round++
		} else if done >= rotate {
			rotate += int64(c.options.every)
			c.recorder.rotate()
		}
	}
}

func (c *campaign) disturbOnce(round int) error {
	switch round % 3 {
	case 0:
		c.seen.kills++
		return c.killAndRestart()
	case 1:
		c.seen.stops++
		pause := time.Duration(20+c.random.IntN(800)) * time.Millisecond
		if c.random.IntN(8) == 0 && c.options.operations > 100_000 {
			pause = (answerSecondsMax + 1) * time.Second // The clients give up.
		}
		c.seen.longestStop = max(c.seen.longestStop, pause)
		for _, p := range []*process{c.server, c.embedded} {
			p.signal(syscall.SIGSTOP)
		}
		time.Sleep(pause)
		for _, p := range []*process{c.server, c.embedded} {
			p.signal(syscall.SIGCONT)
		}
		return nil
	default:
		c.seen.jumps++
		return c.clock.set(c.jump())
	}
}

// jump returns a random difference between the programs' clock and the true one, from milliseconds to days, in either direction.
func (c *campaign) jump() time.Duration {
	units := []time.Duration{time.Millisecond, time.Second, time.Hour, 24 * time.Hour}
	shift := time.Duration(1+c.random.IntN(30)) * units[c.random.IntN(len(units))]
	if c.random.IntN(2) == 0 {
		return -shift
	}
	return shift
}

func (c *campaign) killAndRestart() error {
	if err := c.server.kill(); err != nil {
		return err
	}
	if err := c.embedded.kill(); err != nil {
		return err
	}
	c.gate.Lock() // Running operations fail, and no other begins before the programs run again.
	defer c.gate.Unlock()
	if c.random.IntN(2) == 0 { // Half of the restarts also move the clock.
		if err := c.clock.set(c.jump()); err != nil {
			return err
		}
	}
	c.logIsLost = c.options.loseLog
	return c.start()
}
