#include "net/protocol/type_option.h"

#include "net/protocol/body_writer.h"

namespace widerow {

namespace {

struct ScalarOption {
  TypeKind kind;
  uint16_t code;
  uint8_t since;           // The first version that has the code.
  const char* class_name;  // In org.apache.cassandra.db.marshal.
};
constexpr ScalarOption kScalars[] = {
    {TypeKind::kAscii, 0x0001, 3, "AsciiType"},
    {TypeKind::kBigint, 0x0002, 3, "LongType"},
    {TypeKind::kBlob, 0x0003, 3, "BytesType"},
    {TypeKind::kBoolean, 0x0004, 3, "BooleanType"},
    {TypeKind::kCounter, 0x0005, 3, "CounterColumnType"},
    {TypeKind::kDecimal, 0x0006, 3, "DecimalType"},
    {TypeKind::kDouble, 0x0007, 3, "DoubleType"},
    {TypeKind::kFloat, 0x0008, 3, "FloatType"},
    {TypeKind::kInt, 0x0009, 3, "Int32Type"},
    {TypeKind::kTimestamp, 0x000B, 3, "TimestampType"},
    {TypeKind::kUuid, 0x000C, 3, "UUIDType"},
    {TypeKind::kText, 0x000D, 3, "UTF8Type"},
    {TypeKind::kVarint, 0x000E, 3, "IntegerType"},
    {TypeKind::kTimeuuid, 0x000F, 3, "TimeUUIDType"},
    {TypeKind::kInet, 0x0010, 3, "InetAddressType"},
    {TypeKind::kDate, 0x0011, 4, "SimpleDateType"},
    {TypeKind::kTime, 0x0012, 4, "TimeType"},
    {TypeKind::kSmallint, 0x0013, 4, "ShortType"},
    {TypeKind::kTinyint, 0x0014, 4, "ByteType"},
    {TypeKind::kDuration, 0x0015, 5, "DurationType"},
};
constexpr uint16_t kCustom = 0x0000, kList = 0x0020, kMap = 0x0021, kSet = 0x0022, kUdt = 0x0030, kTuple = 0x0031;
constexpr const char* kPackage = "org.apache.cassandra.db.marshal.";

const ScalarOption* FindScalar(TypeKind kind) {
  for (const ScalarOption& scalar : kScalars) {
    if (scalar.kind == kind) return &scalar;
  }
  return nullptr;
}

void AppendCode(Bytes& out, uint16_t code) { AppendBigEndian(out, code); }

void AppendCustom(Bytes& out, const Type& type) {
  AppendCode(out, kCustom);
  AppendString(out, MarshalClassName(type));
}

void AppendScalar(Bytes& out, const Type& type, uint8_t version) {
  const ScalarOption* scalar = FindScalar(type.kind);
  if (scalar == nullptr || version < scalar->since) return AppendCustom(out, type);
  AppendCode(out, scalar->code);
}

void AppendArguments(Bytes& out, const Type& type, uint8_t version) {
  for (const TypePtr& argument : type.arguments) AppendTypeOption(out, *argument, version);
}

void AppendUdt(Bytes& out, const Type& type, uint8_t version) {
  AppendCode(out, kUdt);
  AppendString(out, type.keyspace);
  AppendString(out, type.name);
  AppendBigEndian(out, static_cast<uint16_t>(type.arguments.size()));
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    AppendString(out, type.field_names[i]);
    AppendTypeOption(out, *type.arguments[i], version);
  }
}

// Appends the class name. Cassandra writes FrozenType(…) once, around the outermost frozen collection or UDT.
void AppendClass(std::string& out, const Type& type, bool inside_frozen);

void AppendClassArguments(std::string& out, const Type& type, bool inside_frozen) {
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    if (i > 0) out += ',';
    if (type.kind == TypeKind::kUdt) out += ToHex(type.field_names[i]) + ':';
    AppendClass(out, *type.arguments[i], inside_frozen);
  }
}

const char* CompoundClass(TypeKind kind) {
  switch (kind) {
    case TypeKind::kList: return "ListType";
    case TypeKind::kSet: return "SetType";
    case TypeKind::kMap: return "MapType";
    case TypeKind::kTuple: return "TupleType";
    case TypeKind::kUdt: return "UserType";
    case TypeKind::kVector: return "VectorType";
    default: return "BytesType";
  }
}

void AppendClass(std::string& out, const Type& type, bool inside_frozen) {
  if (const ScalarOption* scalar = FindScalar(type.kind)) {
    out.append(kPackage).append(scalar->class_name);
    return;
  }
  const bool can_freeze = type.is_collection() || type.kind == TypeKind::kUdt;
  const bool write_frozen = can_freeze && type.frozen && !inside_frozen;
  if (write_frozen) out.append(kPackage).append("FrozenType(");
  out.append(kPackage).append(CompoundClass(type.kind)).append("(");
  if (type.kind == TypeKind::kUdt) out.append(type.keyspace).append(",").append(ToHex(type.name)).append(",");
  AppendClassArguments(out, type, inside_frozen || write_frozen || type.kind == TypeKind::kTuple);
  if (type.kind == TypeKind::kVector) out.append(" , ").append(std::to_string(type.dimension));
  out += ')';
  if (write_frozen) out += ')';
}

}  // namespace

void AppendTypeOption(Bytes& out, const Type& type, uint8_t version) {
  switch (type.kind) {
    case TypeKind::kList: AppendCode(out, kList); return AppendArguments(out, type, version);
    case TypeKind::kSet: AppendCode(out, kSet); return AppendArguments(out, type, version);
    case TypeKind::kMap: AppendCode(out, kMap); return AppendArguments(out, type, version);
    case TypeKind::kTuple:
      AppendCode(out, kTuple);
      AppendBigEndian(out, static_cast<uint16_t>(type.arguments.size()));
      return AppendArguments(out, type, version);
    case TypeKind::kUdt: return AppendUdt(out, type, version);
    case TypeKind::kVector: return AppendCustom(out, type);
    default: return AppendScalar(out, type, version);
  }
}

std::string MarshalClassName(const Type& type) {
  std::string out;
  AppendClass(out, type, false);
  return out;
}

}  // namespace widerow
