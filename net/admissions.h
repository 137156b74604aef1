// Decides which clients a server serves, and counts its connections. A client is a stranger until it has logged in or,
// if nobody has to log in, until it has sent a request. The number of strangers from one address is limited, so that
// silent connections of one machine cannot lock others out. Thread-safe.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/bytes_map.h"
#include "base/mutex.h"

namespace widerow {

enum class Admission : uint8_t {
  kServed,
  kTooMany,           // The server has as many connections as it may have.
  kTooManyStrangers,  // The address has as many strangers as it may have.
};

struct AdmissionLimits {
  size_t connections_max = 1'024;

  // Returns how many strangers one address may have. All IPv6 addresses of a network count as one address.
  size_t strangers_max() const;
  // Returns how many clients may be told, at the same time, why they are not served. Further clients are disconnected
  // without an answer.
  size_t turned_away_max() const;
  // Returns the limits of a server that may use this number of file descriptors.
  static AdmissionLimits ForDescriptors(size_t descriptors);
};

class Admissions {
 public:
  explicit Admissions(const AdmissionLimits& limits) : limits_(limits) {}

  // One counted connection. The connection is counted until its Place is destroyed, which may happen on any thread. The
  // Admissions must outlive the Place.
  class Place {
   public:
    ~Place() { owner_.Leave(*this); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    Admission admission() const { return admission_; }
    // Stops counting the client as a stranger. Called on the connection's thread.
    void Trust() {
      if (stranger_) owner_.Trust(*this);
    }

   private:
    friend class Admissions;
    explicit Place(Admissions& owner) : owner_(owner) {}

    Admissions& owner_;
    Admission admission_ = Admission::kServed;
    bool entered_ = false;   // True: served_ or turned_away_ includes this connection.
    bool stranger_ = false;  // True: strangers_ includes this client.
    Bytes address_;          // The key of the client in strangers_.
  };

  // Admits a client; `address` has 4 or 16 bytes. Returns null if the client must be disconnected without an answer.
  std::shared_ptr<Place> Enter(ByteView address) WR_EXCLUDES(mutex_);
  // After Close, Enter admits nobody.
  void Close() WR_EXCLUDES(mutex_);
  // Waits until all places are destroyed. Returns false if this takes longer than `timeout_ms`.
  bool EmptyWithin(int64_t timeout_ms) WR_EXCLUDES(mutex_);
  void WaitUntilEmpty() WR_EXCLUDES(mutex_);

 private:
  void Trust(Place& place) WR_EXCLUDES(mutex_);
  void Leave(Place& place) WR_EXCLUDES(mutex_);
  void RemoveStranger(Place& place) WR_REQUIRES(mutex_);

  const AdmissionLimits limits_;
  Mutex mutex_;
  TimedCondVar empty_;
  bool closed_ WR_GUARDED_BY(mutex_) = false;
  size_t served_ WR_GUARDED_BY(mutex_) = 0, turned_away_ WR_GUARDED_BY(mutex_) = 0;
  BytesMap<size_t> strangers_ WR_GUARDED_BY(mutex_);  // By address: how many strangers it has, at least 1.
};

}  // namespace widerow
