// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/inference/BlockNeeds.h"

namespace tilescope::compiler::inference {

/// Reads what a function's body does with its parameters: expressions and statements
/// (UseAnalyzer.cpp), accesses to memory (AccessUses.cpp), and calls (CallUses.cpp).
class UseAnalyzer final : BlockNeeds {
public:
  UseAnalyzer(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
              const ImportedFunctions *imports, bool takesBlocks, int depth = 0)
      : BlockNeeds(index, kernel, takesBlocks), m_imports(imports), m_depth(depth) {}

  std::map<std::string, ParameterUse, std::less<>> run();

private:
  template <typename F> void forEachNode(F &&visitor) {
    for (const ast::Stmt *stmt : m_kernel.def->body)
      ast::walk(*stmt, [&](const ast::Node &node) {
        visitor(node);
        return true;
      });
  }

  void readAccess(const ast::Call &call);
  /// What an access says of the pointer it begins with, and of those that a branch may have put in
  /// its place: `p = a_ptr`, else `p = b_ptr`.
  void markAlternatives(const ast::Expr *address, bool ParameterUse::*flag);
  /// The parameters that are terms of an address themselves.
  void markAddressed(const ast::Expr *address);
  /// The sum that an address is, looked up through local variables.
  struct Summands {
    std::vector<const ast::BinOp *> products;
    /// One counts elements itself: `tl.arange(0, N)`, `tl.program_id(0)`, the counter of a loop.
    bool hasConsecutive = false;
    std::set<std::string_view> followed;
  };
  void collectSummands(const ast::Expr *expr, Summands &summands);
  /// What an address says of indices and strides.
  void readAddress(const ast::Expr *address);
  static ast::Seq<ast::Expr> itemsOf(const ast::Expr *expr);
  /// `desc.load([row, column])`, `desc.store([row, column], value)` of a parameter. `shape`: of the
  /// block, where a call says it; may be null.
  bool readDescriptorAccess(const ast::Expr *descriptor, const ast::Expr *offsets,
                            const ast::Expr *value, const ast::Expr *shape = nullptr);
  bool readDescriptorMethod(const ast::Call &call, const ast::Attribute &method);
  /// A function uses the arguments as it uses its parameters.
  void readForwarded(const ast::Call &call);
  static void merge(ParameterUse &into, const ParameterUse &from);
  void combine(const ast::Expr *one, const ast::Expr *other);
  /// The call combines the argument with whatever the function combines its parameter with.
  void combineForwarded(const ast::Call &call, const ast::Expr *value, const ParameterUse &inner,
                        const ast::JitFunction &called);
  /// What an operator says about the loaded values that are its operands.
  void readOperator(ast::BinaryOpKind op, const ast::Expr *left, const ast::Expr *right);
  /// The factors of a product of matrices; `@` is a mistake for one, and the types are the same
  /// before and behind its mending. Of vectors it becomes a sum, of which nothing follows.
  void markFactors(const ast::Expr *left, const ast::Expr *right, bool ParameterUse::*flag);
  /// `x.block_shape[0]` says nothing about the elements of `x`.
  static bool isExtentOfBlock(const ast::Expr *expr);
  static bool isFloat(const ast::Expr *expr);
  /// `float("inf")`, and `-float("inf")`.
  static bool isUnbounded(const ast::Expr *expr);
  /// What a constant says of the loaded values that it stands in for.
  void readFiller(const ast::Expr *filler, const ast::Expr *loaded);
  /// Those whose loaded values an expression is, as they are: what is cast or computed may be others.
  void markFilled(const ast::Expr *loaded, bool ParameterUse::*flag, int depth = 0);
  /// A value that was loaded, and is an index of some access itself.
  bool isLoadedIndex(const ast::Expr *expr, int depth = 0);
  /// A constexpr parameter that is named like the extent of a block.
  bool isExtent(const ast::Expr *expr) const;
  void readCall(const ast::Call &call);
  /// The arguments of a call that are integers whatever else is known.
  void readIntegers(const ast::Call &call, const std::string &name, bool isRange);
  /// Whether it is a part of an index that takes elements: neither `:` nor `None`.
  static bool takesElements(const ast::Expr *part);
  /// Whether a launch passes it for a parameter that is no constexpr.
  bool isPassedAtRunTime(std::string_view name) const;
  /// Whether an index is known at run time only, so that it takes no item of a tuple.
  bool isRunTimeIndex(const ast::Expr *index);
  bool indexesArray(const ast::Subscript &subscript);
  /// `x[:, None]`, `x.shape[1]`
  void readSubscript(const ast::Subscript &subscript);
  void readCompare(const ast::Compare &compare);
  /// Marks loaded values that are compared with indices, ahead of all that depends on what they are.
  void markComparedIndices(const ast::Compare &compare);
  /// Marks loaded values that are counted as they are, or cast to integers: bins of a histogram.
  void markCounted(const ast::Expr *values);
  /// `tl.float16`
  bool isDType(const ast::Expr *expr) const;
  void readCondition(const ast::Expr *test);
  /// `c = a + b` of a launched kernel's parameters: arrays, as on the host. An address would begin
  /// with `c` itself, or not be named like a parameter.
  void readArraySum(const ast::Assign &assign);
  /// What is added to a name that begins as an integer: integers where a block of them says so, and
  /// otherwise nothing that is known. `s = 0` may be meant as `s = 0.0`.
  void markSummedUp(const ast::Expr *sum, const ast::Expr *value);
  /// Whether it is a loaded value, or arithmetic with such.
  bool isOfLoads(const ast::Expr *value, int depth = 0) const;
  /// A loop that counts up to a parameter by one, and uses the counter.
  void readCounter(const ast::For &loop);
  void readUse(const ast::Node &node);

  /// Of a tuple that is indexed by a variable.
  static constexpr int kManyItems = 4;

  const ImportedFunctions *m_imports;
  int m_depth;
};

} // namespace tilescope::compiler::inference
