//go:build !gocql_v2

// This file defines the names that the cases use, from the module github.com/gocql/gocql (v1).
package main

import (
	gocqllz4 "github.com/apache/cassandra-gocql-driver/v2/lz4"
	"github.com/gocql/gocql"
)

const (
	driverName  = "gocql-v1"
	versionMax  = 4 // In 1.x, v5 is an old beta with v4 frames, which Cassandra 4 and later refuse.
	hasVectors  = false
	quorum      = gocql.Quorum
	localSerial = gocql.LocalSerial
	loggedBatch = gocql.LoggedBatch
	unlogged    = gocql.UnloggedBatch
	counted     = gocql.CounterBatch
	descending  = gocql.DESC
	ascending   = gocql.ASC
	staticKind  = gocql.ColumnStatic
)

type (
	Session          = gocql.Session
	ClusterConfig    = gocql.ClusterConfig
	UUID             = gocql.UUID
	Duration         = gocql.Duration
	QueryInfo        = gocql.QueryInfo
	TypeInfo         = gocql.TypeInfo
	TableMetadata    = gocql.TableMetadata
	KeyspaceMetadata = gocql.KeyspaceMetadata
	ColumnMetadata   = gocql.ColumnMetadata
	RequestError     = gocql.RequestError
	AlreadyExists    = gocql.RequestErrAlreadyExists
	BatchType        = gocql.BatchType
	SslOptions       = gocql.SslOptions
	FrameHeader      = gocql.ObservedFrameHeader
)

var (
	newCluster    = gocql.NewCluster
	passwordLogin = func(c *ClusterConfig, user, password string) {
		c.Authenticator = gocql.PasswordAuthenticator{Username: user, Password: password}
	}
	namedValue        = gocql.NamedValue
	unsetValue        = gocql.UnsetValue
	parseUUID         = gocql.ParseUUID
	newTraceWriter    = gocql.NewTraceWriter
	errNoSuchKeyspace = gocql.ErrKeyspaceDoesNotExist
	constantReconnect = func() gocql.ReconnectionPolicy {
		return &gocql.ConstantReconnectionPolicy{MaxRetries: 3, Interval: reconnectInterval}
	}
	snappyCompression = func(c *ClusterConfig) { c.Compressor = gocql.SnappyCompressor{} }
	lz4Compression    = func(c *ClusterConfig) { c.Compressor = lz4Blocks{} }
)

// lz4Blocks compresses with gocql/lz4, a module that has no release of its own.
type lz4Blocks struct{ blocks gocqllz4.LZ4Compressor }

func (lz4Blocks) Name() string { return "lz4" }
func (c lz4Blocks) Encode(data []byte) ([]byte, error) {
	return c.blocks.AppendCompressedWithLength(nil, data)
}
func (c lz4Blocks) Decode(data []byte) ([]byte, error) {
	return c.blocks.AppendDecompressedWithLength(nil, data)
}
