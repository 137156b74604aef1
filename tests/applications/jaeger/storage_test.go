// These tests run Jaeger's storage for Cassandra against the server at CASSANDRA_SEEDS and CASSANDRA_PORT. They are Jaeger's own
// tests of a storage, and a load of spans that counts how often the server syncs.
package widerow

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configtls"
	"go.uber.org/zap"

	"github.com/jaegertracing/jaeger/internal/metrics"
	casconfig "github.com/jaegertracing/jaeger/internal/storage/cassandra/config"
	"github.com/jaegertracing/jaeger/internal/storage/integration"
	cassandrav1 "github.com/jaegertracing/jaeger/internal/storage/v1/cassandra"
	"github.com/jaegertracing/jaeger/internal/storage/v1/cassandra/dependencystore"
	"github.com/jaegertracing/jaeger/internal/storage/v2/cassandra"
	"github.com/jaegertracing/jaeger/internal/storage/v2/v1adapter"
)

// configuration returns the settings with which Jaeger makes its schema in the keyspace.
func configuration(t *testing.T, keyspace string) casconfig.Configuration {
	port, err := strconv.Atoi(os.Getenv("CASSANDRA_PORT"))
	require.NoError(t, err)
	c := casconfig.Configuration{
		Schema:     casconfig.Schema{Keyspace: keyspace, CreateSchema: true},
		Connection: casconfig.Connection{Servers: []string{os.Getenv("CASSANDRA_SEEDS")}, Port: port, TLS: configtls.ClientConfig{Insecure: true}},
	}
	defaults := casconfig.DefaultConfiguration()
	c.ApplyDefaults(&defaults)
	return c
}

func newFactory(t *testing.T, keyspace string) *cassandra.Factory {
	f, err := cassandra.NewFactory(cassandrav1.Options{
		NamespaceConfig:        cassandrav1.NamespaceConfig{Configuration: configuration(t, keyspace)},
		Index:                  cassandrav1.IndexConfig{Logs: true, Tags: true, ProcessTags: true},
		SpanStoreWriteCacheTTL: 12 * time.Hour,
	}, metrics.NullFactory, zap.NewNop())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// TestCassandraStorage runs Jaeger's tests of the same name. Jaeger's own function supports only the port 9042.
func TestCassandraStorage(t *testing.T) {
	const keyspace = "jaeger_v1_dc1"
	f := newFactory(t, keyspace)
	s := integration.StorageIntegration{GetDependenciesReturnsSource: true, SkipList: integration.CassandraSkippedTests}
	s.CleanUp = func(t *testing.T) { require.NoError(t, f.Purge(t.Context())) }
	var err error
	s.TraceWriter, err = f.CreateTraceWriter()
	require.NoError(t, err)
	s.TraceReader, err = f.CreateTraceReader()
	require.NoError(t, err)
	s.SamplingStore, err = f.CreateSamplingStore(0)
	require.NoError(t, err)
	c := configuration(t, keyspace)
	session, err := cassandrav1.NewSession(&c)
	require.NoError(t, err)
	t.Cleanup(session.Close)
	dependencies, err := dependencystore.NewDependencyStore(session, metrics.NullFactory, zap.NewNop(), dependencystore.GetDependencyVersion(session))
	require.NoError(t, err)
	s.DependencyReader = v1adapter.NewDependencyReader(dependencies)
	s.DependencyWriter = v1adapter.NewDependencyWriter(dependencies)
	s.RunAll(t)
}
