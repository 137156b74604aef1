// float and double in the text of the Java version that Cassandra runs on: 1.0, 0.001, 1.0E7, NaN, -Infinity. Java
// before 19 prints digits that distinguish a number from its neighbors, but not always the fewest. For example, it
// prints 6.990000000000001E21 for 6.99E21, and 1.01927956E10 for the float 1.0192796E10. The algorithm is
// jdk.internal.math.FloatingDecimal.BinaryToASCIIBuffer.dtoa of OpenJDK 17.
#pragma once

#include <string>

namespace widerow {

std::string JavaFloatText(float value);
std::string JavaDoubleText(double value);

}  // namespace widerow
