package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// A group is a few cells that belong together: one register, the two counters of a pair, or the rows that one batch writes.
// A state has the value of each cell.
const (
	widthMax       = 4
	absent   int32 = -1 // There is no such row.
	anyValue int32 = -2 // In a condition: the row must exist, with any value.
)

type state [widthMax]int32

// action says what an operation does to a group, at the one moment at which it takes effect.
type action int

const (
	readAll  action = iota // Reads the cells of `cells`.
	writeAll               // Sets the cells of `cells` to `values`.
	add                    // Adds `values` to the cells of `cells`.
	decide                 // Sets the cells of `cells` if those of `expected` have the expected values. Otherwise does nothing.
)

type cellValue struct {
	cell  int
	value int32
}

// input is an operation as the client has sent it.
type input struct {
	action   action
	cells    []cellValue
	expected []cellValue // Only for decide.
}

// output is an operation's answer.
type output struct {
	unknown bool // No answer came, or an error after which the operation may have taken effect or not.
	torn    bool // The rows of one read contradict each other.
	applied bool // Only for decide.
	seen    []cellValue
	until   time.Duration // The operation took effect before this time. 0: before it ended.
}

func matches(s state, cells []cellValue) bool {
	for _, c := range cells {
		if c.value == anyValue && s[c.cell] != absent {
			continue
		}
		if s[c.cell] != c.value {
			return false
		}
	}
	return true
}

func set(s state, cells []cellValue) state {
	for _, c := range cells {
		s[c.cell] = c.value
	}
	return s
}

// step is the sequential specification: it says whether the operation may have this answer in state `s`, and returns the next
// state. An operation without an answer ends at the end of its history. So the checker may also put it last, where no other
// operation sees its effect.
func step(s state, in input, out output) (bool, state) {
	if out.torn {
		return false, s
	}
	switch in.action {
	case readAll:
		return matches(s, out.seen), s
	case writeAll:
		return true, set(s, in.cells)
	case add:
		for _, c := range in.cells {
			s[c.cell] += c.value
		}
		return true, s
	default:
		holds := matches(s, in.expected)
		if !out.unknown && (holds != out.applied || !matches(s, out.seen)) {
			return false, s
		}
		if holds {
			s = set(s, in.cells)
		}
		return true, s
	}
}

func modelOf(initial int32) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state(slices.Repeat([]int32{initial}, widthMax)) },
		Step: func(s, in, out any) (bool, any) {
			ok, next := step(s.(state), in.(input), out.(output))
			return ok, next
		},
		DescribeOperation: func(in, out any) string { return describe(in.(input), out.(output)) },
	}
}

func describe(in input, out output) string {
	text := map[action]string{readAll: "read", writeAll: "write", add: "add", decide: "decide"}[in.action]
	if in.action == decide {
		text += fmt.Sprintf(" if %v", in.expected)
	}
	if len(in.cells) > 0 {
		text += fmt.Sprintf(" set %v", in.cells)
	}
	switch {
	case out.unknown:
		return text + " -> no answer"
	case out.torn:
		return text + fmt.Sprintf(" -> torn %v", out.seen)
	case in.action == decide:
		return text + fmt.Sprintf(" -> applied %v, saw %v", out.applied, out.seen)
	default:
		return text + fmt.Sprintf(" -> %v", out.seen)
	}
}
