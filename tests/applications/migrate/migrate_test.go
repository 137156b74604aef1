// These tests run golang-migrate's driver for Cassandra against the server at CASSANDRA_SEEDS and CASSANDRA_PORT. The first two
// are golang-migrate's own tests, which it runs against containers. The others run the migrations in the folder migrations.
package migrate

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	"github.com/golang-migrate/migrate/v4/database/cassandra"
	dt "github.com/golang-migrate/migrate/v4/database/testing"
	_ "github.com/golang-migrate/migrate/v4/source/file"
	"github.com/golang-migrate/migrate/v4/source/iofs"
)

const last = 5 // The number of the last migration without a fault.

//go:embed migrations
var migrations embed.FS

func session(t *testing.T) *gocql.Session {
	cluster := gocql.NewCluster(os.Getenv("CASSANDRA_SEEDS") + ":" + os.Getenv("CASSANDRA_PORT"))
	cluster.Timeout = time.Minute
	session, err := cluster.CreateSession()
	must(t, err)
	t.Cleanup(session.Close)
	return session
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newKeyspace makes an empty keyspace of the test and returns golang-migrate's address of it.
func newKeyspace(t *testing.T) (name, address string) {
	name = strings.ToLower(t.Name())
	must(t, session(t).Query("CREATE KEYSPACE "+name+" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}").Exec())
	return name, fmt.Sprintf("cassandra://%s:%s/%s", os.Getenv("CASSANDRA_SEEDS"), os.Getenv("CASSANDRA_PORT"), name)
}

func open(t *testing.T, address string) database.Driver {
	driver, err := (&cassandra.Cassandra{}).Open(address)
	must(t, err)
	t.Cleanup(func() { must(t, driver.Close()) })
	return driver
}

// withMigrations opens a keyspace with the migrations in the folder migrations. Each of their files has several statements.
func withMigrations(t *testing.T, address string) *migrate.Migrate {
	source, err := iofs.New(migrations, "migrations")
	must(t, err)
	m, err := migrate.NewWithSourceInstance("iofs", source, address+"?x-multi-statement=true")
	must(t, err)
	t.Cleanup(func() {
		sourceError, databaseError := m.Close()
		must(t, errors.Join(sourceError, databaseError))
	})
	return m
}

func expectVersion(t *testing.T, m *migrate.Migrate, version uint, dirty bool) {
	t.Helper()
	v, d, err := m.Version()
	must(t, err)
	if v != version || d != dirty {
		t.Fatalf("version %d, dirty %v instead of %d, %v", v, d, version, dirty)
	}
}

// names returns the names that a table of system_schema has for the keyspace.
func names(t *testing.T, s *gocql.Session, table, column, keyspace string) (found []string) {
	t.Helper()
	rows, err := s.Query(fmt.Sprintf("SELECT %s FROM system_schema.%s WHERE keyspace_name = ?", column, table), keyspace).Iter().SliceMap()
	must(t, err)
	for _, row := range rows {
		found = append(found, row[column].(string))
	}
	return found
}

func expectNames(t *testing.T, s *gocql.Session, table, column, keyspace string, expected ...string) {
	t.Helper()
	if found := names(t, s, table, column, keyspace); fmt.Sprint(found) != fmt.Sprint(expected) {
		t.Fatalf("%s: %v instead of %v", table, found, expected)
	}
}

func TestOwnOfDriver(t *testing.T) {
	_, address := newKeyspace(t)
	dt.Test(t, open(t, address), []byte("SELECT table_name from system_schema.tables"))
}

func TestOwnOfMigrate(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/golang-migrate/migrate/v4").Output()
	must(t, err)
	name, address := newKeyspace(t)
	source := "file://" + strings.TrimSpace(string(module)) + "/database/cassandra/examples/migrations"
	m, err := migrate.NewWithDatabaseInstance(source, name, open(t, address))
	must(t, err)
	dt.TestMigrate(t, m)
}

func TestUpAndDown(t *testing.T) {
	name, address := newKeyspace(t)
	s, m := session(t), withMigrations(t, address)
	if _, _, err := m.Version(); !errors.Is(err, migrate.ErrNilVersion) {
		t.Fatalf("a version before the first migration: %v", err)
	}
	must(t, m.Migrate(last))
	expectVersion(t, m, last, false)
	expectNames(t, s, "tables", "table_name", name, "accounts", "payments", "schema_migrations", "visits")
	expectNames(t, s, "views", "view_name", name, "payments_by_day")
	expectNames(t, s, "types", "type_name", name, "address")
	expectNames(t, s, "indexes", "index_name", name, "accounts_email")
	var city, plan string
	must(t, s.Query("SELECT home.city, plan FROM "+name+".accounts WHERE email = 'a@example.org'").Scan(&city, &plan))
	if city != "Delft" || plan != "free" {
		t.Fatalf("%s, %s", city, plan)
	}
	if err := m.Migrate(last); !errors.Is(err, migrate.ErrNoChange) {
		t.Fatalf("the same version again: %v", err)
	}

	must(t, m.Down())
	if _, _, err := m.Version(); !errors.Is(err, migrate.ErrNilVersion) {
		t.Fatalf("a version after the last down: %v", err)
	}
	expectNames(t, s, "tables", "table_name", name, "schema_migrations")
	expectNames(t, s, "types", "type_name", name)
	must(t, m.Migrate(last))
	expectVersion(t, m, last, false)
}

func TestSteps(t *testing.T) {
	name, address := newKeyspace(t)
	s, m := session(t), withMigrations(t, address)
	must(t, m.Steps(2))
	expectVersion(t, m, 2, false)
	expectNames(t, s, "columns", "column_name", name, "email", "home", "id", "dirty", "version")
	must(t, m.Steps(1))
	expectVersion(t, m, 3, false)
	must(t, m.Steps(-2))
	expectVersion(t, m, 1, false)
	expectNames(t, s, "tables", "table_name", name, "schema_migrations")
	must(t, m.Migrate(4))
	must(t, m.Migrate(2))
	expectVersion(t, m, 2, false)
}

// TestForce runs the migration that has a fault. The version is then dirty until it is forced, as an administrator would do.
func TestForce(t *testing.T) {
	name, address := newKeyspace(t)
	s, m := session(t), withMigrations(t, address)
	err := m.Up()
	var refused database.Error
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "plan") {
		t.Fatalf("the migration with a fault: %v", err)
	}
	expectVersion(t, m, last+1, true)
	var dirty migrate.ErrDirty
	if err := m.Up(); !errors.As(err, &dirty) || dirty.Version != last+1 {
		t.Fatalf("a dirty keyspace: %v", err)
	}
	expectNames(t, s, "tables", "table_name", name, "accounts", "half", "payments", "schema_migrations", "visits")

	must(t, s.Query("DROP TABLE "+name+".half").Exec())
	must(t, m.Force(last))
	expectVersion(t, m, last, false)
	must(t, m.Steps(-1))
	expectVersion(t, m, last-1, false)
	must(t, m.Force(database.NilVersion))
	if _, _, err := m.Version(); !errors.Is(err, migrate.ErrNilVersion) {
		t.Fatalf("a version after Force(-1): %v", err)
	}
}

// TestVersionStays opens the keyspace twice. The second instance must see the version that the first wrote.
func TestVersionStays(t *testing.T) {
	_, address := newKeyspace(t)
	must(t, withMigrations(t, address).Migrate(3))
	second := withMigrations(t, address)
	expectVersion(t, second, 3, false)
	must(t, second.Migrate(last))
	expectVersion(t, second, last, false)
}

// TestTableOfVersions gives the table of versions another name.
func TestTableOfVersions(t *testing.T) {
	name, address := newKeyspace(t)
	driver := open(t, address+"?x-migrations-table=applied&protocol=4&consistency=quorum&timeout=20s")
	must(t, driver.SetVersion(7, true))
	version, dirty, err := driver.Version()
	must(t, err)
	if version != 7 || !dirty {
		t.Fatalf("%d, %v", version, dirty)
	}
	expectNames(t, session(t), "tables", "table_name", name, "applied")
}

func TestDrop(t *testing.T) {
	name, address := newKeyspace(t)
	m := withMigrations(t, address)
	must(t, m.Migrate(3))
	must(t, m.Drop())
	expectNames(t, session(t), "tables", "table_name", name)
}
