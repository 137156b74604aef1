// Package temporal runs the tests of Temporal's schema tool. The tests of Temporal's persistence run from a package of
// Temporal. It is imported here so that go.sum lists everything that it needs.
package temporal

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/suite"
	_ "go.temporal.io/server/common/persistence/tests"
	"go.temporal.io/server/tools/cassandra"
)

// run runs the suite in the folder in which Temporal has it, because the suites read the schema by relative paths.
func run(t *testing.T, s suite.TestingSuite) {
	folder, err := exec.Command("go", "list", "-f", "{{.Dir}}", "go.temporal.io/server/tools/cassandra").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(strings.TrimSpace(string(folder)))
	suite.Run(t, s)
}

func TestCQLClient(t *testing.T)    { run(t, new(cassandra.CQLClientTestSuite)) }
func TestSetupSchema(t *testing.T)  { run(t, new(cassandra.SetupSchemaTestSuite)) }
func TestUpdateSchema(t *testing.T) { run(t, new(cassandra.UpdateSchemaTestSuite)) }
func TestVersion(t *testing.T)      { run(t, new(cassandra.VersionTestSuite)) }
