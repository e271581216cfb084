// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/InlineAssembly.h"
#include "compiler/interpreter/OutsideFinding.h"
#include "compiler/interpreter/PrintText.h"
#include "compiler/interpreter/SourceLocations.h"
#include "compiler/native/CodePlaces.h"
#include "compiler/support/Result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace tilescope::native {

/// Executes one program; `compiler/conversion/tt_to_cpu` says with what.
using Program = void (*)(const uint64_t *arguments, int32_t *launch, std::byte *scratch);

/// Forms of a kernel on its way.
struct NativeTexts {
  std::string cpuIr, llvmIr, assembly;
};

/// An assertion of a kernel.
struct KernelAssertion {
  /// What a run says where it does not hold.
  std::string text;
  /// Of its condition's block; 1 where all elements are one value.
  int64_t numElements = 1;
  /// As a checked access has it.
  std::vector<compiler::interpreter::SourcePlace> places;
};

/// A print of a kernel; its values are without elements.
struct KernelPrint {
  std::string prefix;
  bool isHex = false;
  std::vector<compiler::interpreter::PrintedValue> values;
  /// As a checked access has it.
  std::vector<compiler::interpreter::SourcePlace> places;
};

/// Inline assembly of a kernel.
struct KernelAssembly {
  compiler::interpreter::AssemblySource source;
  size_t numElements = 1;
  compiler::interpreter::InlineAssembly parsed;
};

struct NativeOptions {
  /// As `cpu::LoweringOptions` has it.
  bool argumentsOverlap = false;
  /// Of the vectors that code is made for; 0: as wide as the processor's.
  unsigned vectorBytes = 0;
  /// As `cpu::LoweringOptions` has it.
  bool checkBounds = false;
  /// With it: as `cpu::LoweringOptions` has it.
  bool noteDoubts = false;
  /// As `cpu::LoweringOptions` has it.
  bool isExact = false;
  /// As `cpu::LoweringOptions` has it.
  bool streamsStores = false;
};

/// An access whose bounds are checked.
struct CheckedAccess {
  compiler::interpreter::AccessedElement element;
  /// Where it is in the source, the innermost place first.
  std::vector<compiler::interpreter::SourcePlace> places;
};

struct SavedCode;

/// A kernel in memory, ready to be called. The code lives as long as one of these does.
class NativeKernel {
public:
  /// Lowers the only public function of a module of TTIR. Where an operation has no lowering, errors
  /// are emitted at the operations, and the result is an error that says so. `texts`: null, or filled.
  static Result<NativeKernel> compile(mlir::ModuleOp ttir, const NativeOptions &options,
                                      NativeTexts *texts = nullptr);

  /// Links code that was saved by a program of this build, on such a processor.
  static Result<NativeKernel> load(SavedCode saved);
  /// For `load`.
  SavedCode save() const;

  Program program() const { return m_program; }
  /// Memory that each call needs for itself, aligned to 64 bytes.
  int64_t scratchBytes() const { return m_scratchBytes; }
  bool checksBounds() const { return m_checksBounds; }
  bool notesDoubts() const { return m_notesDoubts; }
  /// By their numbers; empty where bounds are not checked.
  std::span<const CheckedAccess> checkedAccesses() const;
  /// About as much memory as it takes.
  size_t codeBytes() const;
  /// Where the instruction at an address comes from, the innermost place first; empty: from nowhere
  /// in the source, or it is not of this kernel.
  std::vector<CodePlace> placesAt(uint64_t address) const;

  /// What a program took, in the mean, when a grid of it was executed last; nothing: none was.
  std::optional<std::chrono::nanoseconds> programDuration() const;
  void keepProgramDuration(std::chrono::nanoseconds duration) const;

  /// By number, from 0.
  const std::vector<KernelAssertion> &assertions() const { return m_assertions; }
  const std::vector<KernelPrint> &prints() const { return m_prints; }
  const std::vector<KernelAssembly> &assemblies() const { return m_assemblies; }

private:
  struct Code;
  std::shared_ptr<const Code> m_code;
  Program m_program = nullptr;
  int64_t m_scratchBytes = 0;
  bool m_checksBounds = false, m_notesDoubts = false;
  std::vector<KernelAssertion> m_assertions;
  std::vector<KernelPrint> m_prints;
  std::vector<KernelAssembly> m_assemblies;
};

} // namespace tilescope::native
