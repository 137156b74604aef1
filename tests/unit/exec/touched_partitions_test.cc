#include "exec/meter/touched_partitions.h"

#include <gtest/gtest.h>

#include "types/value_bytes.h"

namespace widerow {
namespace {

TouchedPartitions Touched(uint64_t partitions) {
  const auto table = std::make_shared<const TableSchema>();
  TouchedPartitions touched;
  for (uint64_t i = 0; i < partitions; ++i)
    touched.Add(table, EncodeInteger(TypeKind::kBigint, static_cast<int64_t>(i)), {}, 2, 10);
  return touched;
}

TEST(TouchedPartitionsTest, PartsTogetherStandForAll) {
  const uint64_t counts[] = {0, 1, 255, 256, 257, 1'000, 100'000};
  for (const uint64_t first : counts) {
    for (const uint64_t second : counts) {
      TouchedPartitions both = Touched(first);
      both.Add(Touched(second));
      const uint64_t count = first + second;
      EXPECT_EQ(both.count(), count);
      EXPECT_EQ(both.rows(), 2 * count);
      EXPECT_EQ(both.bytes(), 10 * count);
      EXPECT_LE(both.kept().size(), TouchedPartitions::kKeptMax);
      EXPECT_NEAR(static_cast<double>(both.kept().size() * both.stride()), static_cast<double>(count),
                  2.0 * static_cast<double>(both.stride()));
      both.Add(Touched(1));
      EXPECT_EQ(both.count(), count + 1);
    }
  }
}

}  // namespace
}  // namespace widerow
