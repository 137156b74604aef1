// Writes rows to a RANGE table, in key order or scattered. Meanwhile the server splits its partitions, and scans read
// the whole table in both directions. A scan must be in order, must have no row twice, and must have each row whose
// write was answered before the scan began.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>

#include "tests/partitioning/table.h"

namespace widerow::range_splits {

namespace {

constexpr int64_t kBatchRows = 100;
constexpr size_t kPartitionsMin = 4;
constexpr int64_t kPrime = 1'000'000'007;  // A prime number that is greater than the number of rows.
constexpr int64_t kFactor = 123'456'789;

int64_t Power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % kPrime) {
    if (exponent % 2 == 1) result = result * base % kPrime;
  }
  return result;
}

// Computes the key of a row, and the row of a key. Each key belongs to one row only.
class Keys {
 public:
  explicit Keys(bool scattered) : scattered_(scattered), inverse_(Power(kFactor, kPrime - 2)) {}
  int64_t KeyOf(int64_t row) const { return scattered_ ? row * kFactor % kPrime : row; }
  int64_t RowOf(int64_t key) const { return scattered_ ? key * inverse_ % kPrime : key; }

 private:
  const bool scattered_;
  const int64_t inverse_;
};

class Load {
 public:
  Load(const std::string& order, int64_t rows, int64_t split_size_kb)
      : keys_(order == "random"),
        rows_(rows),
        batches_((rows + kBatchRows - 1) / kBatchRows),
        answered_(static_cast<size_t>(batches_)),
        table_(directory_.path(), {.period_ms = 50}) {
    table_.Create(split_size_kb, true);
  }

  int Run() {
    const auto begin = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 2; ++i) threads.emplace_back([this] { Write(); });
      for (unsigned i = 0; i < 2; ++i) threads.emplace_back([this, i] { ScanWhileWriting(i); });
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    // The server may split partitions after the last write. Wait for this.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (table_.Partitions().size() < kPartitionsMin && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (const bool backward : {false, true}) CheckedScan(backward, 1);
    size_t largest = 0;
    const std::vector<PartitionStats> stats = table_.Stats();
    for (const PartitionStats& partition : stats) largest = std::max(largest, static_cast<size_t>(partition.bytes));
    std::printf("%lld rows in %.1f s, %zu partitions, the largest %zu KiB; %lld scans while writing, %lld rows seen\n",
                static_cast<long long>(rows_), spent.count(), stats.size(), largest / 1024,
                static_cast<long long>(scans_.load()), static_cast<long long>(seen_.load()));
    if (stats.size() < kPartitionsMin) Die("only " + std::to_string(stats.size()) + " partitions: nothing was split");
    if (scans_ < 2) Die("no scans ran while rows were written");
    return 0;
  }

 private:
  void Write() {
    for (int64_t batch; (batch = next_.fetch_add(1)) < batches_;) {
      std::vector<int64_t> keys;
      for (int64_t row = batch * kBatchRows; row < std::min(rows_, (batch + 1) * kBatchRows); ++row)
        keys.push_back(keys_.KeyOf(row));
      table_.Insert(keys);
      answered_[static_cast<size_t>(batch)].store(true, std::memory_order_release);
    }
    ++writers_done_;
  }

  void ScanWhileWriting(unsigned seed) {
    for (unsigned scan = 0; writers_done_ < 2 || scan < 2; ++scan) {
      CheckedScan((scan + seed) % 2 == 0, seed * 1'000 + scan);
      ++scans_;
    }
  }

  void CheckedScan(bool backward, unsigned seed) {
    std::vector<bool> before(answered_.size());
    int64_t expected = 0, found = 0;
    for (size_t batch = 0; batch < before.size(); ++batch) {
      before[batch] = answered_[batch].load(std::memory_order_acquire);
      const int64_t first = static_cast<int64_t>(batch) * kBatchRows;
      if (before[batch]) expected += std::min(rows_, first + kBatchRows) - first;
    }
    std::mt19937 random(seed);
    std::optional<int64_t> last;
    const auto visit = [&](int64_t key) {
      if (last && (backward ? key >= *last : key <= *last))
        Die("key " + std::to_string(key) + " after " + std::to_string(*last));
      last = key;
      const int64_t row = keys_.RowOf(key);
      if (row < 0 || row >= rows_) Die("a key that nobody wrote: " + std::to_string(key));
      if (before[static_cast<size_t>(row / kBatchRows)]) ++found;
      seen_.fetch_add(1, std::memory_order_relaxed);
    };
    table_.Scan(
        backward, [&] { return 1 + static_cast<uint32_t>(random() % 5'000); }, visit);
    if (found == expected) return;
    Die("of " + std::to_string(expected) + " rows written before the scan it showed " + std::to_string(found));
  }

  const Directory directory_;
  const Keys keys_;
  const int64_t rows_, batches_;
  std::vector<std::atomic<bool>> answered_;
  std::atomic<int64_t> next_{0}, scans_{0}, seen_{0};
  std::atomic<int> writers_done_{0};
  Table table_;
};

}  // namespace

int RunLoad(const std::string& order, int64_t rows, int64_t split_size_kb) {
  return Load(order, rows, split_size_kb).Run();
}

}  // namespace widerow::range_splits
