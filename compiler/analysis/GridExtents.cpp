// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/GridExtents.h"

#include "compiler/analysis/LaunchExpressions.h"
#include "compiler/analysis/ProgramRows.h"
#include "compiler/analysis/TensorAccess.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <tuple>

using namespace mlir;

namespace tilescope::compiler {
namespace {

bool isWidened(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op);
}

/// Whether a scalar becomes part of an address or of a block's offsets without a further product.
bool reachesBlock(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isWidened(user) || isa<arith::AddIOp, arith::SubIOp>(user))
      return reachesBlock(user->getResult(0));
    return isa<tt::TTDialect>(user->getDialect());
  });
}

/// Whether a product is multiplied again on its way to a block: `batch * L * C`.
bool isMultiplied(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    const bool isProduct = isa<arith::MulIOp>(user);
    return (isProduct && reachesBlock(user->getResult(0))) ||
           ((isProduct || isWidened(user)) && isMultiplied(user->getResult(0)));
  });
}

/// Whether a product is one digit of a row's number: `(n * C + c) * HW`.
bool isDigit(Value product) {
  return llvm::any_of(product.getUsers(), [](Operation *sum) {
    return isa<arith::AddIOp>(sum) &&
           llvm::any_of(sum->getResult(0).getUsers(), [](Operation *user) {
             return isa<arith::MulIOp>(user) && reachesBlock(user->getResult(0));
           });
  });
}

/// Whether a use adds a constant: `row - 1` counts what `row` does.
bool isMovedOn(OpOperand &use) {
  Operation *user = use.getOwner();
  return isa<arith::AddIOp, arith::SubIOp>(user) && user->getResult(0).getType().isInteger() &&
         constantOf(user->getOperand(1 - use.getOperandNumber())).has_value();
}

/// Whether a loop begins at a product, and goes on from there by what all programs take in one turn.
bool beginsLoop(Value product) {
  return llvm::any_of(product.getUsers(), [&](Operation *user) {
    auto loop = dyn_cast<scf::ForOp>(user);
    return (loop && loop.getLowerBound() == product && !constantOf(loop.getStep())) ||
           (isWidened(user) && beginsLoop(user->getResult(0)));
  });
}

/// Whether a number ends by itself at an argument, so that what it is multiplied by is no block of
/// that: `pid % groups`.
bool endsAtArgument(Value number, const IndexBounds &bounds) {
  Operation *op = number.getDefiningOp();
  return isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(op) &&
         bounds.argumentOf(op->getOperand(1)).has_value();
}

/// Whether more is made of a number than conditions.
bool isUsedAsNumber(Value number) {
  return llvm::any_of(number.getUsers(), [](Operation *user) { return !isa<arith::CmpIOp>(user); });
}

/// Follows a program's number through integer arithmetic, as when one axis counts the blocks of a
/// matrix, to the numbers of rows and of blocks that are made of it.
class CountedNumbers {
public:
  CountedNumbers(Value programId, const ProgramRows &rows, const IndexBounds &bounds)
      : m_bounds(bounds) {
    if (rows.isRow || rows.radix > 1) {
      m_extents[programId] = 1;
      return;
    }
    if (rows.rowBeside > 0) {
      m_extents[programId] = rows.blockSide;
      return;
    }
    follow(programId);
    // A number that is used as it is says all there is to say.
    for (size_t i = 0; i < m_numbers.size() && (i == 0 || !m_extents.contains(programId)); ++i)
      // Of a remainder there are as many as the argument says, whatever is made of it.
      if (endsAtArgument(m_numbers[i], m_bounds) && isUsedAsNumber(m_numbers[i]))
        m_extents[m_numbers[i]] = 1;
      else
        visit(m_numbers[i], m_numbers[i]);
  }

  /// The side of the block that each number counts; 1 for a number of rows.
  ArrayRef<std::pair<Value, int64_t>> extents() const { return m_extents.getArrayRef(); }

private:
  void follow(Value value) {
    if (value.getType().isInteger() && m_seen.insert(value).second)
      m_numbers.push_back(value);
  }

  /// `value`: the number itself, or a product of it; `side`: the constant that it was multiplied by;
  /// 0 where the first factor was an argument: rows, whatever they are made of.
  void visit(Value number, Value value, int64_t side = 1) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isWidened(user) || isMovedOn(use)) {
        visit(number, user->getResult(0), side);
      } else if (isa<arith::MulIOp>(user)) {
        const Value other = user->getOperand(use.getOperandNumber() == 0 ? 1 : 0);
        const std::optional<int64_t> factor = constantOf(other);
        const int64_t whole = factor ? side * *factor : side > 1 ? side : 0;
        if (reachesBlock(user->getResult(0)))
          m_extents[number] = std::max({m_extents.lookup(number), whole, int64_t{1}});
        else if (factor && beginsLoop(user->getResult(0)))
          m_extents[number] = std::max(m_extents.lookup(number), whole);
        else if (!factor && value == number && isDigit(user->getResult(0)))
          m_extents[number] = std::max<int64_t>(m_extents.lookup(number), 1);
        else if (isMultiplied(user->getResult(0)) && !isLimitedProduct(user->getResult(0)))
          visit(number, user->getResult(0), whole);
        else
          follow(user->getResult(0));
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        if (loop.getLowerBound() == value)
          follow(loop.getInductionVar());
      } else if (isa<tt::TTDialect>(user->getDialect()) ||
                 isa<arith::SIToFPOp, arith::UIToFPOp>(user)) {
        m_extents[number] = std::max<int64_t>(m_extents.lookup(number), 1);
      } else if (user->getNumResults() == 1 && !isa<arith::CmpIOp>(user)) {
        follow(user->getResult(0));
      }
    }
  }

  const IndexBounds &m_bounds;
  SmallVector<Value> m_numbers;
  DenseSet<Value> m_seen;
  llvm::MapVector<Value, int64_t> m_extents;
};

/// Whether elements at these offsets of a pointer are stored to.
bool isStoredAt(Value offsets) {
  return llvm::any_of(offsets.getUsers(), [](Operation *user) {
    if (isWidened(user))
      return isStoredAt(user->getResult(0));
    return isa<tt::AddPtrOp>(user) &&
           llvm::any_of(user->getResult(0).getUsers(), [](Operation *access) {
             auto store = dyn_cast<tt::StoreOp>(access);
             return store && store.getPtr().getDefiningOp<tt::AddPtrOp>();
           });
  });
}

/// The number of elements in a block whose beginning lacks that as a factor, `pid + tl.arange(0, BLOCK)`, where it is
/// what the kernel writes, and ends at an argument. As many programs as there are elements would hide that blocks
/// overlap. 1: there is none.
int64_t sideLeftOut(Value number, const IndexBounds &bounds) {
  int64_t side = 1;
  for (Operation *user : number.getUsers()) {
    if (isWidened(user))
      side = std::max(side, sideLeftOut(user->getResult(0), bounds));
    if (!isa<tt::SplatOp>(user))
      continue;
    for (Operation *sum : user->getResult(0).getUsers())
      for (Value part : isa<arith::AddIOp>(sum) ? sum->getOperands() : OperandRange(nullptr, 0))
        if (auto range = withoutCasts(part).getDefiningOp<tt::MakeRangeOp>();
            range && range.getStart() == 0 && isStoredAt(sum->getResult(0)) &&
            !bounds.comparedWith(sum->getResult(0)).empty())
          side = std::max<int64_t>(side, range.getEnd());
  }
  return side;
}

/// The last letter of `BM` and `BLOCK_M`, the first of the last word of `BLOCK_COLS`.
char initialOfSide(StringRef name) {
  const StringRef word = name.rsplit('_').second;
  return llvm::toUpper(word.empty() ? name.back() : word.front());
}

/// A block's side by its name, each name once: two sides may be equal, and then `BLOCK_M` is a side
/// of `M`, and rather one of those that are `unused` so far.
std::string takeName(int64_t side, StringRef extent, std::map<std::string, std::string> &constexprs,
                     const std::map<std::string, std::string> &unused) {
  const std::string text = std::to_string(side);
  const auto rank = [&](const std::string &name) {
    const bool isCalledBlock = StringRef(name).contains_insensitive("block") ||
                               StringRef(name).contains_insensitive("tile");
    return std::tuple(StringRef(name).ends_with_insensitive(extent),
                      initialOfSide(name) == initialOf(extent), isCalledBlock,
                      unused.contains(name));
  };
  std::string found;
  for (const auto &[name, value] : constexprs)
    if (value == text && (found.empty() || rank(name) > rank(found)))
      found = name;
  constexprs.erase(found);
  return found.empty() ? text : found;
}

/// An axis whose programs take turns in a loop.
struct Share {
  size_t axis = 0;
  int64_t numPrograms = 0;
};

/// The constexpr that says how many programs take turns; empty when none does.
std::string nameOfShares(int64_t numPrograms,
                         const std::map<std::string, std::string> &constexprs) {
  const std::string text = std::to_string(numPrograms);
  const auto saysSo = [](StringRef name) {
    return llvm::any_of(ArrayRef<const char *>{"split", "num", "program", "sms", "part"},
                        [&](const char *word) { return name.contains_insensitive(word); });
  };
  // `BK` and `BLOCK_K` are sides of blocks.
  const auto rank = [&](StringRef name) {
    return std::pair(saysSo(name), !name.starts_with_insensitive("b"));
  };
  std::string found;
  for (const auto &[name, value] : constexprs)
    if (value == text && (found.empty() || rank(name) > rank(found)))
      found = name;
  return found;
}

} // namespace

std::vector<std::string> gridExtents(FunctionOpInterface kernel,
                                     const std::map<std::string, std::string> &constexprs,
                                     const IndexBounds &bounds, const CountedName &nameOf) {
  std::vector<std::string> extents;
  std::vector<Share> shares;
  std::map<std::string, std::string> unused = constexprs;
  const LoopShares turns = loopShares(kernel, bounds);
  kernel.walk([&](tt::GetProgramIdOp programId) {
    const size_t axis = static_cast<size_t>(programId.getAxis());
    extents.resize(std::max(extents.size(), axis + 1), "1");
    std::vector<std::string> factors;
    std::map<std::string, std::string> names = constexprs;
    const CountedNumbers numbers(programId.getResult(), programRows(programId.getResult(), bounds),
                                 bounds);
    for (const auto &[number, counted] : numbers.extents()) {
      const int64_t whole =
          counted == 1 && number == programId.getResult() ? sideLeftOut(number, bounds) : counted;
      const int64_t side = endsAtArgument(number, bounds) ? 1 : whole;
      const std::string name = nameOf(number, side);
      // As many blocks as something else says.
      if (StringRef blocks = name; side > 1 && blocks.consume_back(" * " + std::to_string(side))) {
        factors.push_back(blocks.str());
        continue;
      }
      const std::string sideName = side > 1 ? takeName(side, name, names, unused) : "";
      unused.erase(sideName);
      factors.push_back(side > 1 ? "cdiv(" + name + ", " + sideName + ")" : name);
    }
    std::ranges::sort(factors);
    if (!factors.empty())
      extents[axis] = llvm::join(factors, " * ");
    if (const auto turn = turns.find(programId.getResult()); turn != turns.end())
      shares.push_back({axis, turn->second});
  });
  for (const Share &share : shares) {
    const std::string name = nameOfShares(share.numPrograms, unused);
    if (share.numPrograms > 1 || StringRef(name).contains_insensitive("split"))
      extents[share.axis] = name.empty() ? std::to_string(share.numPrograms) : name;
  }
  return extents;
}

bool readsAxisOfOne(FunctionOpInterface kernel, const std::vector<std::string> &grid) {
  bool found = false;
  kernel->walk([&](tt::GetProgramIdOp program) {
    const auto axis = static_cast<size_t>(program.getAxis());
    found |= axis >= grid.size() || grid[axis] == "1";
  });
  return found;
}

} // namespace tilescope::compiler
