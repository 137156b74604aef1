#include "net/http/snapshot_handler.h"

#include <charconv>

#include "base/limits.h"
#include "exec/access/user.h"
#include "net/http/error_reply.h"
#include "net/text/json_slice.h"
#include "types/json_form.h"

namespace widerow {
namespace {

Result<SnapshotLimits> LimitsOf(std::string_view body) {
  SnapshotLimits limits;
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return limits;
  WR_RETURN_IF_ERROR(CheckJson(body, limits::kNestingMax));
  if (KindOf(body.substr(body.find_first_not_of(" \t\r\n"))) != JsonKind::kObject) {
    return InvalidError("the request body must be empty or a JSON object", R"(for example {"age_max_ms": 30000})");
  }
  for (const JsonMember& member : SplitJsonObject(body)) {
    if (member.name != "age_max_ms") {
      return InvalidError("unknown field \"" + member.name + "\" in the request body", "the only field is age_max_ms");
    }
    int64_t age_ms = 0;
    const std::string_view digits = member.value;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), age_ms);
    if (code != std::errc() || end != digits.data() + digits.size()) {
      return InvalidError("field \"age_max_ms\" must be a whole number of milliseconds");
    }
    limits.age_max = std::chrono::milliseconds(age_ms);
  }
  return limits;
}

}  // namespace

HttpReply AnswerOpenSnapshot(Engine& engine, const HttpRequest& request) {
  Result<SnapshotLimits> limits = LimitsOf(request.body);
  if (!limits.ok()) return ErrorReply(limits.error(), {});
  if (request.connection != nullptr && request.connection->user != nullptr) {
    limits->owner = request.connection->user->role_id();
  }
  const Result<SnapshotPtr> snapshot = engine.OpenSnapshot(*limits);
  if (!snapshot.ok()) return ErrorReply(snapshot.error(), {});
  return {.body = "{\"snapshot\":\"" + (*snapshot)->id().ToString() +
                  "\",\"age_max_ms\":" + std::to_string((*snapshot)->age_max().count()) + "}\n"};
}

HttpReply AnswerCloseSnapshot(Engine& engine, std::string_view id, const HttpRequest& request) {
  const std::optional<Uuid> uuid = Uuid::FromString(id);
  if (!uuid || engine.FindSnapshot(*uuid, request.connection) == nullptr || !engine.snapshots().Close(*uuid)) {
    return HttpErrorReply(404, "there is no snapshot " + std::string(id), "POST /v1/snapshots opens one");
  }
  return {.body = "{}\n"};
}

Result<SnapshotPtr> FindSnapshot(const Engine& engine, const Uuid& id,
                                 const std::shared_ptr<const ConnectionFacts>& connection) {
  SnapshotPtr snapshot = engine.FindSnapshot(id, connection);
  if (snapshot == nullptr) {
    return InvalidError("Snapshot expired: there is none of the id " + id.ToString() + ", or not any more",
                        "POST /v1/snapshots opens one");
  }
  return snapshot;
}

}  // namespace widerow
