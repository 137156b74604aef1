// File descriptors. Each connection has one, and the storage needs some for its files at any time. If connections took
// them all, the commit log could make no segment, and writes would fail. So the servers of a process accept fewer
// connections than there are descriptors.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace widerow {

// Raises the process's limit of descriptors as far as the system allows, and returns it.
uint64_t RaiseDescriptorLimit();
// Returns the process's limit of descriptors.
uint64_t DescriptorLimit();

// The servers of a process. Every process has one for the native protocol and one for HTTP.
struct ServersOfProcess {
  unsigned io_threads = 0;  // Of each server, except Thrift's.
  bool hbase = false, thrift = false;
};
// The connections that each server may accept.
struct ConnectionCaps {
  size_t native = 4'096, http = 1'024, hbase = 1'024, thrift = 256;
};
// With at most 40 I/O threads for each server, this number of descriptors is enough for the defaults of ConnectionCaps.
inline constexpr uint64_t kDescriptorsEnough = 8'192;
// Returns the caps of the servers in a process with this number of descriptors. The cap of a server that the process
// does not have is 0. The caps leave enough descriptors for the storage's files.
ConnectionCaps CapsFor(uint64_t descriptors, const ServersOfProcess& servers);

}  // namespace widerow
