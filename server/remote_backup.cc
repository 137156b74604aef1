#include "server/remote_backup.h"

#include "base/text.h"
#include "net/http/backup_parts.h"
#include "shell/http_connection.h"
#include "shell/shell.h"

namespace widerow {
namespace {

constexpr unsigned kOk = 200;

class RemoteBackup final : public BackupSource {
 public:
  RemoteBackup(ShellHttpClient client, const Uuid& id, BackupFacts facts)
      : client_(std::move(client)), path_("/v1/backups/" + id.ToString()), facts_(std::move(facts)) {}
  // Closes the backup on the server. The server does this itself after a minute.
  ~RemoteBackup() override {
    if (!finished_) static_cast<void>(client_.Delete(path_).ok());
  }

  const BackupFacts& facts() const override { return facts_; }
  Result<RecordsPart> ReadRecords(bool meta, const Bytes& after) override {
    WR_ASSIGN_OR_RETURN(const std::string body,
                        Get(StrCat("/records?database=", meta ? "meta" : "data", "&after=", ToHex(after))));
    return DecodeRecordsPart(body);
  }
  Result<LogPart> ReadLog(uint64_t sequence, uint64_t offset) override {
    WR_ASSIGN_OR_RETURN(const std::string body, Get(StrCat("/log?sequence=", sequence, "&offset=", offset)));
    return DecodeLogPart(body);
  }
  Status Finished(uint64_t through) override {
    finished_ = true;
    WR_ASSIGN_OR_RETURN(const HttpAnswer answer, client_.Delete(StrCat(path_, "?through=", through)));
    return answer.status == kOk ? OkStatus() : Status(ReadHttpError(answer.body));
  }

 private:
  Result<std::string> Get(const std::string& rest) {
    WR_ASSIGN_OR_RETURN(HttpAnswer answer, client_.Get(path_ + rest));
    if (answer.status == kOk) return std::move(answer.body);
    return ReadHttpError(answer.body);
  }

  ShellHttpClient client_;
  const std::string path_;
  const BackupFacts facts_;
  bool finished_ = false;
};

}  // namespace

Result<std::unique_ptr<BackupSource>> OpenRemoteBackup(const std::string& address, const Credentials& credentials,
                                                       const ClientTls& tls, const std::optional<BackupPlace>& since) {
  WR_ASSIGN_OR_RETURN(ShellHttpClient client, OpenHttpClient(address, credentials, tls));
  std::string body;
  if (since) body = StrCat("{\"history\":\"", since->history.ToString(), "\",\"sequence\":", since->sequence, "}");
  WR_ASSIGN_OR_RETURN(const HttpAnswer answer, client.PostJson("/v1/backups", std::move(body)));
  if (answer.status != kOk) return ReadHttpError(answer.body);
  WR_ASSIGN_OR_RETURN(const auto begun, DecodeFacts(answer.body));
  return std::unique_ptr<BackupSource>(std::make_unique<RemoteBackup>(std::move(client), begun.first, begun.second));
}

}  // namespace widerow
