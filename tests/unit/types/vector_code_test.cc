// Tests the codes of vectors. A bound from codes is never less than the similarity, and is near to it. All forms of the
// product give the same result.
#include "types/vector_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace widerow {
namespace {

constexpr Similarity kSimilarities[] = {Similarity::kCosine, Similarity::kDotProduct, Similarity::kEuclidean};

std::vector<float> RandomVector(std::mt19937& random, size_t dimension, float size) {
  std::normal_distribution<float> normal;
  std::vector<float> vector(dimension);
  for (float& element : vector) element = size * normal(random);
  return vector;
}

float BoundOf(const CodedQuery& query, Similarity similarity, const std::vector<float>& vector) {
  CodedQuery::Head head;
  int64_t product = 0;
  size_t elements = 0;
  for (const Bytes& piece : EncodeVector(similarity, vector)) {
    ByteView codes = piece;
    if (elements == 0) { EXPECT_TRUE(CodedQuery::TakeHead(codes, head)); }
    EXPECT_TRUE(query.AddProduct(elements, codes, product));
    elements += codes.size();
  }
  EXPECT_EQ(elements, vector.size());
  return query.Bound(head, product);
}

TEST(VectorCode, AllFormsOfTheProductAgree) {
  std::mt19937 random(1);
  for (size_t count = 0; count <= kCodePieceElements; count += count < 70 ? 1 : 89) {
    std::vector<int16_t> query(count);
    Bytes codes(count, '\0');
    int64_t expected = 0;
    for (size_t i = 0; i < count; ++i) {
      query[i] = static_cast<int16_t>(count % 3 == 0 ? -32'767 : static_cast<int>(random() % 65'535) - 32'767);
      codes[i] = static_cast<char>(count % 3 == 0 ? 127 : static_cast<int>(random() % 255) - 127);
      expected += int64_t{query[i]} * static_cast<int8_t>(codes[i]);
    }
    for (const CodeProductForm& form : CodeProductForms())
      EXPECT_EQ(form.product(query.data(), codes.data(), count), expected) << form.name << ", " << count;
  }
}

TEST(VectorCode, BoundsAreNeverTooLow) {
  std::mt19937 random(2);
  const float sizes[] = {1e-21F, 1e-16F, 1e-3F, 1, 30, 1e16F};
  for (const Similarity similarity : kSimilarities) {
    for (const size_t dimension : {1, 2, 3, 16, 17, 384, 960, 961, 1536, 8192}) {
      for (int i = 0; i < (dimension > 1000 ? 20 : 200); ++i) {
        const std::vector<float> query = RandomVector(random, dimension, sizes[random() % std::size(sizes)]);
        std::vector<float> vector = RandomVector(random, dimension, sizes[random() % std::size(sizes)]);
        if (i % 4 == 0) vector = query;
        if (i % 4 == 1) vector[0] = 0.5F;  // This element is often much greater than the others.
        if (i % 4 == 2 && dimension > 1) vector = query, vector[1] *= 1.001F;
        if (!CheckIndexable(similarity, query).ok() || !CheckIndexable(similarity, vector).ok()) continue;
        const float exact = SimilarityTo(similarity, query).Of(vector);
        EXPECT_GE(BoundOf(CodedQuery(similarity, query), similarity, vector), exact)
            << static_cast<int>(similarity) << ", " << dimension;
      }
    }
  }
}

TEST(VectorCode, BoundsAreNear) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const std::vector<float> query = RandomVector(random, 384, 1), vector = RandomVector(random, 384, 1);
    const float cosine = SimilarityTo(Similarity::kCosine, query).Of(vector);
    EXPECT_LT(BoundOf(CodedQuery(Similarity::kCosine, query), Similarity::kCosine, vector), cosine + 0.01F);
  }
}

TEST(VectorCode, ZeroVectors) {
  const std::vector<float> zero(3), query = {1, 2, 3};
  EXPECT_FALSE(CheckIndexable(Similarity::kCosine, zero).ok());
  for (const Similarity similarity : {Similarity::kDotProduct, Similarity::kEuclidean}) {
    EXPECT_TRUE(CheckIndexable(similarity, zero).ok());
    const float exact = SimilarityTo(similarity, query).Of(zero);
    EXPECT_GE(BoundOf(CodedQuery(similarity, query), similarity, zero), exact);
    EXPECT_GE(BoundOf(CodedQuery(similarity, zero), similarity, query), exact);
    EXPECT_LT(BoundOf(CodedQuery(similarity, query), similarity, zero), exact + 0.01F);
  }
}

// A piece that is too short or too long is a fault that the reader must find.
TEST(VectorCode, DamagedPieces) {
  CodedQuery::Head head;
  ByteView piece = "short";
  EXPECT_FALSE(CodedQuery::TakeHead(piece, head));
  const CodedQuery query(Similarity::kDotProduct, {1, 2, 3});
  int64_t product = 0;
  EXPECT_FALSE(query.AddProduct(0, "1234", product));
  EXPECT_FALSE(query.AddProduct(2, "12", product));
  EXPECT_TRUE(query.AddProduct(2, "1", product));
}

}  // namespace
}  // namespace widerow
