#include "types/similarity.h"

#include <cctype>
#include <cmath>

#include "base/text.h"
#include "types/java_number_text.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

float Dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float SquaredDistance(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

bool IsVectorIndex(const IndexSchema& index, const ColumnSchema& column) {
  return index.kind == IndexKind::kSai && column.type->kind == TypeKind::kVector;
}

std::optional<Similarity> SimilarityNamed(const std::string& name) {
  std::string upper = name;
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (upper == "COSINE") return Similarity::kCosine;
  if (upper == "DOT_PRODUCT") return Similarity::kDotProduct;
  if (upper == "EUCLIDEAN") return Similarity::kEuclidean;
  return std::nullopt;
}

Similarity SimilarityOf(const IndexSchema& index) {
  const auto option = index.options.find("similarity_function");
  if (option == index.options.end()) return Similarity::kCosine;
  return SimilarityNamed(option->second).value_or(Similarity::kCosine);
}

std::vector<float> ToFloats(ByteView vector) {
  std::vector<float> floats(vector.size() / 4);
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = DecodeFloat(vector.substr(4 * i, 4));
  return floats;
}

SimilarityTo::SimilarityTo(Similarity similarity, std::vector<float> query)
    : similarity_(similarity), query_(std::move(query)), query_dot_(Dot(query_, query_)) {}

float SimilarityTo::Of(const std::vector<float>& vector) const {
  switch (similarity_) {
    case Similarity::kCosine:
      return FromCosine(double{Dot(vector, query_)} / std::sqrt(double{Dot(vector, vector)} * double{query_dot_}));
    case Similarity::kDotProduct: return FromDotProduct(Dot(vector, query_));
    case Similarity::kEuclidean: break;
  }
  return FromSquaredDistance(SquaredDistance(vector, query_));
}

float FromCosine(double cosine) { return (1 + static_cast<float>(cosine)) / 2; }
float FromDotProduct(float dot) { return (1 + dot) / 2; }
float FromSquaredDistance(float squared_distance) { return 1 / (1 + squared_distance); }

Status CheckIndexable(Similarity similarity, const std::vector<float>& vector) {
  constexpr float kElementMax = 1E17F;
  for (size_t i = 0; i < vector.size(); ++i) {
    if (!std::isfinite(vector[i]))
      return InvalidError(StrCat("non-finite value at vector[", i, "]=", JavaFloatText(vector[i])));
    if (std::abs(vector[i]) > kElementMax)
      return InvalidError(StrCat("Out-of-bounds value at vector[", i, "]=", JavaFloatText(vector[i])));
  }
  if (similarity == Similarity::kCosine && Dot(vector, vector) == 0) {
    return InvalidError("Zero vectors cannot be indexed or queried with cosine similarity",
                        "an index with 'similarity_function': 'euclidean' or 'dot_product' takes them");
  }
  return OkStatus();
}

}  // namespace widerow
