// GET /v1/heat: heat maps of tables (exec/heat) as JSON or SVG. docs/operate/heat.md is the user's page.
#pragma once

#include <string_view>

#include "exec/engine.h"
#include "exec/heat/heat_picture.h"
#include "net/http/request.h"

namespace widerow {

// `query` is what stands behind the question mark.
HttpReply AnswerHeat(Engine& engine, std::string_view query, std::shared_ptr<const ConnectionFacts> connection);

// A page of its own: key ranges from top to bottom, time from left to right, dark is much; how much stands beside it, and under
// the pointer.
std::string HeatSvg(const TableSchema& table, const HeatPicture& picture, HeatMetric metric);

}  // namespace widerow
