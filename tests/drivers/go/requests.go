package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

var requestCases = []testCase{
	{"paging", paging},
	{"concurrent", concurrent},
}

const pagedRows = 10_000

// inParallel calls `work` for 0 to count - 1, with at most `width` calls at a time. It fails with the first error.
func (c *caseRun) inParallel(count, width int, work func(i int) error) {
	var next atomic.Int64
	errors := make(chan error, width)
	for range width {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count {
					errors <- nil
					return
				}
				if err := work(i); err != nil {
					errors <- err
					return
				}
			}
		}()
	}
	var first error
	for range width {
		if err := <-errors; err != nil && first == nil {
			first = err
		}
	}
	c.must(first, "in parallel")
}

func paging(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE paged (k int, c int, v text, PRIMARY KEY (k, c))")
	c.inParallel(pagedRows, 64, func(i int) error {
		return s.Query("INSERT INTO paged (k, c, v) VALUES (1, ?, ?)", i, fmt.Sprint("row ", i)).Exec()
	})
	var state []byte
	var states [][]byte
	row, pages := 0, 0
	for {
		iter := s.Query("SELECT c, v FROM paged WHERE k = 1").PageSize(100).PageState(state).Iter()
		state = iter.PageState()
		states = append(states, state)
		var column int
		var v string
		for iter.Scan(&column, &v) {
			c.check(column == row && v == fmt.Sprint("row ", row), "row %d is %d, %s", row, column, v)
			row++
		}
		c.must(iter.Close(), "page")
		pages++
		if len(state) == 0 {
			break
		}
	}
	c.equal(row, pagedRows, "rows")
	c.check(pages == 100 || pages == 101, "%d pages", pages)
	for _, size := range []int{77, 5000} {
		count, next := 0, 0
		iter := s.Query("SELECT c FROM paged WHERE k = 1").PageSize(size).Iter()
		for iter.Scan(&next) {
			c.check(next == count, "page size %d: row %d is %d", size, count, next)
			count++
		}
		c.must(iter.Close(), "automatic paging")
		c.equal(count, pagedRows, fmt.Sprintf("rows with page size %d", size))
	}

	other := c.session(inKeyspace)
	var first int
	iter := other.Query("SELECT c, v FROM paged WHERE k = 1").PageSize(100).PageState(states[41]).Iter()
	var v string
	c.check(iter.Scan(&first, &v), "nothing after a resumed page")
	c.must(iter.Close(), "resumed page")
	c.equal(first, 4200, "first row of the page resumed in another session")
	err := other.Query("SELECT c, v FROM paged WHERE k = 1").PageSize(100).PageState([]byte{0xff, 1, 2, 3, 4}).Iter().Close()
	c.isError(err, 0x000A, "Invalid value for the paging state")
}

func concurrent(c *caseRun) {
	const requests = 1000
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE crowd (k int PRIMARY KEY, v text)")
	all := func(work func(i int) error) {
		var ready, done sync.WaitGroup
		errors := make(chan error, requests)
		ready.Add(1)
		for i := range requests {
			done.Add(1)
			go func() {
				defer done.Done()
				ready.Wait()
				if err := work(i); err != nil {
					errors <- err
				}
			}()
		}
		ready.Done()
		done.Wait()
		close(errors)
		for err := range errors {
			c.fail("one of %d at once: %v", requests, err)
		}
	}
	all(func(i int) error {
		return s.Query("INSERT INTO crowd (k, v) VALUES (?, ?)", i, fmt.Sprint("v", i)).Exec()
	})
	all(func(i int) error {
		var v string
		if err := s.Query("SELECT v FROM crowd WHERE k = ?", i).Scan(&v); err != nil {
			return err
		}
		if v != fmt.Sprint("v", i) {
			return fmt.Errorf("row %d is %s", i, v)
		}
		return nil
	})
}
