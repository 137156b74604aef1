// The only header that includes ANTLR's generated headers. Only .cc files and internal headers of this folder include
// it.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#include "CqlLexer.h"
#include "CqlParser.h"
#pragma GCC diagnostic pop
