#include "bench/flights_csv.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>
#include <unordered_map>

namespace widerow::bench {
namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> fields;
  size_t begin = 0;
  for (size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin)) {
    fields.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  fields.push_back(line.substr(begin));
  return fields;
}

std::optional<int32_t> Number(const std::string& field) {
  if (field == "NA") return std::nullopt;
  return static_cast<int32_t>(std::strtol(field.c_str(), nullptr, 10));
}

int64_t TimeMs(const std::string& field) {
  std::tm time{};
  if (strptime(field.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr) Die("not a time: " + field);
  return static_cast<int64_t>(timegm(&time)) * 1000;
}

}  // namespace

std::vector<Flight> ReadFlights(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) Die(path + ": cannot be read; ./run puts it into build/flights");
  std::unordered_map<std::string, size_t> at;
  const std::vector<std::string> header = Split(line);
  for (size_t i = 0; i < header.size(); ++i) at[header[i]] = i;
  for (const char* name : {"origin", "carrier", "dest", "tailnum", "month", "flight", "sched_dep_time", "distance",
                           "dep_delay", "arr_delay", "time_hour"}) {
    if (!at.contains(name)) Die(path + ": no column " + name);
  }
  std::vector<Flight> flights;
  while (std::getline(in, line)) {
    const std::vector<std::string> f = Split(line);
    if (f.size() != header.size()) Die(path + ": a line of another length: " + line);
    const auto field = [&](const char* name) -> const std::string& { return f[at.at(name)]; };
    flights.push_back({.origin = field("origin"),
                       .carrier = field("carrier"),
                       .dest = field("dest"),
                       .tailnum = field("tailnum") == "NA" ? "" : field("tailnum"),
                       .month = Number(field("month")).value_or(0),
                       .flight = Number(field("flight")).value_or(0),
                       .sched_dep_time = Number(field("sched_dep_time")).value_or(0),
                       .distance = Number(field("distance")).value_or(0),
                       .dep_delay = Number(field("dep_delay")),
                       .arr_delay = Number(field("arr_delay")),
                       .time_hour_ms = TimeMs(field("time_hour"))});
  }
  return flights;
}

}  // namespace widerow::bench
