//go:build gocql_v2

// This file defines the names that the cases use, from the module github.com/apache/cassandra-gocql-driver/v2.
package main

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"
	gocqllz4 "github.com/apache/cassandra-gocql-driver/v2/lz4"
	"github.com/apache/cassandra-gocql-driver/v2/snappy"
)

const (
	driverName  = "gocql-v2"
	versionMax  = 5
	hasVectors  = true
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
	snappyCompression = func(c *ClusterConfig) { c.Compressor = snappy.SnappyCompressor{} }
	lz4Compression    = func(c *ClusterConfig) { c.Compressor = gocqllz4.LZ4Compressor{} }
)
