// A BackupSource that reads from a server over HTTP (/v1/backups).
#pragma once

#include <memory>

#include "shell/session.h"
#include "storage/backup.h"

namespace widerow {

// Begins a backup on the server. Errors: those of StorageEngine::BeginBackup; no connection; the role may not make
// backups.
Result<std::unique_ptr<BackupSource>> OpenRemoteBackup(const std::string& address, const Credentials& credentials,
                                                       const ClientTls& tls, const std::optional<BackupPlace>& since);

}  // namespace widerow
