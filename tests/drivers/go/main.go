// This program runs the cases of tests/drivers/cases.md with gocql. `go build` makes the program for v1, and `go build -tags
// gocql_v2` makes that for v2. The two differ only in the path of their import. So driver_v1.go and driver_v2.go define the
// names that the cases use.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const reconnectInterval = 500 * time.Millisecond

var (
	host      string
	port      int
	keyspace  = "drivers_" + strings.ReplaceAll(driverName, "-", "_")
	restart   bool
	isWiderow bool // The server has an HTTP address.
	user      string
	password  string
	only      []string
	// The directory of certificates (tests/tls/make_certificates), and the servers whose certificates must be refused.
	certificates string
	tlsRefused   map[string]int
)

type testCase struct {
	name string
	run  func(c *caseRun)
}

// caseRun is a run of one case. Its sessions are closed at the end of the case.
type caseRun struct {
	name     string
	remark   string
	sessions []*Session
}

type failure string
type notApplicable string
type notRun string

func (c *caseRun) fail(format string, arguments ...any) {
	panic(failure(fmt.Sprintf(format, arguments...)))
}
func (c *caseRun) check(holds bool, format string, arguments ...any) {
	if !holds {
		c.fail(format, arguments...)
	}
}
func (c *caseRun) equal(actual, expected any, what string) {
	if a, e := show(actual), show(expected); a != e {
		c.fail("%s: %s instead of %s", what, a, e)
	}
}
func (c *caseRun) must(err error, what string) {
	if err != nil {
		c.fail("%s: %v", what, err)
	}
}

// session connects with the driver's default version, unless `configure` sets another one.
func (c *caseRun) session(configure ...func(*ClusterConfig)) *Session {
	session, err := connect(configure...)
	c.must(err, "connect")
	c.sessions = append(c.sessions, session)
	return session
}

func connect(configure ...func(*ClusterConfig)) (*Session, error) {
	cluster := newCluster(host)
	cluster.Port = port
	cluster.Timeout = 20 * time.Second
	cluster.ConnectTimeout = 20 * time.Second
	cluster.ReconnectInterval = reconnectInterval
	cluster.ReconnectionPolicy = constantReconnect()
	if user != "" {
		passwordLogin(cluster, user, password)
	}
	if certificates != "" {
		useTLS(cluster, "ann")
	}
	for _, set := range configure {
		set(cluster)
	}
	return cluster.CreateSession()
}

func inKeyspace(c *ClusterConfig) { c.Keyspace = keyspace }

func version(v int) func(*ClusterConfig) { return func(c *ClusterConfig) { c.ProtoVersion = v } }

// do runs a statement that must succeed.
func (c *caseRun) do(s *Session, statement string, values ...any) {
	c.must(s.Query(statement, values...).Exec(), statement)
}

// runCase runs a case and prints the verdict. It returns false if the case failed.
func runCase(test testCase) (good bool) {
	c := &caseRun{name: test.name}
	good = true
	defer func() {
		for _, session := range c.sessions {
			session.Close()
		}
		switch thrown := recover().(type) {
		case nil:
			fmt.Println(strings.TrimSpace("ok " + test.name + " " + c.remark))
		case notApplicable:
			fmt.Printf("not-applicable %s: %s\n", test.name, string(thrown))
		case notRun:
			fmt.Printf("not-run %s: %s\n", test.name, string(thrown))
		case failure:
			fmt.Printf("FAIL %s: %s\n", test.name, strings.ReplaceAll(string(thrown), "\n", " / "))
			good = false
		default:
			panic(thrown)
		}
	}()
	test.run(c)
	return good
}

func usage(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\nusage: run HOST PORT [NAME=VALUE…] (tests/drivers/README.md)\n", arguments...)
	os.Exit(2)
}

func parseArguments() {
	if len(os.Args) < 3 {
		usage("host and port are missing")
	}
	host = os.Args[1]
	var err error
	if port, err = strconv.Atoi(os.Args[2]); err != nil {
		usage("bad port %s", os.Args[2])
	}
	for _, argument := range os.Args[3:] {
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "driver": // The script `run` has already chosen the program by this argument.
		case "http":
			isWiderow = true
		case "keyspace":
			keyspace = value
		case "restart":
			restart = value == "yes"
		case "user":
			user = value
		case "password":
			password = value
		case "tls":
			certificates = value
		case "tls_refused":
			tlsRefused = map[string]int{}
			for _, one := range strings.Split(value, ",") {
				kind, at, _ := strings.Cut(one, ":")
				tlsRefused[kind], err = strconv.Atoi(at)
				if err != nil {
					usage("bad port %s", one)
				}
			}
		case "only":
			only = strings.Split(value, ",")
		default:
			usage("unknown argument %s", argument)
		}
	}
}

func dropKeyspaces() {
	session, err := connect()
	if err != nil {
		fmt.Printf("FAIL connect_default: %v\n", err)
		os.Exit(1)
	}
	defer session.Close()
	for _, name := range []string{keyspace, keyspace + "_meta", keyspace + "_events", keyspace + "_use", keyspace + "_warned"} {
		if err := session.Query("DROP KEYSPACE IF EXISTS " + name).Exec(); err != nil {
			fmt.Printf("FAIL connect_default: %v\n", err)
			os.Exit(1)
		}
	}
}

func main() {
	parseArguments()
	dropKeyspaces()
	session, err := connect()
	if err == nil {
		err = session.Query("CREATE KEYSPACE " + keyspace + replication).Exec()
	}
	if err != nil {
		fmt.Printf("FAIL connect_default: %v\n", err)
		os.Exit(1)
	}
	session.Close()
	failed := false
	for _, test := range slices.Concat(connectCases, schemaCases, statementCases, typeCases, requestCases, serverCases, tlsCases) {
		if only == nil || slices.Contains(only, test.name) {
			failed = !runCase(test) || failed
		}
	}
	dropKeyspaces()
	if failed {
		os.Exit(1)
	}
}

const replication = " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}"

var input = bufio.NewReader(os.Stdin)
