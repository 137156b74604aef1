package widerow

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/jaegertracing/jaeger-idl/model/v1"
	"github.com/jaegertracing/jaeger/internal/metrics"
	"github.com/jaegertracing/jaeger/internal/storage/v1/api/spanstore"
	cassandrav1 "github.com/jaegertracing/jaeger/internal/storage/v1/cassandra"
	cspanstore "github.com/jaegertracing/jaeger/internal/storage/v1/cassandra/spanstore"
	"go.opentelemetry.io/otel/trace/noop"
)

const (
	spans         = 2000
	spansPerTrace = 20
	keyspace      = "jaeger_load"
	syncCalls     = "fdatasync,fsync,syncfs,sync_file_range,msync"
)

// serverMetrics returns the server's count of groups of writes, and its count of writes to the tables of the keyspace.
func serverMetrics(t *testing.T) (groups, writes int) {
	answer, err := http.Get("http://" + os.Getenv("WIDEROW_HTTP") + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		number := func() int {
			value, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndex(line, " "):]), 64)
			require.NoError(t, err)
			return int(value)
		}
		switch {
		case strings.HasPrefix(line, "widerow_write_groups_total "):
			groups = number()
		case strings.HasPrefix(line, "widerow_table_writes_total{") && strings.Contains(line, `"`+keyspace+`"`):
			writes += number()
		}
	}
	return groups, writes
}

// syncCounter traces the server with strace and lists the system calls that wait for the disk.
type syncCounter struct {
	strace *exec.Cmd
	output string
}

// countSyncs starts a syncCounter. It returns nil and the reason if the server cannot be traced here.
func countSyncs(t *testing.T) (*syncCounter, string) {
	if _, err := exec.LookPath("strace"); err != nil {
		return nil, "strace is not installed"
	}
	output := filepath.Join(t.TempDir(), "calls")
	strace := exec.Command("strace", "-f", "-o", output, "-e", "trace="+syncCalls, "-p", os.Getenv("WIDEROW_PID"))
	stderr, err := strace.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, strace.Start())
	line, err := bufio.NewReader(stderr).ReadString('\n')
	go io.Copy(io.Discard, stderr)
	if err != nil || !strings.Contains(line, "attached") {
		strace.Wait()
		return nil, "strace cannot trace the server: " + strings.TrimSpace(line)
	}
	return &syncCounter{strace, output}, ""
}

// stop ends the trace. It returns the number of syncs of the writer's thread, and of all other threads. The writer is the thread
// with the most syncs. The other threads write the data file and prepare the next segments of the log; no write waits for them.
func (c *syncCounter) stop(t *testing.T) (writer, others int) {
	require.NoError(t, c.strace.Process.Signal(syscall.SIGINT))
	c.strace.Wait()
	text, err := os.ReadFile(c.output)
	require.NoError(t, err)
	threads := map[string]int{}
	// If another thread's call interrupts a call, strace prints a second line, which says that the call is resumed.
	for _, call := range regexp.MustCompile(`(?m)^(\d+) +\w+\(`).FindAllStringSubmatch(string(text), -1) {
		threads[call[1]]++
	}
	for _, syncs := range threads {
		others += syncs
		writer = max(writer, syncs)
	}
	return writer, others - writer
}

// madeSpan returns a span like those of a small service. It has two tags, one log entry and one tag of the process.
func madeSpan(number int, begin time.Time) *model.Span {
	trace := model.NewTraceID(1, uint64(number/spansPerTrace+1))
	at := begin.Add(time.Duration(number) * time.Millisecond)
	return &model.Span{
		TraceID:       trace,
		SpanID:        model.NewSpanID(uint64(number + 1)),
		OperationName: fmt.Sprintf("GET /%d", number%7),
		StartTime:     at,
		Duration:      time.Duration(number%500+1) * time.Millisecond,
		Flags:         model.SampledFlag,
		Tags:          model.KeyValues{model.String("http.status_code", "200"), model.Int64("size", int64(number))},
		Logs:          []model.Log{{Timestamp: at, Fields: model.KeyValues{model.String("event", "done")}}},
		Process:       &model.Process{ServiceName: fmt.Sprintf("service-%d", number%3), Tags: model.KeyValues{model.String("host", "h1")}},
	}
}

// TestDependentWrites writes spans, one after the other. Jaeger's writer sends several INSERTs for a span, and waits for each of
// them before it sends the next. So each INSERT costs at most one group of writes and at most one sync.
func TestDependentWrites(t *testing.T) {
	c := configuration(t, keyspace)
	session, err := cassandrav1.NewSession(&c)
	require.NoError(t, err)
	defer session.Close()
	writer, err := cspanstore.NewSpanWriter(session, 12*time.Hour, metrics.NullFactory, zap.NewNop())
	require.NoError(t, err)
	begin := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, writer.WriteSpan(t.Context(), madeSpan(0, begin))) // Makes the connections and the prepared statements.

	counter, reason := countSyncs(t)
	groupsBefore, writesBefore := serverMetrics(t)
	start := time.Now()
	for number := range spans {
		require.NoError(t, writer.WriteSpan(t.Context(), madeSpan(number, begin)))
	}
	seconds := time.Since(start).Seconds()
	groups, writes := serverMetrics(t)
	groups, writes = groups-groupsBefore, writes-writesBefore
	perSpan := func(count int) float64 { return float64(count) / spans }
	t.Logf("%d spans in %.1f s: %.2f writes a span, each waits for the one before; %.2f groups a span", spans, seconds, perSpan(writes), perSpan(groups))
	require.GreaterOrEqual(t, writes, 5*spans, "a span is several writes")

	t.Run("Groups", func(t *testing.T) {
		require.LessOrEqual(t, groups, writes)
	})
	t.Run("Syncs", func(t *testing.T) {
		if counter == nil {
			t.Skip(reason)
		}
		syncs, others := counter.stop(t)
		t.Logf("%.2f syncs a span; %d more in the background", perSpan(syncs), others)
		require.GreaterOrEqual(t, syncs, groups, "strace missed some")
		require.LessOrEqual(t, syncs, writes)
	})
	t.Run("Read", func(t *testing.T) {
		reader, err := cspanstore.NewSpanReader(session, metrics.NullFactory, zap.NewNop(), noop.NewTracerProvider().Tracer(""))
		require.NoError(t, err)
		for number := 0; number < spans; number += spansPerTrace {
			found, err := reader.GetTrace(t.Context(), spanstore.GetTraceParameters{TraceID: madeSpan(number, begin).TraceID})
			require.NoError(t, err)
			require.Len(t, found.Spans, spansPerTrace)
		}
		found, err := reader.FindTraceIDs(t.Context(), &spanstore.TraceQueryParameters{
			ServiceName: "service-1", Tags: map[string]string{"http.status_code": "200"}, StartTimeMin: begin, StartTimeMax: begin.Add(time.Hour), NumTraces: spans,
		})
		require.NoError(t, err)
		require.Len(t, found, spans/spansPerTrace)
	})
}
