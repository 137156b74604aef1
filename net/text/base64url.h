// Base64url (RFC 4648 section 5) without padding, for paging states in JSON and headers.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"

namespace widerow {

// Returns the text without padding.
std::string EncodeBase64Url(ByteView bytes);
// Accepts padding. False if `text` is not base64url.
bool DecodeBase64Url(std::string_view text, Bytes& out);

}  // namespace widerow
