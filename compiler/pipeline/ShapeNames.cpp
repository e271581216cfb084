// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ShapeNames.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tilescope::compiler {

namespace {

/// Of a block whose axes the source does not say.
constexpr int kAnyAxis = -1;

/// What the addresses of a tensor are made of.
struct Speech {
  /// `row * D`
  std::set<std::string_view> factors;
  /// `tl.arange(0, D)`, and the axis of the block that it goes along.
  std::set<std::pair<std::string_view, int>> ranges;

  /// How much is said for a dimension of so many to be named after a constexpr.
  int saysOf(std::string_view name, size_t dim, size_t rank) const {
    constexpr int kFactor = 3, kAxis = 2, kSomewhere = 1;
    if (dim > 0 && factors.contains(name))
      return kFactor;
    if (rank == 2 && ranges.contains({name, static_cast<int>(dim)}))
      return kAxis;
    return ranges.contains({name, kAnyAxis}) ? kSomewhere : 0;
  }
};

class Addresses {
public:
  Addresses(const ast::FunctionDef &kernel, const std::map<std::string, std::string> &constexprs)
      : m_constexprs(constexprs) {
    ast::walk(kernel, [&](const ast::Node &node) {
      if (const auto *assign = ast::as<ast::Assign>(&node)) {
        for (const ast::Expr *target : assign->targets)
          define(target, assign->value);
      } else if (const auto *update = ast::as<ast::AugAssign>(&node)) {
        define(update->target, update->value);
      }
      return true;
    });
    ast::walk(kernel, [&](const ast::Node &node) {
      if (const auto *call = ast::as<ast::Call>(&node); call && isAccess(*call))
        readAddress(*call->args.front());
      return true;
    });
  }

  const Speech *of(const std::string &tensor) const {
    const auto found = m_tensors.find(tensor);
    return found == m_tensors.end() ? nullptr : &found->second;
  }

private:
  static std::string_view nameOf(const ast::Expr *expr) {
    const auto *name = ast::as<ast::Name>(expr);
    return name ? name->id : std::string_view();
  }

  static std::string_view calleeOf(const ast::Call &call) {
    const auto *function = ast::as<ast::Attribute>(call.func);
    return function ? function->attr : std::string_view();
  }

  static bool isAccess(const ast::Call &call) {
    const std::string_view callee = calleeOf(call);
    return !call.args.empty() &&
           (callee == "load" || callee == "store" || callee.starts_with("atomic_"));
  }

  void define(const ast::Expr *target, const ast::Expr *value) {
    if (const std::string_view name = nameOf(target); !name.empty())
      m_definitions[name].push_back(value);
  }

  bool isConstexpr(std::string_view name) const { return m_constexprs.contains(std::string(name)); }

  void readAddress(const ast::Expr &address) {
    m_speech = {};
    m_roots.clear();
    m_read.clear();
    read(&address, kAnyAxis);
    for (const std::string_view root : m_roots) {
      Speech &speech = m_tensors[std::string(root)];
      speech.factors.insert(m_speech.factors.begin(), m_speech.factors.end());
      speech.ranges.insert(m_speech.ranges.begin(), m_speech.ranges.end());
    }
  }

  /// The axis of a block that `x[:, None]` goes along: 0; other parts say none.
  static int axisOf(const ast::Subscript &part) {
    const auto *indices = ast::as<ast::Tuple>(part.slice);
    if (!indices || indices->elts.size() != 2)
      return kAnyAxis;
    const bool isFirst = ast::is<ast::Slice>(indices->elts[0]);
    return isFirst == ast::is<ast::Slice>(indices->elts[1]) ? kAnyAxis : isFirst ? 0 : 1;
  }

  void read(const ast::Expr *expr, int axis) {
    if (const std::string_view name = nameOf(expr); !name.empty()) {
      readName(name, axis);
    } else if (const auto *part = ast::as<ast::Subscript>(expr)) {
      const int own = axisOf(*part);
      read(part->value, own == kAnyAxis ? axis : own);
    } else if (const auto *operation = ast::as<ast::BinOp>(expr)) {
      for (const ast::Expr *side : {operation->left, operation->right}) {
        // Within `x[:, None]`, it counts blocks along that axis.
        if (operation->op == ast::BinaryOpKind::Mult && axis == kAnyAxis &&
            isConstexpr(nameOf(side)))
          m_speech.factors.insert(nameOf(side));
        read(side, axis);
      }
    } else if (const auto *call = ast::as<ast::Call>(expr); call && calleeOf(*call) != "load") {
      for (const ast::Expr *argument : call->args) {
        if (calleeOf(*call) == "arange" && isConstexpr(nameOf(argument)))
          m_speech.ranges.insert({nameOf(argument), axis});
        read(argument, axis);
      }
    }
  }

  void readName(std::string_view name, int axis) {
    if (isConstexpr(name) || !m_read.insert({name, axis}).second)
      return;
    const auto found = m_definitions.find(name);
    if (found == m_definitions.end()) {
      m_roots.insert(name);
      return;
    }
    for (const ast::Expr *value : found->second)
      read(value, axis);
  }

  const std::map<std::string, std::string> &m_constexprs;
  std::map<std::string_view, std::vector<const ast::Expr *>> m_definitions;
  std::map<std::string, Speech> m_tensors;
  /// Of the address that is read.
  Speech m_speech;
  std::set<std::string_view> m_roots;
  std::set<std::pair<std::string_view, int>> m_read;
};

} // namespace

void nameShapes(const ast::SyntaxTree &tree, std::string_view kernel,
                const std::map<std::string, std::string> &constexprs, SuggestedLaunch &launch) {
  const ast::FunctionDef *function = nullptr;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *each = ast::as<ast::FunctionDef>(&node);
    if (each && each->name == kernel)
      function = each;
    return true;
  });
  if (!function)
    return;
  const Addresses addresses(*function, constexprs);
  for (auto &[name, tensor] : launch.tensors) {
    const Speech *speech = addresses.of(name);
    for (size_t dim = 0; speech && dim < tensor.shape.size(); ++dim) {
      const auto named = constexprs.find(tensor.shape[dim]);
      if (named == constexprs.end())
        continue;
      int most = speech->saysOf(named->first, dim, tensor.shape.size());
      for (const auto &[other, value] : constexprs)
        if (const int said = speech->saysOf(other, dim, tensor.shape.size());
            value == named->second && said > most) {
          most = said;
          tensor.shape[dim] = other;
        }
    }
  }
}

} // namespace tilescope::compiler
