// GET /v1/heat: heat maps of tables (exec/heat) as JSON or SVG. docs/operate/heat.md describes them for users.
#pragma once

#include <string_view>

#include "exec/engine/engine.h"
#include "exec/heat/heat_picture.h"
#include "net/http/request.h"

namespace widerow {

// `query` is the part of the URL after the question mark.
HttpReply AnswerHeat(Engine& engine, std::string_view query, std::shared_ptr<const ConnectionFacts> connection);

// Draws a heat map as a complete SVG document: key ranges from top to bottom, time from left to right, darker means
// more. A legend and tooltips give the numbers.
std::string HeatSvg(const TableSchema& table, const HeatPicture& picture, HeatMetric metric);

}  // namespace widerow
