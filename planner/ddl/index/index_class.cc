// Checks which columns and options each class of custom indexes allows.
#include <algorithm>

#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/index/index_options.h"
#include "types/analyzer_options.h"
#include "types/index_words.h"
#include "types/similarity.h"

namespace widerow::ddl {
namespace {

constexpr std::string_view kAnalysisOptions[] = {"ascii", "case_sensitive", "normalize"};
constexpr std::string_view kWordsOption = "index_analyzer";
constexpr std::string_view kVectorOptions[] = {"construction_beam_width", "maximum_node_connections", "optimize_for",
                                               "similarity_function"};

bool IsText(const Type& type) { return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii; }

bool Holds(std::span<const std::string_view> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string OptionsText(const std::map<std::string, std::string>& map) {
  std::string text;
  for (const auto& [key, value] : map) text += (text.empty() ? "'" : ", '") + key + "': '" + value + "'";
  return "{" + text + "}";
}

// Makes Cassandra's checks of an index on vectors, and of its options, in Cassandra's order.
Status CheckVectorOptions(const IndexSchema& index, const Type& type, SourceRange range) {
  const auto option = [&](std::string_view name) -> const std::string* {
    const auto found = index.options.find(std::string(name));
    return found == index.options.end() ? nullptr : &found->second;
  };
  if (type.kind != TypeKind::kVector) {
    if (std::ranges::none_of(kVectorOptions, option)) return OkStatus();
    return InvalidAt(range, "CQL type " + TypeText(type) + " cannot have vector options");
  }
  constexpr const char* kNoGraph = "the answers are exact: there is no graph of vectors to tune";
  for (const auto& [name, title] : {std::pair("maximum_node_connections", "Maximum node connections"),
                                    std::pair("construction_beam_width", "Construction beam width")}) {
    if (option(name) == nullptr) continue;
    return InvalidAt(range, StrCat(title, " cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS"),
                     kNoGraph);
  }
  const std::string* const similarity = option("similarity_function");
  if (similarity != nullptr && !SimilarityNamed(*similarity)) {
    return InvalidAt(range, "Similarity function " + ToUpper(*similarity) +
                                " was not recognized for index null. Valid values are: EUCLIDEAN, DOT_PRODUCT, COSINE");
  }
  if (const std::string* const tuned = option("optimize_for"); tuned != nullptr) {
    const std::string upper = ToUpper(*tuned);
    if (upper != "LATENCY" && upper != "RECALL") {
      return InvalidAt(
          range, "optimize_for '" + upper + "' was not recognized for index null. Valid values are: LATENCY, RECALL");
    }
  }
  if (type.arguments[0]->kind != TypeKind::kFloat)
    return InvalidAt(range, "SAI ANN indexes are only allowed on vector columns with float elements");
  if (type.dimension == 1 && SimilarityOf(index) == Similarity::kCosine) {
    return InvalidAt(range, "Cosine similarity is not supported for single-dimension vectors",
                     "choose 'similarity_function': 'euclidean' or 'dot_product'");
  }
  return OkStatus();
}

// Checks the options of the index's analyzer. An error gets the place `range`.
Status CheckAnalyzerOptions(const IndexSchema& index, SourceRange range) {
  Result<AnalyzerPtr> analyzer = ReadAnalyzer(index.options);
  if (analyzer.ok()) return OkStatus();
  Error error = std::move(analyzer).error();
  error.range = range;
  return error;
}

// Checks an index that has the option index_analyzer. `analysis` has the options that cannot be combined with it, and
// `type` is the type of the indexed values.
Status CheckWords(const IndexSchema& index, const std::map<std::string, std::string>& analysis, const Type& type,
                  SourceRange range) {
  if (!analysis.empty()) {
    Error error = ConfigErrorAt(range, "index_analyzer cannot be combined with " + OptionsText(analysis));
    error.hint = "the filters lowercase and asciifolding of an analyzer do the same";
    return error;
  }
  if (!IsText(type)) return InvalidAt(range, "CQL type " + TypeText(type) + " cannot be analyzed.");
  return CheckAnalyzerOptions(index, range);
}

Status CheckAttached(const IndexSchema& index, const TableSchema& table, bool extended, SourceRange range) {
  std::map<std::string, std::string> options = index.options;
  std::erase_if(options, [&](const auto& option) { return IsIndexWord(index, option.first); });
  WR_RETURN_IF_ERROR(CheckOptionNames(index.kind, options, extended, range));
  const bool words = index.options.contains(std::string(kWordsOption));
  std::map<std::string, std::string> analysis;
  for (const auto& [name, value] : index.options) {
    if (Holds(kAnalysisOptions, name)) analysis[name] = value;
  }
  const ColumnSchema& column = *table.FindId(index.column);
  for (const IndexSchema& other : table.indexes) {
    const bool same_form = words == other.options.contains(std::string(kWordsOption));
    if (other.kind == IndexKind::kSai && other.column == index.column && other.target == index.target && same_form) {
      return InvalidAt(range, "Cannot create more than one storage-attached index on the same column: " + column.name);
    }
  }
  const Type& type = *column.type;
  const Type& term = type.is_multi_cell() && type.is_collection()
                         ? *(index.target == IndexTarget::kKeys ? type.arguments.front() : type.arguments.back())
                         : type;
  if (words) WR_RETURN_IF_ERROR(CheckWords(index, analysis, type, range));
  if (!analysis.empty() && column.is_key()) {
    return InvalidAt(range,
                     "Analysis options are not supported on primary key columns, but found " + OptionsText(analysis));
  }
  if (!analysis.empty() && type.is_multi_cell() && index.target == IndexTarget::kEntries) {
    return InvalidAt(range, "CQL type 'entries of " + TypeText(type) + "' cannot be analyzed.");
  }
  if (!analysis.empty() && !IsText(term)) {
    return InvalidAt(range, "CQL type " + TypeText(term) + " cannot be analyzed.");
  }
  for (const auto& [name, value] : analysis) {
    const std::string upper = ToUpper(value);
    if (upper == "TRUE" || upper == "FALSE") continue;
    return InvalidAt(range, "Illegal value for boolean option '" + name + "': " + value);
  }
  if (term.kind == TypeKind::kBlob) {
    return InvalidAt(range, "Unsupported type: " + TypeText(term), "CREATE INDEX without USING takes blobs");
  }
  return CheckVectorOptions(index, type, range);
}

constexpr std::string_view kAnalyzers = "org.apache.cassandra.index.sasi.analyzer.";

Status CheckAnalyzer(const std::string& written, const Type& type, SourceRange range) {
  static constexpr std::string_view kNames[] = {"StandardAnalyzer", "DelimiterAnalyzer", "NonTokenizingAnalyzer",
                                                "NoOpAnalyzer"};
  std::string_view name = written;
  name.remove_prefix(name.starts_with(kAnalyzers) ? kAnalyzers.size() : name.size());
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
    Error error = ConfigErrorAt(range, "Unable to find analyzer class '" + written + "'");
    error.hint = StrCat("there are StandardAnalyzer, DelimiterAnalyzer, NonTokenizingAnalyzer and NoOpAnalyzer after ",
                        kAnalyzers);
    return error;
  }
  if (!IsText(type) && name != "NoOpAnalyzer")
    return ConfigErrorAt(range, std::string(name) + " does not support type " + TypeText(type));
  return OkStatus();
}

Status CheckSasi(const IndexSchema& index, const TableSchema& table, SourceRange range) {
  const ColumnSchema& column = *table.FindId(index.column);
  const Type& type = *column.type;
  if (column.kind == ColumnKind::kPartitionKey)
    return ConfigErrorAt(range, "partition key columns are not yet supported by SASI");
  if (type.is_multi_cell()) return ConfigErrorAt(range, "complex columns are not yet supported by SASI");
  const auto option = [&](const char* name) {
    const auto found = index.options.find(name);
    return found == index.options.end() ? std::string() : found->second;
  };
  if (const std::string analyzer = option("analyzer_class"); !analyzer.empty()) {
    WR_RETURN_IF_ERROR(CheckAnalyzer(analyzer, type, range));
  }
  const std::string mode = option("mode");
  if (!mode.empty() && mode != "PREFIX" && mode != "CONTAINS" && mode != "SPARSE") {
    return ConfigErrorAt(range, "Incorrect index mode: " + mode);
  }
  if (mode == "SPARSE" && IsText(type))
    return ConfigErrorAt(range, "SPARSE mode is only supported on non-literal columns.");
  const std::string analyzed = ToUpper(option("analyzed"));
  const bool is_analyzed = analyzed.empty() ? !option("analyzer_class").empty() : analyzed == "TRUE";
  if (mode == "SPARSE" && is_analyzed) return ConfigErrorAt(range, "SPARSE mode doesn't support analyzers.");
  return IsText(type) ? CheckAnalyzerOptions(index, range) : OkStatus();
}

}  // namespace

Status CheckOptionNames(IndexKind kind, const std::map<std::string, std::string>& options, bool extended,
                        SourceRange range) {
  if (kind != IndexKind::kSai) return OkStatus();
  std::vector<std::string> unknown;
  for (const auto& [name, value] : options) {
    if (name == "class_name" || (extended && name == kWordsOption)) continue;
    if (!Holds(kAnalysisOptions, name) && !Holds(kVectorOptions, name)) unknown.push_back(name);
  }
  if (unknown.empty()) return OkStatus();
  return ConfigErrorAt(range,
                       "Properties specified [" + JoinNames(unknown) + "] are not understood by StorageAttachedIndex");
}

Status CheckIndexClass(const CreateIndexStatement& statement, const IndexSchema& index, const TableSchema& table,
                       bool extended) {
  const SourceRange range = statement.table.range;
  switch (index.kind) {
    case IndexKind::kComposites: return OkStatus();
    case IndexKind::kSai: return CheckAttached(index, table, extended, range);
    case IndexKind::kSasi: return CheckSasi(index, table, range);
  }
  return OkStatus();
}

}  // namespace widerow::ddl
