#include <algorithm>
#include <unordered_map>

#include "exec/engine/bulk_insert.h"
#include "exec/engine/engine.h"
#include "exec/engine/statement_planner.h"
#include "shell/session.h"
#include "types/index_words.h"
#include "widerow/database.h"

namespace widerow {
namespace {

class LocalSession final : public Session {
 public:
  LocalSession(Engine& engine, std::shared_ptr<Database> database, std::string place)
      : engine_(engine), database_(std::move(database)), place_(std::move(place)) {}

  Result<Outcome> Execute(const SessionRequest& request) override {
    if (request.parameters.values.empty()) return engine_.Execute(request.text, request.parameters);
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, Prepare(request));
    return engine_.ExecutePrepared(*prepared, request.parameters);
  }

  Result<SchemaPtr> Schema() override { return engine_.schema(); }

  Result<std::unique_ptr<Session>> Connect() override {
    return std::unique_ptr<Session>(std::make_unique<LocalSession>(engine_, database_, place_));
  }

  Result<std::unique_ptr<BulkInsert>> OpenBulk(const std::string& insert, size_t lanes) override {
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, engine_.Prepare(insert, ""));
    // A unique index may refuse rows. Statements show which rows it refuses, but a bulk load does not. So there is no
    // bulk load.
    if (std::ranges::any_of(prepared->plan->tables[0]->indexes, IsUnique)) return std::unique_ptr<BulkInsert>();
    return engine_.OpenBulkInsert(prepared, {.lanes = lanes}, {});
  }

  bool prepares() const override { return true; }
  std::string place() const override { return place_; }

 private:
  Result<PreparedPtr> Prepare(const SessionRequest& request) {
    constexpr size_t kPreparedMax = 16;
    const auto found = prepared_.find(request.text);
    if (found != prepared_.end()) {
      const PreparedStatement& known = *found->second;
      const bool same = known.fully_qualified || known.keyspace == request.parameters.keyspace;
      if (same && engine_.planner().StillValid(known)) return found->second;
    }
    if (prepared_.size() >= kPreparedMax) prepared_.clear();
    WR_ASSIGN_OR_RETURN(PreparedPtr prepared, engine_.Prepare(request.text, request.parameters.keyspace));
    prepared_[request.text] = prepared;
    return prepared;
  }

  Engine& engine_;
  const std::shared_ptr<Database> database_;  // Null if the engine belongs to the caller.
  const std::string place_;
  std::unordered_map<std::string, PreparedPtr> prepared_;
};

}  // namespace

std::unique_ptr<Session> MakeLocalSession(Engine& engine, std::string place) {
  return std::make_unique<LocalSession>(engine, nullptr, std::move(place));
}

Result<std::unique_ptr<Session>> OpenLocalSession(const std::string& directory, LanguageOptions language, bool roles) {
  auto opened = Database::Open({.directory = directory,
                                .profile = std::string(DialectName(language.dialect)),
                                .extension_warnings = language.extension_warnings,
                                .roles = roles});
  if (!opened.ok())
    return Error{.code = static_cast<ErrorCode>(opened.error().code), .message = opened.error().message};
  std::shared_ptr<Database> database = std::move(opened).value();
  Engine& engine = database->engine();
  return std::unique_ptr<Session>(
      std::make_unique<LocalSession>(engine, std::move(database), "data directory " + directory));
}

}  // namespace widerow
