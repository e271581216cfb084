// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What native code calls that knows the kernel: its prints, and its inline assembly, which the
// interpreter's evaluator executes (compiler/conversion/tt_to_cpu/Calls.h).
#pragma once

#include "compiler/native/NativeKernel.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::native {

/// The lines of one print of a program.
struct ProgramPrint {
  std::array<int32_t, 3> programId{};
  /// Of `NativeKernel::prints`.
  size_t number = 0;
  std::string text;
};

/// For the programs that one thread executes.
class ProgramCalls {
public:
  /// Keeps so many prints, the first ones.
  ProgramCalls(const NativeKernel &kernel, size_t maxPrints)
      : m_kernel(kernel), m_maxPrints(maxPrints) {}

  /// As `cpu::kPrintFunction` says.
  void print(const int32_t *launch, size_t number, const std::byte *const *values);
  /// As `cpu::kAssembleFunction` says.
  void assemble(size_t number, std::byte *const *arrays) const;

  const std::vector<ProgramPrint> &prints() const { return m_prints; }

private:
  const NativeKernel &m_kernel;
  size_t m_maxPrints;
  std::vector<ProgramPrint> m_prints;
};

/// Lets the functions that a program calls find these.
void setCalls(int32_t *launch, ProgramCalls *calls);

/// The function of that name; null: it is another name.
void *callsFunction(std::string_view symbol);

} // namespace tilescope::native
