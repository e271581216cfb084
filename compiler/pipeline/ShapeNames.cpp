// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ShapeNames.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
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
  /// `D // 2` of `tl.arange(0, D // 2)` and of `row * (D // 2)`, by its value.
  std::map<std::string, std::string> computed;
  /// Digits that it is multiplied by.
  std::set<std::string> literals;
  /// `k // GROUP`, `k // 8`
  std::set<std::string> divisors;

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

std::optional<int64_t> numberIn(const std::string &text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

class Addresses {
public:
  Addresses(const ast::FunctionDef &kernel, const std::map<std::string, std::string> &constexprs)
      : m_constexprs(constexprs) {
    ast::walk(kernel, [&](const ast::Node &node) {
      if (const auto *assign = ast::as<ast::Assign>(&node)) {
        for (const ast::Expr *target : assign->targets)
          define(target, assign->value);
      } else if (const auto *annotated = ast::as<ast::AnnAssign>(&node)) {
        if (annotated->value)
          define(annotated->target, annotated->value);
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

  /// A number that follows from constexprs, and how it is written.
  struct Computed {
    int64_t value = 0;
    std::string text;
    bool isSingle = true;
    std::string asOperand() const { return isSingle ? text : "(" + text + ")"; }
  };

  std::optional<Computed> compute(const ast::Expr *expr, int depth = 0) const {
    static constexpr int kMaxDepth = 6;
    if (const auto *number = ast::as<ast::Constant>(expr); number && number->intValue)
      return Computed{*number->intValue, std::to_string(*number->intValue)};
    if (const std::string_view name = nameOf(expr); !name.empty() && depth < kMaxDepth) {
      if (const auto known = m_constexprs.find(std::string(name)); known != m_constexprs.end()) {
        const std::optional<int64_t> value = numberIn(known->second);
        return value ? std::optional(Computed{*value, known->first}) : std::nullopt;
      }
      const auto found = m_definitions.find(name);
      return found != m_definitions.end() && found->second.size() == 1
                 ? compute(found->second.front(), depth + 1)
                 : std::nullopt;
    }
    const auto *operation = ast::as<ast::BinOp>(expr);
    if (!operation || depth >= kMaxDepth)
      return std::nullopt;
    const std::optional<Computed> left = compute(operation->left, depth + 1);
    const std::optional<Computed> right = left ? compute(operation->right, depth + 1) : left;
    if (!right)
      return std::nullopt;
    const auto written = [&](int64_t value, const char *sign) {
      return Computed{value, left->asOperand() + sign + right->asOperand(), false};
    };
    switch (operation->op) {
    case ast::BinaryOpKind::Add:
      return written(left->value + right->value, " + ");
    case ast::BinaryOpKind::Sub:
      return written(left->value - right->value, " - ");
    case ast::BinaryOpKind::Mult:
      return written(left->value * right->value, " * ");
    case ast::BinaryOpKind::FloorDiv:
      return left->value >= 0 && right->value > 0
                 ? std::optional(written(left->value / right->value, " // "))
                 : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  /// Notes what a part of an index is multiplied by, or how many elements of it there are.
  void speakOf(const ast::Expr *expr) {
    const std::optional<Computed> number = compute(expr);
    if (!number || isConstexpr(number->text))
      return;
    if (number->isSingle)
      m_speech.literals.insert(number->text);
    else
      m_speech.computed.emplace(std::to_string(number->value), number->text);
  }

  void speakOfDivision(const ast::BinOp &operation) {
    const std::optional<Computed> divisor = compute(operation.right);
    if (operation.op == ast::BinaryOpKind::FloorDiv && divisor && divisor->isSingle &&
        !compute(operation.left))
      m_speech.divisors.insert(divisor->text);
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
      speech.computed.insert(m_speech.computed.begin(), m_speech.computed.end());
      speech.literals.insert(m_speech.literals.begin(), m_speech.literals.end());
      speech.divisors.insert(m_speech.divisors.begin(), m_speech.divisors.end());
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
      speakOfDivision(*operation);
      for (const ast::Expr *side : {operation->left, operation->right}) {
        // Within `x[:, None]`, it counts blocks along that axis.
        if (operation->op == ast::BinaryOpKind::Mult && axis == kAnyAxis &&
            isConstexpr(nameOf(side)))
          m_speech.factors.insert(nameOf(side));
        if (operation->op == ast::BinaryOpKind::Mult)
          speakOf(side);
        read(side, axis);
      }
    } else if (const auto *call = ast::as<ast::Call>(expr); call && calleeOf(*call) != "load") {
      for (const ast::Expr *argument : call->args) {
        if (calleeOf(*call) == "arange" && isConstexpr(nameOf(argument)))
          m_speech.ranges.insert({nameOf(argument), axis});
        if (calleeOf(*call) == "arange")
          speakOf(argument);
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

/// `8` for `GROUP` in `cdiv(n, GROUP)` where the indices are divided by a literal of its value, and the other way round.
void nameDivisor(const Speech &speech, const std::map<std::string, std::string> &constexprs,
                 std::string &extent) {
  const size_t begin = extent.rfind(", ");
  if (!extent.starts_with("cdiv(") || begin == std::string::npos || !extent.ends_with(")"))
    return;
  const auto valueOf = [&](const std::string &text) {
    const auto known = constexprs.find(text);
    return known == constexprs.end() ? text : known->second;
  };
  const std::string divisor = extent.substr(begin + 2, extent.size() - begin - 3);
  if (speech.divisors.contains(divisor))
    return;
  for (const std::string &other : speech.divisors)
    if (valueOf(other) == valueOf(divisor)) {
      extent = extent.substr(0, begin + 2) + other + ")";
      return;
    }
}

/// The value of an extent that is a number, a constexpr, or a multiple of one, `2 * BLOCK`; and that constexpr.
std::pair<std::optional<int64_t>, std::string>
extentIn(const std::string &text, const std::map<std::string, std::string> &constexprs) {
  if (const std::optional<int64_t> number = numberIn(text))
    return {number, {}};
  const size_t sign = text.find(" * ");
  const std::string name = sign == std::string::npos ? text : text.substr(sign + 3);
  const std::optional<int64_t> times =
      sign == std::string::npos ? std::optional<int64_t>(1) : numberIn(text.substr(0, sign));
  const auto known = constexprs.find(name);
  const std::optional<int64_t> value =
      known == constexprs.end() ? std::nullopt : numberIn(known->second);
  return {times && value ? std::optional(*times * *value) : std::nullopt, name};
}

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
      std::string &extent = tensor.shape[dim];
      nameDivisor(*speech, constexprs, extent);
      const auto [number, part] = extentIn(extent, constexprs);
      if (!number)
        continue;
      int most = speech->saysOf(part, dim, tensor.shape.size());
      if (const auto named = constexprs.find(extent); named != constexprs.end())
        for (const auto &[other, value] : constexprs)
          if (const int said = speech->saysOf(other, dim, tensor.shape.size());
              value == named->second && said > most) {
            most = said;
            extent = other;
          }
      const std::string digits = std::to_string(*number);
      const auto computed = speech->computed.find(digits);
      if (most == 0 && computed != speech->computed.end() && !speech->literals.contains(digits))
        extent = computed->second;
    }
  }
}

} // namespace tilescope::compiler
