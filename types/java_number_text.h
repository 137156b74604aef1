// float and double as the Java that Cassandra runs on prints them: 1.0, 0.001, 1.0E7, NaN, -Infinity. Java before 19, that is, whose
// digits tell a number from its neighbours and no more, but are not always the fewest: 6.990000000000001E21 is 6.99E21,
// 1.01927956E10f is 1.0192796E10f. After jdk.internal.math.FloatingDecimal.BinaryToASCIIBuffer.dtoa of OpenJDK 17.
#pragma once

#include <string>

namespace widerow {

std::string JavaFloatText(float value);
std::string JavaDoubleText(double value);

}  // namespace widerow
