package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// transactor sends transactions to the program of under_test/transactor.cc. Any goroutine may call it.
type transactor struct {
	process *process
	mutex   sync.Mutex
	next    int64
	waiting map[int64]chan string
	broken  error
}

func newTransactor(p *process) *transactor {
	t := &transactor{process: p, waiting: map[int64]chan string{}}
	out := p.out
	go func() {
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				t.fail(err)
				return
			}
			id, answer, _ := strings.Cut(strings.TrimSpace(line), " ")
			number, _ := strconv.ParseInt(id, 10, 64)
			t.mutex.Lock()
			if reply := t.waiting[number]; reply != nil {
				delete(t.waiting, number)
				reply <- answer
			}
			t.mutex.Unlock()
		}
	}()
	return t
}

// fail ends all requests with an error, because the program has ended.
func (t *transactor) fail(err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.broken = err
	for id, reply := range t.waiting {
		delete(t.waiting, id)
		close(reply)
	}
}

// run runs one transaction and returns "committed VALUES" or "conflict VALUES".
func (t *transactor) run(group int64, reads, writes string) (string, error) {
	reply := make(chan string, 1)
	t.mutex.Lock()
	if t.broken != nil {
		t.mutex.Unlock()
		return "", errNothing
	}
	t.next++
	id := t.next
	t.waiting[id] = reply
	_, err := fmt.Fprintf(t.process.in, "%d %d %s %s\n", id, group, reads, writes)
	t.mutex.Unlock()
	if err != nil {
		return "", err
	}
	select {
	case answer, ok := <-reply:
		if !ok {
			return "", errors.New("the transactor is gone")
		}
		if reason, failed := strings.CutPrefix(answer, "failed "); failed {
			return "", errors.New(reason)
		}
		return answer, nil
	case <-time.After(answerSecondsMax * time.Second):
		t.mutex.Lock()
		delete(t.waiting, id)
		t.mutex.Unlock()
		return "", errors.New("the transactor does not answer")
	}
}

// transact runs a transaction that reads some cells of a group and writes others.
func transact(w *worker, g int64) (input, output, error) {
	order := w.random.Perm(widthMax)
	reads, writes := order[:w.random.IntN(widthMax+1)], w.random.Perm(widthMax)[:w.random.IntN(3)]
	if len(reads) == 0 && len(writes) == 0 {
		reads = order
	}
	in := input{action: decide}
	asked := make([]string, 0, widthMax)
	for _, i := range writes {
		in.cells = append(in.cells, cellValue{i, newValue()})
		asked = append(asked, fmt.Sprintf("%d=%d", i, in.cells[len(in.cells)-1].value))
	}
	answer, err := w.campaign.transactor.Load().run(g, joined(reads), orNothing(strings.Join(asked, ",")))
	if err != nil {
		// The values of the reads are not known. The writes may have taken effect, so the input has them, without a condition.
		if len(in.cells) == 0 {
			in.action = readAll
		}
		return in, output{}, err
	}
	verdict, list, _ := strings.Cut(answer, " ")
	seen := make([]cellValue, len(reads))
	for n, text := range strings.Split(list, ",") {
		if n < len(reads) {
			v, err := strconv.ParseInt(text, 10, 32)
			if err != nil {
				return in, output{}, err
			}
			seen[n] = cellValue{reads[n], int32(v)}
		}
	}
	if verdict == "conflict" { // Nothing was written, but the reads have shown one moment.
		return input{action: readAll}, output{seen: seen}, nil
	}
	in.expected = seen
	return in, output{applied: true}, nil
}

func joined(cells []int) string {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = strconv.Itoa(c)
	}
	return orNothing(strings.Join(texts, ","))
}

func orNothing(list string) string {
	if list == "" {
		return "-"
	}
	return list
}
