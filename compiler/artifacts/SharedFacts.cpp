// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/SharedFacts.h"

namespace tilescope::compiler {

std::string_view sharedUseName(SharedUse use) {
  switch (use) {
  case SharedUse::Buffer:
    return "buffer";
  case SharedUse::Scratch:
    return "scratch";
  case SharedUse::Call:
    return "call";
  case SharedUse::Dispatch:
    return "dispatch";
  }
  return "";
}

std::vector<size_t> SharedFacts::sharersOf(size_t buffer) const {
  std::vector<size_t> sharers;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (i != buffer && buffers[i].sharesBytesWith(buffers[buffer]))
      sharers.push_back(i);
  return sharers;
}

} // namespace tilescope::compiler
