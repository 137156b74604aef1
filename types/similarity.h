// The similarity of two float vectors, as similarity_cosine and similar functions compute it, and Cassandra's rules for
// the vectors that an index can have. Pure functions; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

enum class Similarity : uint8_t { kCosine, kDotProduct, kEuclidean };

// True for a storage-attached index on a column of vectors. It answers ORDER BY … ANN OF and no conditions.
bool IsVectorIndex(const IndexSchema& index, const ColumnSchema& column);
// Returns the similarity that a vector index names in its options; the default is cosine.
Similarity SimilarityOf(const IndexSchema& index);
// Returns the similarity for "cosine", "dot_product" or "euclidean" in any case; nullopt for another name.
std::optional<Similarity> SimilarityNamed(const std::string& name);

// Decodes the value of a vector<float, n>.
std::vector<float> ToFloats(ByteView vector);

// Compares vectors with one vector. Each sum is of floats, in the order of the elements. So the result is the same on
// every machine, and does not depend on which of the two vectors is given first.
class SimilarityTo {
 public:
  SimilarityTo(Similarity similarity, std::vector<float> query);

  Similarity similarity() const { return similarity_; }
  const std::vector<float>& query() const { return query_; }
  // Returns the similarity, greater for nearer vectors. `vector` must have the length of the query.
  float Of(const std::vector<float>& vector) const;

 private:
  Similarity similarity_;
  std::vector<float> query_;
  float query_dot_;  // The dot product of the query with itself.
};

// Return the similarity that SimilarityTo::Of returns for a cosine, a dot product or a sum of squared differences.
float FromCosine(double cosine);
float FromDotProduct(float dot);
float FromSquaredDistance(float squared_distance);

// Refuses a vector that an index with this similarity cannot have. No element may be infinite or NaN, or have an
// absolute value above 1E17. With cosine, the vector must not be zero. The messages are Cassandra's.
Status CheckIndexable(Similarity similarity, const std::vector<float>& vector);

}  // namespace widerow
