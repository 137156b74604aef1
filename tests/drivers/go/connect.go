package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

var connectCases = []testCase{
	{"connect_v3", func(c *caseRun) { connectWith(c, 3, nil) }},
	{"connect_v3_lz4", func(c *caseRun) { connectWith(c, 3, lz4Compression) }},
	{"connect_v4", func(c *caseRun) { connectWith(c, 4, nil) }},
	{"connect_v4_lz4", func(c *caseRun) { connectWith(c, 4, lz4Compression); connectWith(c, 4, snappyCompression) }},
	{"connect_v5", func(c *caseRun) { connectWith(c, 5, nil) }},
	{"connect_v5_lz4", func(c *caseRun) { connectWith(c, 5, lz4Compression) }},
	{"connect_default", connectDefault},
	{"idle_heartbeat", idleHeartbeat},
}

// frames counts the frames that arrive from the server, by protocol version and by opcode.
type frames struct {
	version    atomic.Int32
	compressed atomic.Int32
	supported  atomic.Int32
}

func (f *frames) ObserveFrameHeader(_ context.Context, frame FrameHeader) {
	f.version.Store(int32(frame.Version) & 0x7f)
	f.compressed.Add(int32(frame.Flags) & 1)
	if frame.Opcode == 0x06 {
		f.supported.Add(1)
	}
}

func (f *frames) observe(c *ClusterConfig) { c.FrameHeaderObserver = f }

func connectWith(c *caseRun, v int, compression func(*ClusterConfig)) {
	if v > versionMax {
		panic(notApplicable(fmt.Sprintf("%s speaks v3 and v4", driverName)))
	}
	seen := &frames{}
	configure := []func(*ClusterConfig){inKeyspace, version(v), seen.observe}
	if compression != nil {
		configure = append(configure, compression)
	}
	s := c.session(configure...)
	table := fmt.Sprintf("connect_%d", time.Now().UnixNano())
	c.do(s, "CREATE TABLE "+table+" (k int PRIMARY KEY, v text)")
	for i, length := range []int{0, 5, 100_000, 300_000} {
		text := strings.Repeat("wide rows ", length/10) + strings.Repeat("x", length%10)
		c.do(s, "INSERT INTO "+table+" (k, v) VALUES (?, ?)", i, text)
		var back string
		c.must(s.Query("SELECT v FROM "+table+" WHERE k = ?", i).Scan(&back), "select")
		c.check(back == text, "a text of %d bytes returns as another of %d bytes", len(text), len(back))
	}
	c.equal(int(seen.version.Load()), v, "protocol version of the answers")
	if compression != nil && v < 5 {
		c.check(seen.compressed.Load() > 0, "no answer was compressed")
	}
}

func connectDefault(c *caseRun) {
	var times []time.Duration
	seen := &frames{}
	for range 10 {
		begin := time.Now()
		s := c.session(seen.observe)
		times = append(times, time.Since(begin))
		var key string
		c.must(s.Query("SELECT key FROM system.local WHERE key = 'local'").Scan(&key), "select")
		c.equal(key, "local", "key")
	}
	c.equal(int(seen.version.Load()), versionMax, "the version that was negotiated")
	slices.Sort(times)
	fmt.Printf("time connect %.1f\n", float64(times[5].Microseconds())/1000)
}

// idleHeartbeat lasts as long as two heartbeats. The driver sends the first after 1 s, then one every 30 s, and has no option for it.
func idleHeartbeat(c *caseRun) {
	seen := &frames{}
	s := c.session(seen.observe)
	before := seen.supported.Load()
	time.Sleep(2500 * time.Millisecond)
	c.check(seen.supported.Load() > before, "no OPTIONS was answered on an idle connection")
	var key string
	c.must(s.Query("SELECT key FROM system.local WHERE key = 'local'").Scan(&key), "select after idling")
}
