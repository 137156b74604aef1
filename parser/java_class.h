// Types written as quoted Java classes: 'org.apache.cassandra.db.marshal.ListType(UTF8Type)'. The package of
// Cassandra's own types may be left out. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "types/type.h"

namespace widerow {

// A part of the text: a class with its arguments, a number, a name, or an alias such as a=>Int32Type.
struct JavaClass {
  std::string name;  // Without the package of Cassandra's types; empty stands for BytesType.
  std::vector<JavaClass> arguments;
  std::string field;   // The hex name before a colon: UserType(ks,6e616d65,6669656c64:Int32Type).
  bool closed = true;  // False if the text ends before the closing parenthesis.
};

// Reads the text as Cassandra's TypeParser does: it stops after the outermost class.
JavaClass ParseJavaClass(std::string_view text);

// Returns the scalar type that the class stands for; nullopt for other classes.
std::optional<TypeKind> ScalarOfClass(std::string_view name);

// Returns Cassandra's sentence if a class is unknown or has wrong arguments: "Error setting type x: …". `text` is the
// whole text of `parsed`.
std::optional<std::string> FaultOf(const JavaClass& parsed, const std::string& text);

// Returns the text of the class without quotes, with the Java packages that the statement leaves out.
std::string FullText(const JavaClass& parsed);

}  // namespace widerow
