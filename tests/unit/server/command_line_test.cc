#include "server/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/help_text.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string UsageError(std::vector<std::string> arguments) {
  const Result<Command> command = ParseCommandLine(std::move(arguments));
  return command.ok() ? "no error" : command.error().message + '\n' + command.error().hint;
}

TEST(CommandLineTest, Serve) {
  const auto command = ParseCommandLine({"serve",
                                         "--data",
                                         "d",
                                         "--port",
                                         "0",
                                         "--http-port",
                                         "0",
                                         "--listen",
                                         "0.0.0.0",
                                         "--insecure",
                                         "--map-size",
                                         "2G",
                                         "--advertise",
                                         "db.example:9142",
                                         "--memtable",
                                         "8M",
                                         "--sweep-percent",
                                         "25",
                                         "--durability",
                                         "periodic",
                                         "--split-size",
                                         "64M",
                                         "--split-operations",
                                         "900",
                                         "--io-threads",
                                         "3"});
  ASSERT_TRUE(command.ok()) << command.error().message;
  const auto& options = std::get<ServeOptions>(*command);
  EXPECT_EQ(options.data_directory, "d");
  EXPECT_EQ(options.port, 0);
  EXPECT_EQ(options.http_port, 0);
  EXPECT_EQ(options.advertise, "db.example:9142");
  EXPECT_EQ(options.listen, "0.0.0.0");
  EXPECT_EQ(options.map_bytes, uint64_t{2} << 30);
  EXPECT_EQ(options.memtable_bytes, size_t{8} << 20);
  EXPECT_EQ(options.balance.split_bytes, int64_t{64} << 20);
  EXPECT_EQ(options.balance.split_operations, 900);
  EXPECT_EQ(options.sweep_percent, 25);
  EXPECT_EQ(options.io_threads, 3);
  EXPECT_EQ(options.durability, Durability::kPeriodic);
  const auto plain = ParseCommandLine({"serve", "--data=x"});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(std::get<ServeOptions>(*plain).port, 9042);
  EXPECT_EQ(std::get<ServeOptions>(*plain).http_port, 8042);
  EXPECT_EQ(std::get<ServeOptions>(*plain).advertise, "");
  EXPECT_EQ(std::get<ServeOptions>(*plain).listen, "127.0.0.1");
  EXPECT_GE(std::get<ServeOptions>(*plain).io_threads, 2);
  EXPECT_EQ(std::get<ServeOptions>(*plain).durability, Durability::kSync);
}

TEST(CommandLineTest, Profile) {
  const auto serve = ParseCommandLine({"serve", "--data", "d", "--profile", "cassandra-5", "--no-extension-warnings"});
  ASSERT_TRUE(serve.ok()) << serve.error().message;
  EXPECT_EQ(std::get<ServeOptions>(*serve).language.dialect, Dialect::kCassandra5);
  EXPECT_FALSE(std::get<ServeOptions>(*serve).language.extension_warnings);
  const auto shell = ParseCommandLine({"shell", "--data", "d", "--profile", "cassandra-5"});
  ASSERT_TRUE(shell.ok()) << shell.error().message;
  EXPECT_EQ(std::get<ShellOptions>(*shell).language.dialect, Dialect::kCassandra5);
  const auto plain = ParseCommandLine({"serve", "--data", "d"});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(std::get<ServeOptions>(*plain).language.dialect, Dialect::kWiderow);
  EXPECT_TRUE(std::get<ServeOptions>(*plain).language.extension_warnings);
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--profile", "oracle"}),
              HasSubstr("--profile must be widerow or cassandra-5, not \"oracle\""));
  EXPECT_THAT(UsageError({"shell", "--profile", "cassandra-5"}), HasSubstr("are for --data DIR: a server has its own"));
  EXPECT_THAT(UsageError({"shell", "h:1", "--no-extension-warnings"}), HasSubstr("a server has its own"));
}

TEST(CommandLineTest, Compact) {
  const auto command = ParseCommandLine({"compact", "--data", "d"});
  ASSERT_TRUE(command.ok()) << command.error().message;
  EXPECT_EQ(std::get<CompactOptions>(*command).data_directory, "d");
  EXPECT_THAT(UsageError({"compact"}), HasSubstr("compact needs --data DIR"));
  EXPECT_THAT(UsageError({"compact", "d"}), HasSubstr("see widerow compact --help"));
  const auto help = ParseCommandLine({"compact", "--help"});
  ASSERT_TRUE(help.ok());
  EXPECT_THAT(std::get<PrintCommand>(*help).text, HasSubstr("widerow compact --data DIR"));
}

TEST(CommandLineTest, UnknownOptionsNameTheHelpOfTheirCommand) {
  EXPECT_THAT(UsageError({"serve", "--bogus"}), HasSubstr("see widerow serve --help"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--io-threads", "many"}), HasSubstr("see widerow serve --help"));
  EXPECT_THAT(UsageError({"shell", "--bogus"}), HasSubstr("see widerow shell --help"));
  EXPECT_THAT(UsageError({"--bogus"}), HasSubstr("see widerow --help"));
  EXPECT_THAT(UsageError({"bogus"}), HasSubstr("see widerow --help"));
}

TEST(CommandLineTest, WrongServe) {
  EXPECT_THAT(UsageError({"serve"}), HasSubstr("serve needs --data DIR"));
  for (const char* port : {"-1", "65536", "http", "80x", ""}) {
    EXPECT_THAT(UsageError({"serve", "--data", "d", "--http-port", port}), HasSubstr("--http-port")) << port;
    EXPECT_THAT(UsageError({"serve", "--data", "d", "--port", port}), HasSubstr("--port")) << port;
  }
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--map-size", "1X"}), HasSubstr("--map-size must be a size"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--memtable", "1K"}), HasSubstr("--memtable must be a size from 1M"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--split-size", "x"}),
              HasSubstr("--split-size must be a size from 1M"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--sweep-percent", "0"}),
              HasSubstr("--sweep-percent must be from 1 to 100"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--io-threads", "0"}),
              HasSubstr("--io-threads must be from 1 to 256, not 0"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--split-operations", "0"}),
              HasSubstr("--split-operations must be at least 1"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--durability", "mostly"}),
              HasSubstr("--durability must be sync, periodic or none, not \"mostly\""));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--map-size", "0"}), HasSubstr("--map-size must be a size"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--listen", "0.0.0.0"}), HasSubstr("add --insecure"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--listen", "example.com"}), HasSubstr("add --insecure"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--what"}), HasSubstr("--what"));
  EXPECT_THAT(UsageError({"sevre", "--data", "d"}), HasSubstr("sevre"));
  EXPECT_THAT(UsageError({}), HasSubstr("a command is missing"));
}

TEST(CommandLineTest, Auth) {
  const auto serve = ParseCommandLine({"serve", "--data", "d", "--listen", "0.0.0.0", "--auth"});
  ASSERT_TRUE(serve.ok()) << serve.error().message;
  EXPECT_EQ(std::get<ServeOptions>(*serve).engine.access.mode, AccessMode::kLogins);
  const auto open = ParseCommandLine({"serve", "--data", "d"});
  EXPECT_EQ(std::get<ServeOptions>(*open).engine.access.mode, AccessMode::kOff);
  const auto shell = ParseCommandLine({"shell", "db:9000", "-u", "ann"});
  ASSERT_TRUE(shell.ok()) << shell.error().message;
  EXPECT_EQ(std::get<ShellOptions>(*shell).user, "ann");
  const auto offline = ParseCommandLine({"shell", "--data", "d", "--auth"});
  ASSERT_TRUE(offline.ok()) << offline.error().message;
  EXPECT_TRUE(std::get<ShellOptions>(*offline).roles);
  EXPECT_THAT(UsageError({"shell", "--data", "d", "--user", "ann"}), HasSubstr("nobody has to log in"));
  EXPECT_THAT(UsageError({"shell", "--auth"}), HasSubstr("--auth is for --data DIR"));
}

TEST(CommandLineTest, Tls) {
  const auto serve = [](std::vector<std::string> more, bool certificate = true) {
    std::vector<std::string> all{"serve", "--data", "d"};
    if (certificate) all.insert(all.end(), {"--tls-certificate", "c", "--tls-key", "k"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const auto parsed = [&](const std::vector<std::string>& more, bool certificate = true) {
    const auto command = ParseCommandLine(serve(more, certificate));
    EXPECT_TRUE(command.ok()) << command.error().message;
    return std::get<ServeOptions>(*command);
  };
  EXPECT_EQ(parsed({}, false).security, PortSecurity::kPlain);
  EXPECT_EQ(parsed({}, false).tls_port, std::nullopt);
  const ServeOptions usual = parsed({});
  EXPECT_EQ(usual.security, PortSecurity::kTls);
  EXPECT_EQ(usual.tls_port, 9142);
  EXPECT_EQ(usual.tls.certificate_file, "c");
  EXPECT_EQ(usual.tls.key_file, "k");
  EXPECT_EQ(usual.tls.client_certificates, ClientCertificates::kNotAsked);
  EXPECT_FALSE(usual.tls.only_tls13);
  EXPECT_EQ(parsed({"--tls", "optional", "--tls-port", "none"}).security, PortSecurity::kOptional);
  EXPECT_EQ(parsed({"--tls-port", "none"}).tls_port, std::nullopt);
  EXPECT_EQ(parsed({"--tls-port", "0"}).tls_port, 0);
  EXPECT_TRUE(parsed({"--tls-min", "1.3"}).tls.only_tls13);
  EXPECT_EQ(parsed({"--tls-ca", "a"}).tls.client_certificates, ClientCertificates::kRequired);
  EXPECT_EQ(parsed({"--tls-ca", "a", "--tls-clients", "optional"}).tls.client_certificates,
            ClientCertificates::kOptional);

  EXPECT_THAT(UsageError(serve({"--tls-key", "k"}, false)),
              HasSubstr("TLS needs --tls-certificate FILE and --tls-key"));
  EXPECT_THAT(UsageError(serve({"--tls", "optional"}, false)), HasSubstr("TLS needs"));
  EXPECT_THAT(UsageError(serve({"--tls", "maybe"})), HasSubstr("--tls must be required or optional"));
  EXPECT_THAT(UsageError(serve({"--tls-port", "x"})), HasSubstr("--tls-port must be a number"));
  EXPECT_THAT(UsageError(serve({"--tls-min", "1.1"})), HasSubstr("--tls-min must be 1.2 or 1.3"));
  EXPECT_THAT(UsageError(serve({"--tls-clients", "optional"})), HasSubstr("--tls-clients needs --tls-ca"));
  EXPECT_THAT(UsageError(serve({"--tls-ca", "a", "--tls-clients", "x"})), HasSubstr("--tls-clients must be"));
  EXPECT_THAT(UsageError(serve({"--tls-ca", "a", "--tls", "optional"})), HasSubstr("add --tls-clients optional"));
}

TEST(CommandLineTest, TlsOfTheShell) {
  const auto command =
      ParseCommandLine({"shell", "db:1", "--tls", "--tls-ca", "a", "--tls-certificate", "c", "--tls-key", "k"});
  ASSERT_TRUE(command.ok()) << command.error().message;
  const ClientTls& tls = std::get<ShellOptions>(*command).tls;
  EXPECT_TRUE(tls.on);
  EXPECT_EQ(tls.ca_file + tls.certificate_file + tls.key_file, "ack");
  EXPECT_THAT(UsageError({"shell", "--tls-ca", "a"}), HasSubstr("need --tls"));
  EXPECT_THAT(UsageError({"shell", "--tls", "--tls-key", "k"}), HasSubstr("belong together"));
  EXPECT_THAT(UsageError({"shell", "--tls", "--data", "d"}), HasSubstr("--tls is for a server"));
}

TEST(CommandLineTest, HBase) {
  const Result<Command> plain = ParseCommandLine({"serve", "--data", "d"});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(std::get<ServeOptions>(*plain).hbase_port, std::nullopt);
  const Result<Command> both = ParseCommandLine({"serve", "--data", "d", "--hbase-port", "16020", "--hbase-thrift-port",
                                                 "0", "--hbase-thrift-transport", "framed"});
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(std::get<ServeOptions>(*both).hbase_port, 16'020);
  EXPECT_EQ(std::get<ServeOptions>(*both).hbase_thrift_port, 0);
  EXPECT_TRUE(std::get<ServeOptions>(*both).hbase_thrift_framed);

  const std::vector<std::string> tls = {"serve", "--data",    "d", "--hbase-port", "1", "--tls-certificate",
                                        "c",     "--tls-key", "k"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = tls;
    std::move(more.begin(), more.end(), std::back_inserter(arguments));
    return arguments;
  };
  EXPECT_TRUE(ParseCommandLine(tls).ok());
  EXPECT_TRUE(ParseCommandLine(with({"--auth", "--tls-ca", "ca", "--tls-clients", "optional"})).ok());
  for (const std::vector<std::string>& arguments :
       {with({"--auth"}), {"serve", "--data", "d", "--hbase-port", "1", "--auth"}}) {
    EXPECT_THAT(UsageError(arguments), HasSubstr("--hbase-port with --auth needs TLS and certificates of clients"));
  }
  EXPECT_THAT(UsageError(with({"--hbase-thrift-port", "1"})), HasSubstr("--hbase-thrift-port needs --tls optional"));
  EXPECT_TRUE(ParseCommandLine(with({"--hbase-thrift-port", "1", "--tls", "optional"})).ok());
  EXPECT_THAT(UsageError(with({"--hbase-thrift-port", "1", "--auth", "--tls-ca", "ca"})),
              HasSubstr("--hbase-thrift-port and --auth exclude each other"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--hbase-port", "x"}), HasSubstr("--hbase-port must be a number"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--hbase-thrift-port", "1"}), HasSubstr("needs --hbase-port"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--hbase-thrift-transport", "x"}), HasSubstr("buffered or framed"));
}

TEST(CommandLineTest, Shell) {
  const auto command = ParseCommandLine(
      {"shell", "db:9000", "-e", "SELECT 1", "-e", "USE k", "-f", "a.cql", "--format", "csv", "-k", "shop"});
  ASSERT_TRUE(command.ok()) << command.error().message;
  const auto& options = std::get<ShellOptions>(*command);
  EXPECT_EQ(options.address, "db:9000");
  EXPECT_THAT(options.execute, ElementsAre("SELECT 1", "USE k"));
  EXPECT_THAT(options.files, ElementsAre("a.cql"));
  EXPECT_EQ(options.format, "csv");
  EXPECT_EQ(options.keyspace, "shop");
  EXPECT_EQ(std::get<ShellOptions>(*ParseCommandLine({"shell", "-e", "x", "10.0.0.1"})).address, "10.0.0.1:8042");
  EXPECT_EQ(std::get<ShellOptions>(*ParseCommandLine({"shell", "--data", "d"})).data_directory, "d");
  EXPECT_EQ(std::get<ShellOptions>(*ParseCommandLine({"shell", "-e", "x", "h:1"})).address, "h:1") << "-e takes one";
  EXPECT_THAT(UsageError({"shell", "a:1", "b:2"}), HasSubstr("b:2"));
  EXPECT_THAT(UsageError({"shell", "a:1", "--data", "d"}), HasSubstr("not on both"));
  EXPECT_THAT(UsageError({"shell", "--format", "xml"}), HasSubstr("--format must be table, json, csv or expanded"));
}

TEST(CommandLineTest, HelpNamesEveryOption) {
  for (const char* option : {"--data",
                             "--port",
                             "--http-port",
                             "--hbase-port",
                             "--hbase-thrift-port",
                             "--hbase-thrift-transport",
                             "--listen",
                             "--advertise",
                             "--auth",
                             "--insecure",
                             "--map-size",
                             "--memtable",
                             "--durability",
                             "--sweep-percent",
                             "--io-threads",
                             "--split-size",
                             "--split-operations",
                             "--guardrails",
                             "--guardrail NAME",
                             "--read-capacity",
                             "--write-capacity",
                             "--read-seconds-max",
                             "--read-pinned-max",
                             "--tls-certificate",
                             "--tls-key",
                             "--tls MODE",
                             "--tls-port",
                             "--tls-ca",
                             "--tls-clients",
                             "--tls-min",
                             "--log-level",
                             "--log-format",
                             "--log-file",
                             "--slow-statement-ms",
                             "--audit CAT",
                             "--audit-file",
                             "--log-literals",
                             "--config FILE",
                             "--check-config",
                             "--help",
                             "EXAMPLES",
                             "EXIT STATUS"}) {
    EXPECT_THAT(ServeHelp(), HasSubstr(option));
  }
  for (const char* option : {"--data", "--user", "--auth", "--tls", "--tls-ca", "--tls-certificate", "--tls-key",
                             "--keyspace", "--execute", "--file", "--format", "--help", "EXAMPLES"}) {
    EXPECT_THAT(ShellHelp(), HasSubstr(option));
  }
  EXPECT_EQ(std::get<PrintCommand>(*ParseCommandLine({"serve", "--help"})).text, ServeHelp());
  EXPECT_EQ(std::get<PrintCommand>(*ParseCommandLine({"shell", "-h"})).text, ShellHelp());
  EXPECT_EQ(std::get<PrintCommand>(*ParseCommandLine({"--help"})).text, MainHelp());
  EXPECT_THAT(std::get<PrintCommand>(*ParseCommandLine({"--version"})).text,
              HasSubstr("data format 5 (reads data formats 1 to 5"));
}

TEST(CommandLineTest, SizesAndAddresses) {
  EXPECT_EQ(ParseSize("1T"), uint64_t{1} << 40);
  EXPECT_EQ(ParseSize("512m"), uint64_t{512} << 20);
  EXPECT_EQ(ParseSize("4096"), 4096u);
  for (const char* text : {"", "T", "1TB", "-1", "99999999T", "1.5G"}) EXPECT_EQ(ParseSize(text), 0u) << text;
  for (const char* own : {"127.0.0.1", "127.9.9.9", "::1", "localhost"}) EXPECT_TRUE(IsLoopback(own)) << own;
  for (const char* other : {"0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "", "127.0.0.1.example"})
    EXPECT_FALSE(IsLoopback(other)) << other;
}

TEST(CommandLineTest, Protection) {
  const Result<Command> command =
      ParseCommandLine({"serve", "--data", "d", "--guardrails", "enforce", "--guardrail", "value_bytes=10:20",
                        "--guardrail", "tables=-1", "--read-capacity", "100", "--write-capacity", "50"});
  ASSERT_TRUE(command.ok()) << command.error().message;
  const EngineOptions& options = std::get<ServeOptions>(*command).engine;
  EXPECT_EQ(options.guardrails.mode, GuardrailMode::kEnforce);
  EXPECT_EQ(options.guardrails.value_bytes.warn, 10);
  EXPECT_EQ(options.guardrails.value_bytes.fail, 20);
  EXPECT_FALSE(options.guardrails.tables.Warns(1'000'000));
  EXPECT_EQ(options.capacity.reads, 100);
  EXPECT_EQ(options.capacity.writes, 50);
  const Result<Command> plain = ParseCommandLine({"serve", "--data", "d"});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(std::get<ServeOptions>(*plain).engine.guardrails.mode, GuardrailMode::kWarn);
  EXPECT_FALSE(std::get<ServeOptions>(*plain).engine.capacity.any());

  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrails", "some"}),
              HasSubstr("guardrails must be off, warn or enforce"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrail", "nope=1"}),
              HasSubstr("There is no guardrail \"nope\""));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrail", "tables=x"}), HasSubstr("needs a number"));
  const std::string swapped = UsageError({"serve", "--data", "d", "--guardrail", "tables=5:2"});
  EXPECT_THAT(swapped, HasSubstr("Guardrail tables would fail beyond 2, before it warns beyond 5"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrail", "data_file_percent=95"}),
              HasSubstr("Guardrail data_file_percent would fail beyond 90, before it warns beyond 95"));
  for (const char* good : {"tables=2:5", "tables=5:5", "tables=-1:5", "tables=5:-1", "data_file_percent=95:-1"}) {
    EXPECT_TRUE(ParseCommandLine({"serve", "--data", "d", "--guardrail", good}).ok()) << good;
  }
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrail", "partition_rows=1000:5000"}),
              HasSubstr("Guardrail partition_rows cannot refuse a write"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--guardrail", "partition_writes_a_second=999"}),
              HasSubstr("Guardrail partition_writes_a_second cannot warn beyond 999"));
  for (const char* good : {"partition_rows=1", "partition_rows=-1:-1", "partition_reads_a_second=3000",
                           "partition_reads_a_second=-1", "partition_writes_a_second=1000:-1"}) {
    EXPECT_TRUE(ParseCommandLine({"serve", "--data", "d", "--guardrail", good}).ok()) << good;
  }
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--read-capacity", "0"}),
              HasSubstr("--read-capacity must be a number"));
}

TEST(CommandLineTest, Datacenter) {
  const Result<Command> named = ParseCommandLine({"serve", "--data", "d", "--datacenter", "eu-west"});
  ASSERT_TRUE(named.ok()) << named.error().message;
  EXPECT_EQ(std::get<ServeOptions>(*named).engine.datacenter, "eu-west");
  EXPECT_EQ(std::get<ServeOptions>(*ParseCommandLine({"serve", "--data", "d"})).engine.datacenter, "datacenter1");
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--datacenter", ""}), HasSubstr("--datacenter needs a name"));
}

TEST(CommandLineTest, LimitsOfReads) {
  const auto limits = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"serve", "--data", "d"});
    return std::get<ServeOptions>(*ParseCommandLine(more)).engine.reads;
  };
  EXPECT_EQ(limits({}).age_max, std::chrono::seconds(60));
  EXPECT_EQ(limits({}).pinned_bytes_max, uint64_t{1} << 30);
  EXPECT_EQ(limits({"--memtable", "1G"}).pinned_bytes_max, uint64_t{6} << 30) << "memtables alone are not too much";
  EXPECT_EQ(limits({"--read-pinned-max", "2G", "--memtable", "1G"}).pinned_bytes_max, uint64_t{2} << 30);
  EXPECT_EQ(limits({"--read-seconds-max", "3600"}).age_max, std::chrono::hours(1));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--read-seconds-max", "0"}),
              HasSubstr("must be from 1 to 86400, not 0"));
  EXPECT_THAT(UsageError({"serve", "--data", "d", "--read-pinned-max", "1"}),
              HasSubstr("must be a size from 1M to 64T, not \"1\""));
}

}  // namespace
}  // namespace widerow
