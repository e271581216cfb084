// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where in the source each instruction of compiled code comes from. Line tables of object code know
// lines, but nothing of calls that were inlined. So each instruction says the number of its place in
// a list, from 1, as its line:
//
//     %x = load …, !dbg !9       ; u.py:70:14 inlined at k.py:31     list: 1: !9, 2: !12
//     %y = fadd …, !dbg !12      ; k.py:32                           lines: 1, 2
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class DILocation;
class MemoryBuffer;
class Module;
} // namespace llvm

namespace tilescope::native {

/// Has each instruction of the module say the number of its place as its line. `inObject`: object
/// code gets a line table; else assembly gets directives only. Returns the places by number less 1;
/// they live as long as the module's context.
std::vector<const llvm::DILocation *> numberPlaces(llvm::Module &module, bool inObject);

/// A line in a file, as debug information writes it: from 1, the path encoded (DebugPath.h).
struct CodePlace {
  std::string path;
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const CodePlace &) const = default;
};

/// The number of the place of the instruction that is `offset` bytes behind the start of `symbol`
/// in object code; 0: none.
uint32_t placeNumber(const llvm::MemoryBuffer &object, const std::string &symbol, uint64_t offset);

/// A place and those that it was inlined at, the innermost first.
std::vector<CodePlace> placesOf(const llvm::DILocation *place);

} // namespace tilescope::native
