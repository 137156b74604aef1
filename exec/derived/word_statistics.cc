#include "exec/derived/word_statistics.h"

#include <algorithm>

#include "exec/derived/index_entries.h"
#include "exec/derived/index_terms.h"
#include "types/vint.h"

namespace widerow {
namespace {

class Counter {
 public:
  Counter(ReadView& view, const WordCount& count)
      : view_(view), count_(count), column_(*count.base.FindId(count.index.column)), terms_(column_, count.index) {
    statistics_.texts_with.resize(count.words.size());
  }

  Result<WordStatistics> Run() {
    for (const EntryBounds& bounds : count_.collection) {
      WR_RETURN_IF_ERROR(ForEachEntry(terms_.OfLengths(), bounds, [&](const RowView& entry) {
        return count_.may_be_stale ? AddText(entry.clustering) : AddLength(entry);
      }));
      for (size_t i = 0; i < count_.words.size() && !count_.may_be_stale; ++i) {
        WR_RETURN_IF_ERROR(ForEachEntry(terms_.OfWord(count_.words[i]), bounds, [&](const RowView&) {
          ++statistics_.texts_with[i];
          return OkStatus();
        }));
      }
    }
    return std::move(statistics_);
  }

 private:
  template <typename Take>  // Status(const RowView& entry)
  Status ForEachEntry(Bytes term, const EntryBounds& bounds, const Take& take) {
    Slice slice{.table = count_.index.entries};
    slice.partitions = Slice::OnePartition{std::move(term)};
    slice.clustering = {{.begin = bounds.begin, .end = bounds.end}};
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(slice));
    RowView entry;
    Status taken;
    uint64_t read = 0;
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, cursor->ForEach(entry, [&] {
      ++read;
      if (entry.marker.LiveAt(count_.now_seconds)) taken = take(entry);
      return taken.ok();
    }));
    if (count_.meter != nullptr) count_.meter->entries_counted += read;
    return taken;
  }

  Status AddLength(const RowView& entry) {
    ByteView encoded;
    if (entry.uniform) {
      UniformCells cells = entry.packed;
      ColumnId column = 0;
      cells.Next(column, encoded);
    } else if (!entry.cells.empty()) {
      encoded = entry.cells.front().value;
    }
    uint64_t length = 0;
    if (!TakeUnsignedVint(encoded, length)) return Damaged();
    ++statistics_.texts;
    statistics_.words += length;
    return OkStatus();
  }

  // Reads the row to which an entry belongs, and counts its text. Does nothing if the row or its text does not exist.
  Status AddText(ByteView entry) {
    EntryPlace place;
    if (!TakeEntryPlace(entry, place)) return Damaged();
    room_.Clear();
    WR_ASSIGN_OR_RETURN(const bool found,
                        place.is_static
                            ? view_.GetStaticRowInto(room_, count_.base, place.partition_key, row_)
                            : view_.GetRowInto(room_, count_.base, place.partition_key, place.clustering, row_));
    if (!found) return OkStatus();
    row_.ExpandUniform();
    const BaseRow of{count_.base, place.partition_key, place.is_static, place.clustering, &row_};
    DerivedRow life;
    if (!LifeOf(of, life) || (life.ttl != 0 && life.expires_at <= count_.now_seconds)) return OkStatus();
    WR_ASSIGN_OR_RETURN(const Value text, LiveValueOf(column_, of, count_.now_seconds));
    if (!text) return OkStatus();
    const std::vector<Bytes> words = terms_.analyzer()->Words(*text);
    if (words.empty()) return OkStatus();
    ++statistics_.texts;
    statistics_.words += words.size();
    for (size_t i = 0; i < count_.words.size(); ++i) {
      if (std::ranges::find(words, count_.words[i]) != words.end()) ++statistics_.texts_with[i];
    }
    return OkStatus();
  }

  Error Damaged() const { return ServerError("Damaged index of " + count_.base.keyspace + "." + count_.base.name); }

  ReadView& view_;
  const WordCount& count_;
  const ColumnSchema& column_;
  const IndexTerms terms_;
  WordStatistics statistics_;
  RowView row_;
  Arena room_;  // Memory of row_.
};

}  // namespace

Result<WordStatistics> CountWords(ReadView& view, const WordCount& count) { return Counter(view, count).Run(); }

bool MayHaveStaleEntries(const TableSchema& base, StorageEngine& storage) {
  return !base.partitioning.extents.empty() || storage.StaleMarks().contains(base.storage_id);
}

}  // namespace widerow
