// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/ReducedIndices.h"

#include "compiler/frontend/Specialization.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <set>

namespace tilescope::compiler::frontend {
namespace {

/// What of a function depends on a block of indices, by the names that it has.
class Dependents {
public:
  Dependents(const Frame &frame, const ast::Expr &indices) : m_frame(frame), m_indices(indices) {
    // A second time for what a loop leaves to its next turn.
    for (int turn = 0; turn < 2; ++turn)
      visit([this](const ast::Node &node) {
        const auto *assign = ast::as<ast::Assign>(&node);
        const auto *target = assign && assign->targets.size() == 1
                                 ? ast::as<ast::Name>(assign->targets.front())
                                 : nullptr;
        if (target && has(*assign->value))
          m_names.insert(target->id);
      });
    visit([this](const ast::Node &node) { noteAxis(node); });
  }

  bool has(const ast::Expr &expr) const {
    bool found = false;
    ast::walk(expr, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      found |= &node == &m_indices || (name && m_names.contains(name->id));
      return !found;
    });
    return found;
  }

  bool areReduced() const {
    bool reduced = false;
    visit([&](const ast::Node &node) {
      if (const auto *call = ast::as<ast::Call>(&node))
        reduced |= isReducedBy(*call);
      else if (const auto *product = ast::as<ast::BinOp>(&node))
        reduced |= product->op == ast::BinaryOpKind::MatMult && has(*product->left) &&
                   has(*product->right);
    });
    return reduced;
  }

private:
  template <typename Visit> void visit(Visit &&visitor) const {
    for (const ast::Stmt *statement : m_frame.function->body)
      ast::walk(*statement, [&](const ast::Node &node) {
        visitor(node);
        return true;
      });
  }

  /// `k[None, :]` are the indices of axis 1.
  void noteAxis(const ast::Node &node) {
    const auto *entry = ast::as<ast::Subscript>(&node);
    const auto *places = entry ? ast::as<ast::Tuple>(entry->slice) : nullptr;
    if (!places || !has(*entry->value))
      return;
    int64_t axis = 0;
    for (const ast::Expr *place : places->elts) {
      if (ast::is<ast::Slice>(place))
        m_axes.insert(axis);
      ++axis;
    }
  }

  /// The axis of a reduction, where it is written as a number.
  static std::optional<int64_t> axisOf(const ast::Call &call, size_t position) {
    const ast::Expr *axis = position < call.args.size() ? call.args[position] : nullptr;
    for (const ast::Keyword *keyword : call.keywords)
      if (keyword->arg && *keyword->arg == "axis")
        axis = keyword->value;
    const auto *number = axis ? ast::as<ast::Constant>(axis) : nullptr;
    return number ? number->intValue : std::nullopt;
  }

  bool isReducedBy(const ast::Call &call) const {
    const auto *callee = ast::as<ast::Attribute>(call.func);
    if (!callee)
      return false;
    // What both factors depend on is what a product of matrices sums over.
    if (callee->attr == "dot")
      return call.args.size() >= 2 && has(*call.args[0]) && has(*call.args[1]);
    const bool isReduction = llvm::StringSwitch<bool>(callee->attr)
                                 .Cases({"sum", "max", "min", "mean"}, true)
                                 .Cases({"argmax", "argmin", "xor_sum", "reduce"}, true)
                                 .Default(false);
    if (!isReduction)
      return false;
    // `x.sum(axis=0)` and `tl.sum(x, axis=0)`.
    const bool isMethod = has(*callee->value);
    if (!isMethod && (call.args.empty() || !has(*call.args.front())))
      return false;
    const std::optional<int64_t> axis = axisOf(call, isMethod ? 0 : 1);
    return !axis || *axis < 0 || m_axes.empty() || m_axes.contains(*axis);
  }

  const Frame &m_frame;
  const ast::Expr &m_indices;
  llvm::StringSet<> m_names;
  /// Those of a block along which the indices are laid; empty: of a vector.
  std::set<int64_t> m_axes;
};

} // namespace

bool areReduced(const Frame &frame, const ast::Expr &indices) {
  return frame.function && Dependents(frame, indices).areReduced();
}

std::string loopOverBlocks(const Frame &frame, const ast::Expr &indices, const std::string &count,
                           const ArrayName &block) {
  if (block.isNew || !frame.function)
    return {};
  bool isOfOthers = false;
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      isOfOthers |= name && name->id == block.name;
      return !isOfOthers && &node != &indices;
    });
  if (!isOfOthers || !areReduced(frame, indices))
    return {};
  return "`tl.arange(0, " + block.name + ")` would be only the first `" + block.name + "` of `" +
         count +
         "`, and what is reduced would leave out the others: a loop takes all, `for start in "
         "range(0, " +
         count + ", " + block.name + "):` with `start + tl.arange(0, " + block.name + ")`";
}

} // namespace tilescope::compiler::frontend
