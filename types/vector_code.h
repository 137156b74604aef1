// Codes of vectors. A code has about a quarter of a vector's bytes. From a query and the code of a vector, an upper
// bound of the similarity of the query and the vector is computed. The bound is near to the similarity. A search for
// the nearest vectors reads all codes, and only the few vectors whose bound is high enough
// (docs/internals/decisions/0025-vectors.md).
//
// A code is one byte for each element: the element divided by the code's scale, rounded. It is stored in pieces of at
// most kCodePieceElements elements. Pure functions; any thread.
#pragma once

#include <span>

#include "types/similarity.h"

namespace widerow {

// The first piece begins with a head of this many bytes. The remaining bytes of all pieces are the elements.
inline constexpr size_t kCodeHeadBytes = 16;
inline constexpr size_t kCodePieceElements = 960;

// Returns the number of pieces of the code of a vector with this number of elements.
constexpr size_t CodePieces(size_t dimension) { return (dimension + kCodePieceElements - 1) / kCodePieceElements; }

// Returns the pieces of the vector's code, for searches with this similarity. The vector must be indexable.
std::vector<Bytes> EncodeVector(Similarity similarity, const std::vector<float>& vector);

// Returns the sum of query[i] * codes[i]. `count` is at most kCodePieceElements. All functions of this type return the
// same sum.
using CodeProduct = int64_t (*)(const int16_t* query, const char* codes, size_t count);
struct CodeProductForm {
  const char* name;
  CodeProduct product;
};
// Returns the forms that this processor can run, the fastest first. The last one is plain C++.
std::span<const CodeProductForm> CodeProductForms();

// A query, prepared for comparisons with codes.
class CodedQuery {
 public:
  CodedQuery(Similarity similarity, const std::vector<float>& query);

  // The bound is found in three steps: read the head, add up the products of all pieces, and call Bound.
  struct Head {
    float scale = 0;
    float error = 0;  // At least the length of the difference between the vector and the coded vector.
    // The length of the vector; for kEuclidean: the square of the length of the coded vector.
    double size = 0;
  };
  // Reads the head and removes it from the first piece. False if the piece is too short.
  static bool TakeHead(ByteView& first_piece, Head& head);
  // Adds the product of a piece to `sum`. `first` is the index of the piece's first element. Returns false and adds
  // nothing if the query has too few elements.
  bool AddProduct(size_t first, ByteView codes, int64_t& sum) const {
    if (first + codes.size() > query_.size()) return false;
    sum += product_(query_.data() + first, codes.data(), codes.size());
    return true;
  }
  // Returns a number that is at least SimilarityTo::Of for the vector with this code.
  float Bound(const Head& head, int64_t product) const;

  size_t dimension() const { return query_.size(); }

 private:
  double CosineBound(const Head& head, double product) const;
  double DotBound(const Head& head, double product) const;
  double DistanceBound(const Head& head, double product) const;

  const Similarity similarity_;
  const CodeProduct product_;
  std::vector<int16_t> query_;  // The query divided by scale_, rounded.
  double scale_ = 0;
  double length_ = 0;  // The length of the query.
  double error_ = 0;   // At least the length of the difference between the query and the rounded one.
  double rounding_;    // At least the relative error of a float sum of query_.size() products.
  bool tiny_ = false;  // The query's length is so small that floats lose precision: every bound is infinite.
};

}  // namespace widerow
