// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/RowMask.h"

#include "compiler/pipeline/CountUses.h"
#include "compiler/syntax/ExpressionParts.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

static std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// How much of the index's name the extent's has: `n_rows` all of `rows`, `M` the end of `offs_m`.
static int likeness(std::string_view extent, std::string_view index) {
  const size_t end =
      index.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  const std::string name = lowered(extent), of = lowered(index.substr(0, end));
  if (of.empty())
    return 0;
  if (name == of || name.find(of) != name.npos || of.find(name) != of.npos)
    return 2;
  return name.back() == of.back() ? 1 : 0;
}

/// The one that is most like the index's name; empty where two are as likely.
static std::string likeliestName(const std::vector<std::string> &names, std::string_view index) {
  int best = -1;
  std::string meant;
  for (const std::string &name : names) {
    const int like = likeness(name, index);
    if (like >= best)
      meant = like == best ? std::string() : name;
    best = std::max(best, like);
  }
  return meant;
}

namespace {

/// Terms of an address that are multiplied by one stride.
struct Index {
  std::vector<const ast::Expr *> terms;
  /// As it is written; empty: 1.
  std::string stride;
  /// The name that the launch gives the stride's value, 1 as well; empty: it is something else.
  std::string strideName;
  int64_t strideValue = 1;
  bool hasAxis = false;
  /// Elements along its axis; 0: not known.
  int64_t extent = 0;
};

class Address {
public:
  Address(const ast::SyntaxTree &tree, const ast::Node &function, const IndexReader &reader,
          const InterpreterFinding &finding)
      : m_tree(tree), m_function(function), m_reader(reader), m_finding(finding) {}

  RowMask read(const ast::Expr &address) {
    addTerms(address, 0);
    RowMask mask;
    mask.isMatrix = m_hasAxis || m_indices.size() > 1 ||
                    (m_indices.size() == 1 && m_indices.front().strideValue > 1);
    if (!m_hasPointer || !mask.isMatrix || m_isUnclear || !setExtents())
      return mask;
    std::vector<std::string> conditions;
    bool isNamed = true;
    for (size_t i = 0; i < m_indices.size(); ++i) {
      if (staysInside(m_indices[i]))
        continue;
      const std::string code = codeOf(m_indices[i]);
      const std::string bound = boundOf(i, code);
      isNamed &= !bound.empty() && !code.empty();
      conditions.push_back(code + " < " + bound);
      if (leaves(m_indices[i]) && mask.words.empty() && !code.empty())
        mask.words =
            "keep `" + (mask.index = code) + "` below " + std::to_string(m_indices[i].extent);
    }
    if (isNamed && !conditions.empty())
      mask.condition = joined(conditions);
    if (areStridesExchanged())
      mask.exchanged = {m_indices[0].strideName, m_indices[1].strideName};
    return mask;
  }

private:
  static std::string joined(const std::vector<std::string> &conditions) {
    if (conditions.size() == 1)
      return conditions.front();
    std::string all;
    for (const std::string &each : conditions)
      all += (all.empty() ? "(" : " & (") + each + ")";
    return all;
  }

  std::string text(const ast::Expr &expr) const { return std::string(m_tree.text(expr.range)); }

  /// A factor that the launch gives a value, other than the extent of a block: `pid * BLOCK` is a
  /// part of the index that goes on with `tl.arange(0, BLOCK)`.
  std::optional<int64_t> strideOf(const ast::Expr &factor) const {
    const auto *name = ast::as<ast::Name>(&factor);
    if (!name || m_reader.isBlockExtent(name->id))
      return std::nullopt;
    if (const std::optional<int64_t> value = m_reader.sizes().value(name->id))
      return value;
    // `stride = n_cols` and the like.
    const std::optional<IndexSpan> range = m_reader.valueOf(*name) &&
                                                   !m_reader.calls(*name, "arange") &&
                                                   !m_reader.calls(*name, "program_id")
                                               ? m_reader.range(*name)
                                               : std::nullopt;
    return range && range->first == range->last ? std::optional(range->first) : std::nullopt;
  }

  void addIndex(const ast::Expr &term, const std::string &stride, int64_t value) {
    const bool isName = m_reader.sizes().value(stride).has_value();
    const bool hasAxis = m_reader.hasAxis(term);
    m_hasAxis |= hasAxis;
    for (Index &index : m_indices)
      if (index.strideValue == value) {
        m_isUnclear |= hasAxis && index.hasAxis;
        index.hasAxis |= hasAxis;
        index.terms.push_back(&term);
        return;
      }
    m_indices.push_back({{&term},
                         value == 1 ? std::string() : stride,
                         isName ? stride : std::string(),
                         value,
                         hasAxis});
  }

  /// One index times several sizes: `channel * H * W` are rows of `H * W` elements. False: it is another
  /// product.
  bool addProduct(const ast::BinOp &product) {
    std::vector<const ast::Expr *> factors;
    addFactors(product, factors);
    const ast::Expr *index = nullptr;
    std::string stride;
    int64_t value = 1;
    for (const ast::Expr *factor : factors) {
      const auto *number = ast::as<ast::Constant>(factor);
      const std::optional<int64_t> size = number ? number->intValue : strideOf(*factor);
      if (size && *size > 0) {
        value *= *size;
        stride += (stride.empty() ? "" : " * ") + text(*factor);
      } else if (index) {
        return false;
      } else {
        index = factor;
      }
    }
    if (!index || factors.size() < 3)
      return false;
    addIndex(*index, stride, value);
    return true;
  }

  static void addFactors(const ast::Expr &expr, std::vector<const ast::Expr *> &factors) {
    const auto *product = ast::as<ast::BinOp>(&expr);
    if (!product || product->op != ast::BinaryOpKind::Mult)
      return factors.push_back(&expr);
    addFactors(*product->left, factors);
    addFactors(*product->right, factors);
  }

  void addTerms(const ast::Expr &expr, int depth) {
    constexpr int kMaxDepth = 6;
    const auto *operation = ast::as<ast::BinOp>(&expr);
    if (operation && operation->op == ast::BinaryOpKind::Add) {
      addTerms(*operation->left, depth);
      return addTerms(*operation->right, depth);
    }
    if (operation && operation->op == ast::BinaryOpKind::Mult && addProduct(*operation))
      return;
    if (operation && operation->op == ast::BinaryOpKind::Mult)
      for (const auto &[index, stride] : {std::pair(operation->left, operation->right),
                                          std::pair(operation->right, operation->left)})
        if (const std::optional<int64_t> value = strideOf(*stride); value && *value > 0)
          return addIndex(*index, text(*stride), *value);
    const auto *name = ast::as<ast::Name>(&expr);
    const ast::Expr *value = m_reader.valueOf(expr);
    if (!value && name && name->id == m_finding.argument)
      m_hasPointer = true;
    else if (value && depth < kMaxDepth && isAddress(*value, depth + 1))
      addTerms(*value, depth + 1);
    else
      addIndex(expr, {}, 1);
  }

  /// Whether a sum has the pointer or a stride among its terms, so that it is taken apart.
  bool isAddress(const ast::Expr &expr, int depth) const {
    Address inner(m_tree, m_function, m_reader, m_finding);
    inner.addTerms(expr, depth);
    return inner.m_hasPointer || inner.m_indices.size() > 1 ||
           (!inner.m_indices.empty() && inner.m_indices.front().strideValue > 1);
  }

  /// Each axis ends where the next row of the axis before begins.
  bool setExtents() {
    std::ranges::sort(m_indices, std::greater(), &Index::strideValue);
    int64_t all = m_finding.extent;
    for (Index &index : m_indices) {
      if (index.strideValue <= 0 || all % index.strideValue != 0)
        return false;
      index.extent = all / index.strideValue;
      all = index.strideValue;
    }
    return !m_indices.empty();
  }

  std::optional<IndexSpan> rangeOf(const Index &index) const {
    IndexSpan sum;
    for (const ast::Expr *term : index.terms) {
      const std::optional<IndexSpan> range = m_reader.range(*term);
      if (!range)
        return std::nullopt;
      sum.first += range->first;
      sum.last += range->last;
    }
    return sum;
  }

  bool calls(const Index &index, std::string_view function) const {
    return std::ranges::any_of(
        index.terms, [&](const ast::Expr *term) { return m_reader.calls(*term, function); });
  }

  /// Whether it needs no condition: a number, or the same block in every program, within the extent.
  bool staysInside(const Index &index) const {
    const std::optional<IndexSpan> range = rangeOf(index);
    const bool isBlockOfProgram = calls(index, "arange") && calls(index, "program_id");
    return range && range->first >= 0 && range->last < index.extent && !isBlockOfProgram;
  }

  bool leaves(const Index &index) const {
    const std::optional<IndexSpan> range = rangeOf(index);
    return range && range->last >= index.extent;
  }

  std::string codeOf(const Index &index) const {
    std::string code;
    for (const ast::Expr *term : index.terms)
      code += (code.empty() ? "" : " + ") + text(*term);
    return code.find('\n') == std::string::npos ? code : std::string();
  }

  /// The only name that bounds an index in the function: `M`, where a mask has `rm[:, None] < M`. Empty where there
  /// are several.
  std::string boundName(const Index &index) const {
    const auto nameOf = [](const ast::Expr *expr) {
      const auto *axes = ast::as<ast::Subscript>(expr);
      const auto *name = ast::as<ast::Name>(axes ? axes->value : expr);
      return name ? name->id : std::string_view();
    };
    const std::string_view own =
        index.terms.size() == 1 ? nameOf(index.terms.front()) : std::string_view();
    std::vector<std::string_view> bounds;
    if (!own.empty())
      ast::walk(m_function, [&](const ast::Node &node) {
        const auto *compare = ast::as<ast::Compare>(&node);
        if (compare && compare->ops.size() == 1 && compare->ops[0] == ast::CompareOpKind::Lt &&
            nameOf(compare->left) == own)
          bounds.push_back(nameOf(compare->comparators[0]));
        return true;
      });
    const bool isOne = !bounds.empty() && !bounds[0].empty() &&
                       std::ranges::count(bounds, bounds[0]) == std::ssize(bounds);
    return isOne ? std::string(bounds[0]) : std::string();
  }

  /// The same of another access. Empty where it lies behind the extent.
  std::string boundElsewhere(const Index &index) const {
    const std::string name = boundName(index);
    const std::optional<int64_t> value = m_reader.sizes().value(name);
    return value && *value <= index.extent ? name : std::string();
  }

  /// Whether a bound of one index is where the other one ends, and names that the launch gives values lie between
  /// their elements: the values may be exchanged just as the bounds.
  bool areStridesExchanged() const {
    if (m_indices.size() != 2 || m_indices[0].strideName.empty() ||
        m_indices[1].strideName.empty() || m_indices[0].strideName == m_indices[1].strideName)
      return false;
    const std::string bounds[] = {boundName(m_indices[0]), boundName(m_indices[1])};
    return (!bounds[0].empty() && isExchanged(0, bounds[0])) ||
           (!bounds[1].empty() && isExchanged(1, bounds[1]));
  }

  /// Whether a bound that lies before the end of its index is where another index ends: the two are exchanged.
  bool isExchanged(size_t index, const std::string &bound) const {
    const std::optional<int64_t> value = m_reader.sizes().value(bound);
    if (value == m_indices[index].extent)
      return false;
    for (size_t i = 0; i < m_indices.size(); ++i)
      if (i != index && value == m_indices[i].extent)
        return true;
    return false;
  }

  /// The argument that counts the elements of a row, where the distance of rows only happens to be as large in this
  /// launch; one that the kernel does not use counts what a mask forgets. Empty: that distance counts them itself, or
  /// nothing else does.
  std::string countBeside(const std::string &row, int64_t extent, const std::string &index) const {
    if (!m_reader.sizes().arguments.contains(row) || isCount(m_function, row))
      return "";
    std::vector<std::string> counts;
    for (const auto &[name, size] : m_reader.sizes().arguments)
      if (size == extent && name != row &&
          (isCount(m_function, name) || !ast::mentions(m_function, name)))
        counts.push_back(name);
    return likeliestName(counts, index);
  }

  std::string boundOf(size_t index, const std::string &code) const {
    const Index &of = m_indices[index];
    if (const std::string known = boundElsewhere(of); !known.empty() && !isExchanged(index, known))
      return known;
    // A loop that goes through the index in steps says where it ends.
    if (of.terms.size() == 1)
      if (const ast::Expr *end = m_reader.loopEnd(*of.terms.front()))
        return text(*end);
    // The length of a row is what the number of the row is multiplied by.
    const std::string &row = index > 0 ? m_indices[index - 1].stride : of.stride;
    const bool isLength = index > 0 && of.strideValue == 1 && row.find("stride") == row.npos;
    if (isLength && !row.empty()) {
      const std::string count = countBeside(row, of.extent, code);
      return count.empty() ? row : count;
    }
    const std::string name = extentName(of.extent, code, m_reader);
    return name.empty() && index > 0 && of.strideValue == 1 ? row : name;
  }

  const ast::SyntaxTree &m_tree;
  const ast::Node &m_function;
  const IndexReader &m_reader;
  const InterpreterFinding &m_finding;
  bool m_hasPointer = false;
  bool m_hasAxis = false;
  /// Several axes may be in one index.
  bool m_isUnclear = false;
  std::vector<Index> m_indices;
};

} // namespace

std::string extentName(int64_t extent, std::string_view index, const IndexReader &reader) {
  std::vector<std::string> found;
  const auto collect = [&](const std::map<std::string, int64_t> &sizes) {
    for (const auto &[name, size] : sizes)
      if (size == extent && name.find("stride") == name.npos && !reader.isBlockExtent(name))
        found.push_back(name);
  };
  collect(reader.sizes().arguments);
  if (found.empty())
    collect(reader.sizes().constexprs);
  return likeliestName(found, index);
}

RowMask rowMask(const ast::SyntaxTree &tree, const ast::Node &function, const ast::Expr &address,
                const InterpreterFinding &finding, const KernelSizes &sizes) {
  const IndexReader reader(function, finding.range.begin, finding.programId, sizes);
  return Address(tree, function, reader, finding).read(address);
}

bool isProgramNumber(const ast::Node &function, std::string_view index) {
  bool found = index.find("program_id(") != std::string_view::npos;
  ast::walk(function, [&](const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *target = assign ? ast::as<ast::Name>(assign->targets[0]) : nullptr;
    const auto *call = target && target->id == index ? ast::as<ast::Call>(assign->value) : nullptr;
    const auto *called = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    found |= called && called->attr == "program_id";
    return !found;
  });
  return found;
}

} // namespace tilescope::compiler
