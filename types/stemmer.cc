#include "types/stemmer.h"

#include <libstemmer.h>

#include <map>
#include <memory>

#include "base/check.h"

namespace widerow {
namespace {

struct Delete {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// Returns the thread's own stemmer: several threads must not use the same one.
sb_stemmer& ThreadStemmer(const std::string& algorithm) {
  thread_local std::map<std::string, std::unique_ptr<sb_stemmer, Delete>> stemmers;
  std::unique_ptr<sb_stemmer, Delete>& stemmer = stemmers[algorithm];
  if (stemmer == nullptr) stemmer.reset(sb_stemmer_new(algorithm.c_str(), "UTF_8"));
  WR_CHECK(stemmer != nullptr);
  return *stemmer;
}

}  // namespace

bool IsStemmer(std::string_view algorithm) {
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) {
    if (*name == algorithm) return true;
  }
  return false;
}

void Stem(const std::string& algorithm, std::string& word) {
  sb_stemmer& stemmer = ThreadStemmer(algorithm);
  const sb_symbol* const stem =
      sb_stemmer_stem(&stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  WR_CHECK(stem != nullptr);  // The stemmer returns null only if there is no memory.
  word.assign(reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(&stemmer)));
}

void StemAsCassandra(const std::string& algorithm, std::string& word) {
  if (algorithm != "turkish") return Stem(algorithm, word);
  if (word.ends_with("lar") || word.ends_with("ler")) return;
  std::string stem = word;
  Stem(algorithm, stem);
  if (stem != "ad" && stem != "soyad") word = std::move(stem);
}

}  // namespace widerow
