#include "net/admissions.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "exec/access/login_limits.h"

namespace widerow {

size_t AdmissionLimits::strangers_max() const {
  constexpr size_t kShare = 8, kLeast = 16;
  return std::max(connections_max / kShare, std::min(connections_max, kLeast));
}

size_t AdmissionLimits::turned_away_max() const { return std::clamp<size_t>(connections_max / 8, 8, 64); }

AdmissionLimits AdmissionLimits::ForDescriptors(size_t descriptors) {
  // One descriptor is for the client that is being accepted, and eight are for clients that are turned away, because
  // turned_away_max() is at least 8. Of every nine further descriptors, eight are for connections and one is for
  // clients that are turned away, because turned_away_max() can be as much as an eighth of connections_max.
  constexpr size_t kApart = 1 + 8;
  const size_t rest = descriptors > kApart ? descriptors - kApart : 0;
  return {.connections_max = std::max<size_t>(rest / 9 * 8, 1)};
}

std::shared_ptr<Admissions::Place> Admissions::Enter(ByteView address) {
  std::shared_ptr<Place> place(new Place(*this));
  place->address_ = FailedLogins::KeyOf(address);
  MutexLock lock(mutex_);
  if (closed_) return nullptr;
  const auto of_address = strangers_.find(place->address_);
  const bool crowded = of_address != strangers_.end() && of_address->second >= limits_.strangers_max();
  if (served_ >= limits_.connections_max || crowded) {
    if (turned_away_ >= limits_.turned_away_max()) return nullptr;
    place->admission_ = crowded ? Admission::kTooManyStrangers : Admission::kTooMany;
    ++turned_away_;
  } else {
    ++strangers_[place->address_];
    place->stranger_ = true;
    ++served_;
  }
  place->entered_ = true;
  return place;
}

void Admissions::RemoveStranger(Place& place) {
  if (!std::exchange(place.stranger_, false)) return;
  const auto of_address = strangers_.find(place.address_);
  if (--of_address->second == 0) strangers_.erase(of_address);
}

void Admissions::Trust(Place& place) {
  MutexLock lock(mutex_);
  RemoveStranger(place);
}

void Admissions::Leave(Place& place) {
  if (!place.entered_) return;
  MutexLock lock(mutex_);
  RemoveStranger(place);
  --(place.admission_ == Admission::kServed ? served_ : turned_away_);
  empty_.NotifyAll();
}

void Admissions::Close() {
  MutexLock lock(mutex_);
  closed_ = true;
}

bool Admissions::EmptyWithin(int64_t timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  MutexLock lock(mutex_);
  while (served_ + turned_away_ > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    empty_.WaitFor(mutex_, left.count());
  }
  return true;
}

void Admissions::WaitUntilEmpty() {
  MutexLock lock(mutex_);
  while (served_ + turned_away_ > 0) empty_.Wait(mutex_);
}

}  // namespace widerow
