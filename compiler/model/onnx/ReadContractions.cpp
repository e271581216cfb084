// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of matrices and sums of products.
#include "compiler/model/import/ResultExtents.h"
#include "compiler/model/onnx/OperatorRules.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilescope::model {

static bool readMatmul(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const auto extents = productExtents(node, node.extents(0), node.extents(1));
  return extents && node.finish(node.emit<tm::MatmulOp>(node.tensorType(*extents, node.element(0)),
                                                        node.operand(0), node.operand(1)));
}

static bool readGemm(Node &node) {
  if (!node.expectOperands(2, 3))
    return false;
  const bool transposesLeft = node.integer("transA", 0) != 0,
             transposesRight = node.integer("transB", 0) != 0;
  tm::ExtentList left = node.extents(0), right = node.extents(1);
  if (left.size() != 2 || right.size() != 2)
    return node.fail("matrices of " + tm::extentsText(left) + " and " + tm::extentsText(right) +
                     " cannot be multiplied");
  if (transposesLeft)
    std::swap(left[0], left[1]);
  if (transposesRight)
    std::swap(right[0], right[1]);
  const auto extents = productExtents(node, left, right);
  if (!extents)
    return false;
  const RankedTensorType type = node.tensorType(*extents, node.element(0));
  return node.finish(node.emit<tm::GemmOp>(
      type, node.operand(0), node.operand(1), node.operand(2), llvm::APFloat(node.real("alpha", 1)),
      llvm::APFloat(node.real("beta", 1)), transposesLeft, transposesRight));
}

namespace {
/// The extents of the letters of an equation like `bij,bjk->bik`; `...` stands for any axes.
class Equation {
public:
  explicit Equation(Node &node) : m_node(node) {}

  std::optional<tm::ExtentList> result() {
    std::string text = m_node.text("equation", "");
    std::erase(text, ' ');
    const auto [inputs, output] = StringRef(text).split("->");
    SmallVector<StringRef> terms;
    inputs.split(terms, ',');
    if (terms.size() != m_node.numOperands())
      return fail(text);
    for (const auto &[i, term] : llvm::enumerate(terms))
      if (!m_node.operand(i) || !take(term, m_node.extents(i)))
        return fail(text);
    const std::string wanted = StringRef(text).contains("->") ? output.str() : impliedOutput();
    tm::ExtentList extents;
    for (StringRef rest = wanted; !rest.empty();) {
      if (rest.consume_front("...")) {
        extents.append(m_others);
      } else {
        const auto found = m_letters.find(rest.front());
        if (found == m_letters.end())
          return fail(text);
        extents.push_back(found->second.first);
        rest = rest.drop_front();
      }
    }
    return extents;
  }

private:
  std::optional<tm::ExtentList> fail(const std::string &text) {
    m_node.fail("the equation `" + text + "` does not go with its inputs");
    return std::nullopt;
  }

  bool take(StringRef term, ArrayRef<tm::Extent> extents) {
    const bool hasOthers = term.contains("...");
    const size_t letters = term.size() - (hasOthers ? 3 : 0);
    if (hasOthers ? extents.size() < letters : extents.size() != letters)
      return false;
    while (!term.empty()) {
      if (term.consume_front("...")) {
        const size_t count = extents.size() - llvm::count_if(term, llvm::isAlpha);
        if (!takeOthers(extents.take_front(count)))
          return false;
        extents = extents.drop_front(count);
        continue;
      }
      auto &[extent, uses] = m_letters.insert({term.front(), {extents.front(), 0}}).first->second;
      extent = tm::repeated(extent, extents.front());
      ++uses;
      if (!llvm::isAlpha(term.front()) || !extent)
        return false;
      term = term.drop_front();
      extents = extents.drop_front();
    }
    return true;
  }

  bool takeOthers(ArrayRef<tm::Extent> extents) {
    if (extents.size() > m_others.size())
      m_others.insert(m_others.begin(), extents.size() - m_others.size(), m_node.number(1));
    const size_t skipped = m_others.size() - extents.size();
    for (const auto &[axis, extent] : llvm::enumerate(extents)) {
      tm::Extent &other = m_others[skipped + axis];
      other = tm::repeated(other, extent);
      if (!other)
        return false;
    }
    return true;
  }

  /// The letters that occur once, in the order of the alphabet.
  std::string impliedOutput() const {
    std::string output;
    for (const auto &[letter, use] : m_letters)
      if (use.second == 1)
        output.push_back(letter);
    llvm::sort(output);
    return (m_others.empty() ? "" : "...") + output;
  }

  Node &m_node;
  llvm::MapVector<char, std::pair<tm::Extent, int>> m_letters;
  tm::ExtentList m_others;
};
} // namespace

static bool readEinsum(Node &node) {
  const auto extents = Equation(node).result();
  return extents &&
         node.finish(node.emit<tm::EinsumOp>(node.tensorType(*extents, node.element(0)),
                                             node.text("equation", ""), node.operands()));
}

static constexpr OperatorRule kContractionRules[] = {
    {"Einsum", readEinsum}, {"Gemm", readGemm}, {"MatMul", readMatmul}};

std::span<const OperatorRule> contractionRules() { return kContractionRules; }

} // namespace tilescope::model
