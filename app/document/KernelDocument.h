// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is shown is what is compiled, run, edited and exported, since all of them get the same
// value:
//
//   edit ──► KernelSource (text, kernels, launch blocks) ─┐
//   choice of kernel, launch, configuration, pin ─────────┼─► KernelDocument, revision 12
//   target and import folders of the window ──────────────┘      │
//        ┌──────────────┬──────────────┬──────────────┬──────────┤
//     compile          run        Run form       definitions   report
//
// A document never changes. Whatever the user does makes a new one with the next revision; what was
// made of an older one is stale. The worker determines which launch the document means, since the
// expressions of a launch block may take long: `CompileResult::launch` of the same revision.
#pragma once

#include "app/launch/SourceKernels.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchBlock.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler::ast {
class EditorDocument;
}

namespace tilescope::app {

/// A text with what is read off it alone. Made once for each edit and shared.
struct KernelSource {
  /// Of the file; empty for a text that has none yet.
  std::string path;
  /// What its tab calls a text without a file: `untitled-2.py`.
  std::string title;
  std::string text;
  /// The stage at which the text enters.
  compiler::StageId entry = compiler::StageId::Ast;
  /// Of a kernel file; documents in IR hold one kernel, which the compiler finds.
  std::vector<SourceKernel> kernels;
  /// Why a kernel file does not parse; empty: it does.
  std::vector<compiler::Diagnostic> syntaxErrors;
  profiler::LaunchBlocks launches;
  /// What Triton wrote down beside a file of IR.
  compiler::Selection facts;

  /// The path, or a name for a text without a file: debug information and messages need one.
  std::string name() const {
    if (!path.empty())
      return path;
    return title.empty() ? "untitled.py" : title;
  }
};

/// Never null. A text of no known kind is a kernel file, as an unnamed one is. `read` is of the
/// text, if the owner of the text has already read it. `title` is of a text without a file.
std::shared_ptr<const KernelSource> makeSource(std::string path, std::string text,
                                               const compiler::ast::EditorDocument *read = nullptr,
                                               std::string title = {});

/// What the user chose for one file. The launch block, then the compiler, decides the empty ones.
struct KernelChoice {
  std::string kernel;
  /// Position of a launch block; nothing: the first that fits the kernel.
  std::optional<int> launch;
  /// A configuration of `@triton.autotune`, or options of a document in IR.
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
  /// The cursor does not change kernel and launch.
  bool isPinned = false;
  bool operator==(const KernelChoice &) const = default;
};

/// What holds for every file.
struct DocumentSettings {
  /// `cuda:90` and the like; empty: the compiler's default.
  std::string target;
  /// Folders searched for imported kernels.
  std::vector<std::string> importPaths;
  /// Path -> text of each other file that is open and not saved: what imports it compiles that.
  std::map<std::string, std::string> openTexts;
  bool operator==(const DocumentSettings &) const = default;
};

struct KernelDocument {
  /// Grows with every edit and every choice; unique within one window.
  uint64_t revision = 0;
  std::shared_ptr<const KernelSource> source;
  KernelChoice choice;
  DocumentSettings settings;
  /// Position of the launch block that the choice means; -1 when none fits.
  int launch = -1;
  /// The kernel of the document before; stays while a launch block names one that the text lacks.
  std::string kernelBefore;

  /// The block at `launch`; null without one.
  const profiler::LaunchBlock *launchBlock() const;
  /// The kernel that the document is about; empty when the text does not say.
  std::string kernel() const;
  /// Names and texts of the block's own constexprs and options in whose place the chosen
  /// configuration is stated; nothing without a block.
  std::optional<std::vector<std::pair<std::string, std::string>>> replacedValues() const;
  /// What the choice asks for, in the words of a request.
  compiler::Selection selection() const;
  /// The request that compiles or runs this document.
  compiler::CompileRequest request() const;
};

using DocumentPointer = std::shared_ptr<const KernelDocument>;

/// The one place where documents are made. `kernelBefore` is that of the document that this one
/// takes the place of.
DocumentPointer makeDocument(uint64_t revision, std::shared_ptr<const KernelSource> source,
                             KernelChoice choice, DocumentSettings settings,
                             std::string kernelBefore = {});

/// Whether both mean the same kernel, launch, configuration and target, in whatever texts.
bool isSameChoice(const KernelDocument &a, const KernelDocument &b);

/// The choice that a cursor at `position` means: the kernel or launch block that it is in. Nothing
/// when it is in neither, or `current` is that already or is pinned.
std::optional<KernelChoice> choiceAt(const KernelDocument &current, Position position);

/// The choice of another kernel, or of another launch: what was chosen for the one before says
/// nothing about it.
KernelChoice chooseKernel(const KernelDocument &current, const std::string &kernel);
KernelChoice chooseLaunch(const KernelDocument &current, int launch);

} // namespace tilescope::app
