// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names that are live before a loop and bound in it are carried from one iteration to the next.
// They keep their types, since the loop's arguments and results have them:
//
//   s = 0.0
//   for i in range(n):            %r = scf.for %i = %0 to %n step %1 iter_args(%s = %zero) {
//       s += tl.load(p + i)         scf.yield %sum
//   tl.store(q, s)                }  … tt.store %q, %r
#pragma once

#include "compiler/frontend/Emitter.h"

#include <set>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// The names that one loop of the function being emitted carries. Made before the loop is emitted;
/// `leave` ends it.
class LoopNames {
public:
  /// `index`: the loop's own name, which no iteration takes from the one before; empty: it has none.
  LoopNames(Emitter &emitter, const ast::Node &loop, std::string_view index);

  /// Carries the index, too, where it may be read behind the loop. As in Python it keeps its last
  /// value there, or the value before a loop that does not run.
  void addIndex(const ast::For &loop, const Tensor &lower);

  /// The handles that the names have before the loop, and now.
  llvm::SmallVector<mlir::Value> initial() const;
  llvm::SmallVector<mlir::Value> current() const;
  /// The names have these handles from here on: arguments of a block.
  void bind(llvm::ArrayRef<mlir::Value> handles);
  /// Calls the arguments what the names are called.
  void nameLocations(llvm::ArrayRef<mlir::Value> arguments);

  /// At the end of an iteration: reports the names whose types are not what they were.
  void check();
  /// Behind the loop: the scope is that of before, with the loop's results.
  void leave(mlir::ValueRange results);

private:
  struct Carried {
    std::string_view name;
    Value initial;
  };
  bool carries(std::string_view name) const;
  void checkType(const Carried &carried);
  void reject(std::string_view name, Diagnostic diagnostic);
  bool isLost(const Carried &carried) const;
  void poisonUpdated(const Scope &locals, Scope &after) const;

  Emitter &m_emitter;
  const ast::Node &m_loop;
  std::string_view m_index;
  Scope m_before;
  std::vector<Carried> m_carried;
  /// What was reported of their types.
  std::set<std::string_view> m_rejected;
};

} // namespace tilescope::compiler::frontend
