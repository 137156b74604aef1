#include "simulated_log_files.h"

#include <algorithm>

namespace widerow::storage_test {

class SimulatedLogFile final : public LogFile {
 public:
  SimulatedLogFile(SimulatedLogFiles& files, SimulatedLogFiles::FilePtr file) : files_(files), file_(std::move(file)) {}

  std::error_code Write(uint64_t offset, ByteView bytes) override {
    ++files_.writes_;
    const std::error_code error = files_.Call();
    if (error && files_.Below(4) != 0) bytes = bytes.substr(0, files_.Below(bytes.size() + 1));
    files_.Write(*file_, offset, bytes);
    return error;
  }

  std::error_code Read(uint64_t offset, size_t size, Bytes& out) override {
    if (const std::error_code error = files_.Call()) return error;
    out = offset >= file_->content.size() ? Bytes() : file_->content.substr(offset, size);
    return {};
  }

  std::error_code DataSync() override {
    ++files_.syncs_;
    return files_.DataSync(*file_);
  }

  std::error_code WriteBack(uint64_t, uint64_t) override {
    ++files_.write_backs_;
    return files_.WriteBack(*file_);
  }

  std::error_code Size(uint64_t& bytes) override {
    if (const std::error_code error = files_.Call()) return error;
    bytes = file_->content.size();
    return {};
  }

 private:
  SimulatedLogFiles& files_;
  const SimulatedLogFiles::FilePtr file_;
};

std::error_code SimulatedLogFiles::Call() {
  ++calls_;
  const bool fails = fail_at_ != 0 && (calls_ == fail_at_ || (fail_from_then_on_ && calls_ > fail_at_));
  if (!fails) return {};
  has_failed_ = true;
  return std::make_error_code(failure_);
}

void SimulatedLogFiles::FailAt(size_t nth, std::errc error, bool from_then_on) {
  fail_at_ = nth == 0 ? 0 : calls_ + nth;
  fail_from_then_on_ = from_then_on;
  has_failed_ = false;
  failure_ = error;
}

std::error_code SimulatedLogFiles::MakeDirectory(const std::filesystem::path&, bool& created) {
  created = names_.empty();
  return Call();
}

std::error_code SimulatedLogFiles::List(const std::filesystem::path&, std::vector<std::string>& names) {
  names = Names();
  std::shuffle(names.begin(), names.end(), random_);
  return Call();
}

std::error_code SimulatedLogFiles::Open(const std::filesystem::path& path, bool create, std::unique_ptr<LogFile>& out) {
  if (const std::error_code error = Call()) return error;
  const std::string name = path.filename().string();
  if (names_.contains(name) == create) {
    return std::make_error_code(create ? std::errc::file_exists : std::errc::no_such_file_or_directory);
  }
  if (create) names_[name] = std::make_shared<File>();
  out = std::make_unique<SimulatedLogFile>(*this, names_.at(name));
  return {};
}

std::error_code SimulatedLogFiles::Remove(const std::filesystem::path& path) {
  if (const std::error_code error = Call()) return error;
  if (names_.erase(path.filename().string()) == 0) return std::make_error_code(std::errc::no_such_file_or_directory);
  return {};
}

std::error_code SimulatedLogFiles::SyncDirectory(const std::filesystem::path& directory) {
  if (const std::error_code error = Call()) return error;
  if (directory.filename() == "log") durable_ = names_;
  return {};
}

Bytes SimulatedLogFiles::Sector(const Bytes& content, size_t sector) {
  const size_t offset = sector * kSectorBytes;
  Bytes bytes = offset < content.size() ? content.substr(offset, kSectorBytes) : Bytes();
  bytes.resize(kSectorBytes, '\0');
  return bytes;
}

void SimulatedLogFiles::Write(File& file, size_t offset, ByteView bytes) {
  if (bytes.empty()) return;
  if (file.content.size() < offset + bytes.size()) file.content.resize(offset + bytes.size(), '\0');
  std::copy(bytes.begin(), bytes.end(), file.content.begin() + static_cast<ptrdiff_t>(offset));
  for (size_t sector = offset / kSectorBytes; sector * kSectorBytes < offset + bytes.size(); ++sector) {
    file.unsynced[sector].push_back(Sector(file.content, sector));
  }
}

std::error_code SimulatedLogFiles::WriteBack(File& file) {
  const std::error_code error = Call();
  if (error) Keep(file, error);
  return error;
}

std::error_code SimulatedLogFiles::DataSync(File& file) {
  const std::error_code error = Call();
  Keep(file, error);
  return error;
}

void SimulatedLogFiles::Keep(File& file, std::error_code error) {
  if (!error || file.durable.size() < file.content.size()) file.durable.resize(file.content.size(), '\0');
  for (const auto& [sector, versions] : file.unsynced) {
    if (error && Below(2) == 0) continue;
    file.durable.replace(sector * kSectorBytes, kSectorBytes, versions.back(), 0,
                         std::min(kSectorBytes, file.durable.size() - sector * kSectorBytes));
  }
  file.unsynced.clear();
}

void SimulatedLogFiles::LosePower(File& file) {
  // The length of a file is metadata. A power cut keeps or loses the new length, whatever happens to the sectors.
  if (file.content.size() > file.durable.size() && Below(2) == 0) file.durable.resize(file.content.size(), '\0');
  // `luck` says which version an unsynced sector gets. 0: a random one. 1: the newest one in most sectors. 2: the
  // durable one in most sectors. 3: the newest one in the sectors before a random place, and the durable one in the
  // others.
  const size_t luck = Below(4);
  const size_t until = Below(file.unsynced.size() + 1);
  size_t place = 0;
  for (auto& [sector, versions] : file.unsynced) {
    const size_t offset = sector * kSectorBytes;
    ++place;
    if (offset >= file.durable.size()) continue;
    versions.insert(versions.begin(), Sector(file.durable, sector));
    Bytes chosen = versions[Below(versions.size())];
    if (luck == 1 && Below(12) != 0) chosen = versions.back();
    if (luck == 2 && Below(12) != 0) chosen = versions.front();
    if (luck == 3) chosen = place <= until ? versions.back() : versions.front();
    if (Below(6) == 0) {
      const Bytes& other = versions[Below(versions.size())];
      const size_t torn_at = Below(kSectorBytes + 1);
      chosen = chosen.substr(0, torn_at) + other.substr(torn_at);
    }
    file.durable.replace(offset, kSectorBytes, chosen, 0, std::min(kSectorBytes, file.durable.size() - offset));
  }
  file.unsynced.clear();
  file.content = file.durable;
}

void SimulatedLogFiles::LosePower() {
  std::map<std::string, FilePtr> left;
  for (const auto& [name, file] : names_) {
    if (durable_.contains(name) || Below(2) == 0) left[name] = file;
  }
  for (const auto& [name, file] : durable_) {
    if (!names_.contains(name) && Below(2) == 0) left[name] = file;
  }
  for (auto& [name, file] : left) {
    // Files that the test still has open must not see the state after the power cut. So the names get copies.
    file = std::make_shared<File>(*file);
    LosePower(*file);
  }
  names_ = left;
  durable_ = left;
}

std::vector<std::string> SimulatedLogFiles::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : names_) names.push_back(name);
  return names;
}

std::vector<std::string> SimulatedLogFiles::Segments() const {
  std::vector<std::string> names = Names();
  std::erase(names, "list");
  return names;
}

Bytes SimulatedLogFiles::Content(const std::string& name) const { return names_.at(name)->content; }

void SimulatedLogFiles::Overwrite(const std::string& name, size_t offset, ByteView bytes) {
  File& file = *names_.at(name);
  file.content.replace(offset, bytes.size(), bytes);
  file.durable = file.content;
  file.unsynced.clear();
}

void SimulatedLogFiles::Truncate(const std::string& name, size_t bytes) {
  File& file = *names_.at(name);
  file.content.resize(bytes);
  file.durable = file.content;
  file.unsynced.clear();
}

void SimulatedLogFiles::Delete(const std::string& name) {
  names_.erase(name);
  durable_.erase(name);
}

void SimulatedLogFiles::Create(const std::string& name, const Bytes& content) {
  auto file = std::make_shared<File>();
  file->content = file->durable = content;
  names_[name] = durable_[name] = file;
}

}  // namespace widerow::storage_test
