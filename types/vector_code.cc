// The bounds, where q is the query, v is the vector, and q' and v' are the vectors that their codes stand for:
//   q v = q' v' + (q - q') v' + q (v - v'), so q v differs from q' v' by at most |q - q'| |v'| + |q| |v - v'|.
// q' v' is the product of integers times both scales, so it is exact, in whatever order it is summed. SimilarityTo adds
// floats; the sum of n products differs from the exact one by at most n 2^-24 |q| |v|, and a little more because of
// higher powers. For the distance: |q - v| is at least |q - v'| - |v' - v|.
#include "types/vector_code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "types/value_bytes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace widerow {
namespace {

constexpr float kCodeMax = 127;
constexpr double kQueryMax = 32'767;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// A vector whose squared length is below this number has products near to the smallest floats, which have few digits.
constexpr double kTinySquare = 1e-30;

// Each function below adds the products of a piece to four or more sums of 32 bits in turn. So no sum overflows.
static_assert(kCodePieceElements / 4 * 32'767 * 127 < size_t{1} << 31);

int64_t PlainProduct(const int16_t* query, const char* codes, size_t count) {
  int32_t sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane)
      sums[lane] += int32_t{query[i + lane]} * static_cast<int8_t>(codes[i + lane]);
  }
  int64_t sum = int64_t{sums[0]} + sums[1] + sums[2] + sums[3];
  for (; i < count; ++i) sum += int32_t{query[i]} * static_cast<int8_t>(codes[i]);
  return sum;
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) int64_t Avx2Product(const int16_t* query, const char* codes, size_t count) {
  __m256i sums = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i code = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i)));
    const __m256i of_query = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query + i));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(of_query, code));
  }
  alignas(32) int32_t lanes[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums);
  int64_t sum = PlainProduct(query + i, codes + i, count - i);
  for (const int32_t lane : lanes) sum += lane;
  return sum;
}

__attribute__((target("avx512bw"))) int64_t Avx512Product(const int16_t* query, const char* codes, size_t count) {
  __m512i sums = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m512i code = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i)));
    const __m512i of_query = _mm512_loadu_si512(query + i);
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(of_query, code));
  }
  alignas(64) int32_t lanes[16];
  _mm512_store_si512(lanes, sums);
  int64_t sum = PlainProduct(query + i, codes + i, count - i);
  for (const int32_t lane : lanes) sum += lane;
  return sum;
}

#endif

std::vector<CodeProductForm> FindForms() {
  std::vector<CodeProductForm> forms;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw")) forms.push_back({"AVX-512", Avx512Product});
  if (__builtin_cpu_supports("avx2")) forms.push_back({"AVX2", Avx2Product});
#endif
  forms.push_back({"plain", PlainProduct});
  return forms;
}

double SquareOf(const std::vector<float>& vector) {
  double sum = 0;
  for (const float element : vector) sum += double{element} * element;
  return sum;
}

float LargestOf(const std::vector<float>& vector) {
  float largest = 0;
  for (const float element : vector) largest = std::max(largest, std::abs(element));
  return largest;
}

// RoundedUp returns a float that is at least the number. RoundedDown returns one that is at most the number.
float RoundedUp(double number) {
  return std::nextafter(static_cast<float>(number), std::numeric_limits<float>::infinity());
}
float RoundedDown(double number) {
  return std::nextafter(static_cast<float>(number), -std::numeric_limits<float>::infinity());
}

}  // namespace

std::span<const CodeProductForm> CodeProductForms() {
  static const std::vector<CodeProductForm> forms = FindForms();
  return forms;
}

std::vector<Bytes> EncodeVector(Similarity similarity, const std::vector<float>& vector) {
  const float scale = LargestOf(vector) / kCodeMax;
  const double square = SquareOf(vector);
  Bytes codes(vector.size(), '\0');
  double error = 0, coded_square = 0;
  for (size_t i = 0; i < vector.size() && scale > 0; ++i) {
    const float code = std::clamp(std::round(vector[i] / scale), -kCodeMax, kCodeMax);
    codes[i] = static_cast<char>(static_cast<int8_t>(code));
    const double coded = double{scale} * code;
    error += (vector[i] - coded) * (vector[i] - coded);
    coded_square += coded * coded;
  }
  // The factor covers the rounding of these sums.
  float error_length = RoundedUp(std::sqrt(error) * (1 + 1e-9));
  const bool tiny = scale == 0 ? square > 0 : square < kTinySquare;
  if (tiny) error_length = std::numeric_limits<float>::infinity();

  std::vector<Bytes> pieces(CodePieces(vector.size()));
  pieces[0] = EncodeFloat(scale) + EncodeFloat(error_length) +
              EncodeDouble(similarity == Similarity::kEuclidean ? coded_square : std::sqrt(square));
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i].append(codes, i * kCodePieceElements, kCodePieceElements);
  return pieces;
}

CodedQuery::CodedQuery(Similarity similarity, const std::vector<float>& query)
    : similarity_(similarity),
      product_(CodeProductForms().front().product),
      query_(query.size()),
      rounding_(1.1 * (static_cast<double>(query.size()) + 2) * std::ldexp(1.0, -24)) {
  const double square = SquareOf(query);
  length_ = std::sqrt(square);
  tiny_ = square < kTinySquare && similarity == Similarity::kCosine;
  scale_ = LargestOf(query) / kQueryMax;
  double error = 0;
  for (size_t i = 0; i < query.size() && scale_ > 0; ++i) {
    const double rounded = std::clamp(std::round(query[i] / scale_), -kQueryMax, kQueryMax);
    query_[i] = static_cast<int16_t>(rounded);
    error += (query[i] - scale_ * rounded) * (query[i] - scale_ * rounded);
  }
  error_ = std::sqrt(error) * (1 + 1e-9);
}

bool CodedQuery::TakeHead(ByteView& first_piece, Head& head) {
  if (first_piece.size() < kCodeHeadBytes) return false;
  head.scale = DecodeFloat(first_piece.substr(0, 4));
  head.error = DecodeFloat(first_piece.substr(4, 4));
  head.size = DecodeDouble(first_piece.substr(8, 8));
  first_piece.remove_prefix(kCodeHeadBytes);
  return true;
}

double CodedQuery::CosineBound(const Head& head, double product) const {
  const double lengths = length_ * head.size;
  const double most = product + error_ * (head.size + head.error) + length_ * head.error;
  return std::min(most / lengths, 1.0) + 3 * rounding_;
}

double CodedQuery::DotBound(const Head& head, double product) const {
  return product + error_ * (head.size + head.error) + length_ * (head.error + rounding_ * head.size) + 1e-30;
}

double CodedQuery::DistanceBound(const Head& head, double product) const {
  const double squares = length_ * length_ + head.size;
  const double square = squares * (1 - 1e-11) - 2 * product - 2 * error_ * std::sqrt(head.size);
  const double least = std::sqrt(std::max(square, 0.0)) - head.error;
  return least <= 0 ? 0 : least * least * (1 - 2 * rounding_);
}

float CodedQuery::Bound(const Head& head, int64_t product) const {
  if (tiny_ || !(head.error < std::numeric_limits<float>::infinity())) return static_cast<float>(kInfinite);
  const double scaled = scale_ * head.scale * static_cast<double>(product);
  switch (similarity_) {
    case Similarity::kCosine: return FromCosine(double{RoundedUp(CosineBound(head, scaled))});
    case Similarity::kDotProduct: return FromDotProduct(RoundedUp(DotBound(head, scaled)));
    case Similarity::kEuclidean: break;
  }
  return FromSquaredDistance(std::max(RoundedDown(DistanceBound(head, scaled)), 0.0F));
}

}  // namespace widerow
