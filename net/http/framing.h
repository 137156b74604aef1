// Refuses requests whose end two readers could see at different places (RFC 9112, section 6). Beast's parser refuses
// some of them; FramingFault refuses the others. The connection must be closed after the answer, because the bytes that
// follow such a head may be a body or a request of another client behind the same proxy.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <string>

namespace widerow {

// Returns what is wrong with the head of a request; empty if its length, its encoding and its Host are unambiguous.
std::string FramingFault(const boost::beast::http::header<true>& head);

}  // namespace widerow
