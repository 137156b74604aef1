// The only header that lets ANTLR in. Included by .cc files and by this folder's internal headers alone.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#include "CqlLexer.h"
#include "CqlParser.h"
#pragma GCC diagnostic pop
