package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
)

const checkSecondsMax = 300

// history lists the operations of one group. A group is used during one or two disturbances only. So few of its operations have
// no answer, and checking it stays fast.
type history struct {
	kind       *kind
	group      int64
	mutex      sync.Mutex
	operations []porcupine.Operation
	unknown    int
}

func (h *history) add(client int, call time.Duration, in input, out output) {
	done := time.Since(campaignBegin)
	if out.until != 0 {
		done = out.until
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if out.unknown {
		h.unknown++
	}
	h.operations = append(h.operations, porcupine.Operation{ClientId: client, Input: in, Call: int64(call), Output: out, Return: int64(done)})
}

// generation has the groups that are in use at the same time, one set for each kind.
type generation struct {
	number    int64
	histories map[*kind][]*history
	active    int // The number of operations that are running.
	retired   bool
}

// recorder assigns groups to operations, records the operations, and checks the histories of finished generations.
type recorder struct {
	kinds   []*kind
	slots   int
	mutex   sync.Mutex
	current *generation
	finish  sync.WaitGroup
	checks  chan *history
	checked sync.WaitGroup
	reports string // The directory for histories that are wrong.
}

func newRecorder(kinds []*kind, slots, checkers int, reports string) *recorder {
	r := &recorder{kinds: kinds, slots: slots, checks: make(chan *history, 64), reports: reports}
	for range checkers {
		r.checked.Go(func() {
			for h := range r.checks {
				r.check(h)
			}
		})
	}
	r.current = r.generation(1)
	return r
}

func (r *recorder) generation(number int64) *generation {
	g := &generation{number: number, histories: map[*kind][]*history{}}
	for _, k := range r.kinds {
		for slot := range r.slots {
			g.histories[k] = append(g.histories[k], &history{kind: k, group: number*100 + int64(slot)})
		}
	}
	return g
}

// enter returns the history for the next operation of a worker. leave must follow.
func (r *recorder) enter(k *kind, slot int) (*generation, *history) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.current.active++
	return r.current, r.current.histories[k][slot]
}

func (r *recorder) leave(g *generation) {
	r.mutex.Lock()
	g.active--
	over := g.retired && g.active == 0
	r.mutex.Unlock()
	if over {
		r.submit(g)
	}
}

// rotate ends the current generation. Operations of it may still run.
func (r *recorder) rotate() {
	r.mutex.Lock()
	old := r.current
	old.retired = true
	r.current = r.generation(old.number + 1)
	over := old.active == 0
	r.mutex.Unlock()
	if over {
		r.submit(old)
	}
}

func (r *recorder) submit(g *generation) {
	for _, histories := range g.histories {
		for _, h := range histories {
			if len(h.operations) > 0 {
				r.finish.Add(1)
				r.checks <- h
			}
		}
	}
}

// wait ends the last generation and waits for all checks. No operation may run.
func (r *recorder) wait() {
	r.rotate()
	r.finish.Wait()
	close(r.checks)
	r.checked.Wait()
}

func (r *recorder) check(h *history) {
	defer r.finish.Done()
	var end int64
	for _, o := range h.operations {
		end = max(end, o.Return)
	}
	for i := range h.operations {
		if h.operations[i].Output.(output).unknown {
			h.operations[i].Return = end + 1
		}
	}
	model := modelOf(h.kind.initial)
	result, info := porcupine.CheckOperationsVerbose(model, h.operations, checkSecondsMax*time.Second)
	h.kind.totals.note(h, result)
	if result == porcupine.Ok {
		return
	}
	path := filepath.Join(r.reports, fmt.Sprintf("%s-%d.html", h.kind.name, h.group))
	if file, err := os.Create(path); err == nil {
		_ = porcupine.Visualize(model, info, file)
		_ = file.Close()
	}
	if h.kind.totals.wrong.Load() <= 3 {
		fmt.Printf("%s, group %d: %s; drawn in %s\n", h.kind.name, h.group, result, path)
	}
}

// totals counts the operations of one kind.
type totals struct {
	operations, unknown, histories, longest, wrong, undecided atomic.Int64
}

func (t *totals) note(h *history, result porcupine.CheckResult) {
	t.operations.Add(int64(len(h.operations)))
	t.unknown.Add(int64(h.unknown))
	t.histories.Add(1)
	length := int64(len(h.operations))
	for old := t.longest.Load(); length > old && !t.longest.CompareAndSwap(old, length); old = t.longest.Load() {
	}
	switch result {
	case porcupine.Illegal:
		t.wrong.Add(1)
	case porcupine.Unknown:
		t.undecided.Add(1)
	}
}
