// Runs transactions for the campaign of histories, with Widerow as a library in a process of its own that can be
// killed. Each line on standard input is a transaction, and each line on standard output is an answer.
//
//   asked     ID GROUP CELL,CELL… CELL=VALUE,CELL=VALUE…     cells to read, cells to write ("-": none)
//   answered  ID committed VALUE,VALUE…                      the values that were read; -1: no row
//             ID conflict VALUE,VALUE…                       nothing was written
//             ID failed MESSAGE                              the transaction may have taken effect or not
//
// Several threads run the transactions. With `--weak`, the statements run without a transaction, so the campaign must
// find wrong histories.
#include <cstdio>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "widerow/database.h"
#include "widerow/transaction.h"

namespace {

using widerow::Database;
using widerow::Expected;
using widerow::PreparedQuery;
using widerow::ResultSet;
using widerow::Transaction;

constexpr int kThreads = 6;
constexpr const char* kRead = "SELECT v FROM ks.cells WHERE g = ? AND i = ?";
constexpr const char* kWrite = "INSERT INTO ks.cells (g, i, v) VALUES (?, ?, ?)";

struct Request {
  long id = 0, group = 0;
  std::vector<long> reads;
  std::vector<std::pair<long, long>> writes;
};

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text == "-" ? std::string() : text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Request Parse(const std::string& line) {
  Request request;
  std::string reads, writes;
  std::istringstream(line) >> request.id >> request.group >> reads >> writes;
  for (const std::string& cell : Split(reads)) request.reads.push_back(std::stol(cell));
  for (const std::string& cell : Split(writes)) {
    const size_t equals = cell.find('=');
    request.writes.emplace_back(std::stol(cell.substr(0, equals)), std::stol(cell.substr(equals + 1)));
  }
  return request;
}

// Runs the statements of a request in `target`, which is a Transaction or a Database. Returns the values read, as text.
template <typename Target>
std::string RunStatements(Target& target, const Request& request) {
  std::string seen;
  for (const long cell : request.reads) {
    ResultSet rows = target.Execute(kRead, {request.group, cell}).value();
    seen += (seen.empty() ? "" : ",") + (rows.Next() ? std::to_string(rows.row().Get<int32_t>(0)) : "-1");
  }
  for (const auto& [cell, value] : request.writes) (void)target.Execute(kWrite, {request.group, cell, value}).value();
  return seen.empty() ? "-" : seen;
}

std::string Answer(Database& database, const Request& request, bool weak) {
  try {
    if (weak) return "committed " + RunStatements(database, request);
    const auto transaction = Transaction::Begin(database).value();
    const std::string seen = RunStatements(*transaction, request);
    return (transaction->Commit().value() ? "committed " : "conflict ") + seen;
  } catch (const std::exception& error) {
    const std::string message = error.what();
    return "failed " + message.substr(0, message.find('\n'));
  }
}

void Serve(Database& database, bool weak) {
  static std::mutex in, out;
  while (true) {
    std::string line;
    {
      const std::lock_guard lock(in);
      if (!std::getline(std::cin, line)) return;
    }
    const Request request = Parse(line);
    const std::string answer = std::to_string(request.id) + " " + Answer(database, request, weak);
    const std::lock_guard lock(out);
    std::cout << answer << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: transactor DIRECTORY DURABILITY [--weak]\n";
    return 2;
  }
  const bool weak = argc > 3 && std::string(argv[3]) == "--weak";
  auto opened = Database::Open({.directory = argv[1], .durability = argv[2], .memtable_bytes = size_t{1} << 20});
  if (!opened.ok()) {
    std::cerr << "transactor: " << opened.error().message << "\n";
    return 1;
  }
  Database& database = *opened.value();
  for (const char* statement :
       {"CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE IF NOT EXISTS ks.cells (g bigint, i int, v int, PRIMARY KEY ((g, i)))"}) {
    if (const auto done = database.Execute(statement); !done.ok()) {
      std::cerr << "transactor: " << done.error().message << "\n";
      return 1;
    }
  }
  std::cout << "ready" << std::endl;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&] { Serve(database, weak); });
  threads.clear();  // Joins the threads, because standard input has ended.
  return 0;
}
