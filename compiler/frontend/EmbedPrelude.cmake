# SPDX-License-Identifier: Apache-2.0
# Turns the prelude's files into one C++ table. Called with OUTPUT and INPUTS (a list).
set(text "// Generated from resources/prelude.\n#include <string_view>\n#include <utility>\n\n")
string(APPEND text "static constexpr std::pair<std::string_view, std::string_view> kPreludeSources[] = {\n")
foreach(input IN LISTS INPUTS)
  get_filename_component(name "${input}" NAME)
  # The list separator of CMake must survive in the text.
  file(READ "${input}" content)
  string(APPEND text "    {\"${name}\", R\"prelude(${content})prelude\"},\n")
endforeach()
string(APPEND text "};\n")
file(WRITE "${OUTPUT}" "${text}")
