// While the backup is made, a thread sends the server a request every few seconds, because the server closes a backup
// whose client is silent. Without this thread, the client would be silent for minutes while it syncs and checks the
// files of a large backup.
#include "server/remote_backup.h"

#include <thread>

#include "base/mutex.h"
#include "base/text.h"
#include "net/http/backup_parts.h"
#include "shell/http_connection.h"
#include "shell/shell.h"

namespace widerow {
namespace {

constexpr unsigned kOk = 200;
constexpr int64_t kTouchEveryMillis = 3'000;

class RemoteBackup final : public BackupSource {
 public:
  RemoteBackup(ShellHttpClient client, const Uuid& id, BackupFacts facts)
      : path_("/v1/backups/" + id.ToString()),
        facts_(std::move(facts)),
        client_(std::move(client)),
        touching_([this](const std::stop_token& stop) { Touch(stop); }) {}
  // Closes the backup on the server, unless it is finished. If this fails, the server closes it after a minute.
  ~RemoteBackup() override {
    touching_.request_stop();
    MutexLock lock(mutex_);
    stopped_.NotifyAll();
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
    MutexLock lock(mutex_);
    finished_ = true;
    WR_ASSIGN_OR_RETURN(const HttpAnswer answer, client_.Delete(StrCat(path_, "?through=", through)));
    return answer.status == kOk ? OkStatus() : Status(ReadHttpError(answer.body));
  }

 private:
  Result<std::string> Get(const std::string& rest) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    WR_ASSIGN_OR_RETURN(HttpAnswer answer, client_.Get(path_ + rest));
    if (answer.status == kOk) return std::move(answer.body);
    return ReadHttpError(answer.body);
  }

  // Sends a request every few seconds until the backup is finished. A failure is ignored, because the next real request
  // fails too and reports its error.
  void Touch(const std::stop_token& stop) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!stop.stop_requested() && !finished_) {
      stopped_.WaitFor(mutex_, kTouchEveryMillis);
      if (!stop.stop_requested() && !finished_) static_cast<void>(client_.Get(path_).ok());
    }
  }

  const std::string path_;
  const BackupFacts facts_;
  Mutex mutex_;
  TimedCondVar stopped_;
  ShellHttpClient client_ WR_GUARDED_BY(mutex_);
  bool finished_ WR_GUARDED_BY(mutex_) = false;
  std::jthread touching_;  // Joined before the members that it uses are destroyed.
};

}  // namespace

Result<std::unique_ptr<BackupSource>> OpenRemoteBackup(const std::string& address, const Credentials& credentials,
                                                       const ClientTls& tls, const std::optional<BackupPlace>& since) {
  WR_ASSIGN_OR_RETURN(ShellHttpClient client, OpenHttpClient(address, credentials, tls));
  std::string body;
  if (since) {
    body = StrCat("{\"history\":\"", since->history.ToString(), "\",\"sequence\":", since->sequence,
                  ",\"micros\":", since->micros, "}");
  }
  WR_ASSIGN_OR_RETURN(const HttpAnswer answer, client.PostJson("/v1/backups", std::move(body)));
  if (answer.status != kOk) return ReadHttpError(answer.body);
  WR_ASSIGN_OR_RETURN(const auto begun, DecodeFacts(answer.body));
  return std::unique_ptr<BackupSource>(std::make_unique<RemoteBackup>(std::move(client), begun.first, begun.second));
}

}  // namespace widerow
