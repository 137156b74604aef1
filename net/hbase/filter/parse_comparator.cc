#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/parse_message.h"
#include "net/hbase/filter/parse_filter.h"
#include "net/hbase/proto/filter.pb.h"

namespace widerow::hbase {

namespace {

namespace pb = ::hbase::pb;

template <typename Message>
bool ParseValue(const std::string& bytes, Bytes& value) {
  Message message;
  if (!ParseMessage(bytes, message)) return false;
  value = message.comparable().value();
  return true;
}

Error MalformedComparator(const std::string& name) {
  return MakeJavaError(kDoNotRetry, StrCat("the serialized form of ", name, " is malformed"));
}

Result<ComparatorPtr> ParseRegex(const std::string& name, const std::string& bytes) {
  pb::RegexStringComparator message;
  if (!ParseMessage(bytes, message)) return MalformedComparator(name);
  if (message.has_engine() && message.engine() != "JAVA") {
    return NotSupported(StrCat("RegexStringComparator with the engine ", message.engine()));
  }
  return MakeRegexComparator(message.pattern(), message.pattern_flags(), message.charset());
}

}  // namespace

Result<ComparatorPtr> ParseComparator(const pb::Comparator& comparator) {
  constexpr std::string_view kPackage = "org.apache.hadoop.hbase.filter.";
  std::string_view name = comparator.name();
  if (name.starts_with(kPackage)) name.remove_prefix(kPackage.size());
  const std::string& bytes = comparator.serialized_comparator();
  Bytes value;
  if (name == "BinaryComparator" && ParseValue<pb::BinaryComparator>(bytes, value)) return MakeBinaryComparator(value);
  if (name == "BinaryPrefixComparator" && ParseValue<pb::BinaryPrefixComparator>(bytes, value)) {
    return MakeBinaryPrefixComparator(value);
  }
  if (name == "LongComparator" && ParseValue<pb::LongComparator>(bytes, value)) return MakeLongComparator(value);
  if (name == "BigDecimalComparator" && ParseValue<pb::BigDecimalComparator>(bytes, value)) {
    return MakeBigDecimalComparator(value);
  }
  if (name == "NullComparator") return MakeNullComparator();
  if (name == "RegexStringComparator") return ParseRegex(comparator.name(), bytes);
  if (name == "SubstringComparator") {
    pb::SubstringComparator message;
    if (ParseMessage(bytes, message)) return MakeSubstringComparator(message.substr());
  } else if (name == "BitComparator") {
    pb::BitComparator message;
    if (ParseMessage(bytes, message)) {
      return MakeBitComparator(message.comparable().value(), static_cast<BitOp>(message.bitwise_op() - 1));
    }
  } else if (name == "BinaryComponentComparator") {
    pb::BinaryComponentComparator message;
    if (ParseMessage(bytes, message)) return MakeBinaryComponentComparator(message.value(), message.offset());
  } else if (name != "BinaryComparator" && name != "BigDecimalComparator" && name != "BinaryPrefixComparator" &&
             name != "LongComparator") {
    return MakeJavaError(kDoNotRetry,
                         StrCat(kUnsupported, ": the comparator ", comparator.name(), " is not supported"));
  }
  return MalformedComparator(comparator.name());
}

}  // namespace widerow::hbase
