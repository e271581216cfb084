// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A compiled kernel as bytes: for a folder from which the next start takes it.
#pragma once

#include "compiler/native/NativeKernel.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::native {

struct SavedCode {
  /// Of the function of one program.
  std::string symbol;
  /// Object code, which names the functions of this program that it calls.
  std::string object;
  /// As `NativeKernel` has them.
  std::vector<std::vector<CodePlace>> places;
  std::vector<CheckedAccess> accesses;
  std::vector<KernelAssertion> assertions;
  std::vector<KernelPrint> prints;
  std::vector<KernelAssembly> assemblies;
  int64_t scratchBytes = 0;
  bool checksBounds = false, notesDoubts = false;
};

std::string writeSavedCode(const SavedCode &code);
/// Nothing: these are not the bytes of one, or not all of them.
std::optional<SavedCode> readSavedCode(std::string_view bytes);

} // namespace tilescope::native
