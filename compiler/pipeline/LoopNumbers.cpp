// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/LoopNumbers.h"

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

void noteLaunchedNumbers(ModuleOp module, const std::vector<KernelParameter> &parameters,
                         const std::map<std::string, int64_t> &numbers) {
  module.walk([&](tt::FuncOp kernel) {
    if (!kernel.isPublic() || kernel.getNumArguments() != parameters.size())
      return;
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (const auto number = numbers.find(parameters[i].name);
          number != numbers.end() && kernel.getArgument(i).getType().isInteger())
        kernel.setArgAttr(
            i, kLaunchedNumber,
            IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), number->second));
  });
}

LoopNumbers::LoopNumbers(scf::ForOp loop) : m_loop(loop) { begin(); }

void LoopNumbers::begin() {
  m_known.clear();
  if (!m_loop)
    return;
  for (auto [argument, init] : llvm::zip(m_loop.getRegionIterArgs(), m_loop.getInits()))
    if (const std::optional<int64_t> value = find(init))
      m_known[argument] = *value;
  if (const std::optional<int64_t> value = find(m_loop.getLowerBound()))
    m_known[m_loop.getInductionVar()] = *value;
}

std::optional<int64_t> LoopNumbers::numIterations() {
  const std::optional<int64_t> first = find(m_loop.getLowerBound()),
                               end = find(m_loop.getUpperBound()), step = find(m_loop.getStep());
  if (!first || !end || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*end - *first + *step - 1) / *step);
}

void LoopNumbers::assumeIterations(int64_t count) {
  if (numIterations())
    return;
  // What the loop begins with may depend on the program; conditions compare with its end.
  if (!find(m_loop.getStep()))
    m_assumed[m_loop.getStep()] = 1;
  if (!find(m_loop.getLowerBound()))
    m_assumed[m_loop.getLowerBound()] = 0;
  const int64_t first = *find(m_loop.getLowerBound()), step = *find(m_loop.getStep());
  if (!find(m_loop.getUpperBound()))
    m_assumed[m_loop.getUpperBound()] = first + count * step;
  begin();
}

std::optional<int64_t> LoopNumbers::find(Value value) {
  if (const auto known = m_known.find(value); known != m_known.end())
    return known->second;
  if (const auto known = m_assumed.find(value); known != m_assumed.end())
    return known->second;
  const std::optional<int64_t> found = compute(value);
  if (found)
    m_known[value] = *found;
  return found;
}

void LoopNumbers::advance() {
  llvm::DenseMap<Value, int64_t> next;
  auto yield = cast<scf::YieldOp>(m_loop.getBody()->getTerminator());
  // Behind the last iteration they are what the loop leaves.
  for (auto [argument, result, value] :
       llvm::zip(m_loop.getRegionIterArgs(), m_loop.getResults(), yield.getOperands()))
    if (const std::optional<int64_t> known = find(value))
      next[argument] = next[result] = *known;
  const std::optional<int64_t> at = find(m_loop.getInductionVar()), step = find(m_loop.getStep());
  if (at && step)
    next[m_loop.getInductionVar()] = *at + *step;
  m_known = std::move(next);
}

static std::optional<int64_t> compare(arith::CmpIPredicate predicate, int64_t x, int64_t y) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return x == y;
  case arith::CmpIPredicate::ne:
    return x != y;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  default:
    return std::nullopt;
  }
}

static std::optional<int64_t> calculate(Operation *op, ArrayRef<int64_t> in) {
  const auto divided = [&](auto divide) {
    return in[1] > 0 ? std::optional<int64_t>(divide(in[0], in[1])) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return in[0] + in[1]; })
      .Case([&](arith::SubIOp) { return in[0] - in[1]; })
      .Case([&](arith::MulIOp) { return in[0] * in[1]; })
      .Case([&](arith::AndIOp) { return in[0] & in[1]; })
      .Case([&](arith::OrIOp) { return in[0] | in[1]; })
      .Case([&](arith::XOrIOp) { return in[0] ^ in[1]; })
      .Case([&](arith::MinSIOp) { return std::min(in[0], in[1]); })
      .Case([&](arith::MaxSIOp) { return std::max(in[0], in[1]); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](Operation *) { return in[0]; })
      .Case([&](arith::DivSIOp) { return divided([](auto x, auto y) { return x / y; }); })
      .Case([&](arith::RemSIOp) { return divided([](auto x, auto y) { return x % y; }); })
      .Case([&](arith::CeilDivSIOp) {
        return in[0] < 0 ? std::nullopt : divided([](auto x, auto y) { return (x + y - 1) / y; });
      })
      .Case([&](arith::CmpIOp compared) { return compare(compared.getPredicate(), in[0], in[1]); })
      .Case([&](arith::SelectOp) { return in[0] ? in[1] : in[2]; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<int64_t> LoopNumbers::compute(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto kernel = dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp());
        kernel && argument.getOwner()->isEntryBlock())
      if (auto number =
              kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kLaunchedNumber))
        return number.getInt();
  // What a group of warps is given.
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(argument.getOwner()->getParentOp()))
      return find(specialized.getCaptures()[argument.getArgNumber()]);
  Operation *op = value.getDefiningOp();
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    const std::optional<int64_t> condition = find(branch.getCondition());
    if (!condition)
      return std::nullopt;
    scf::YieldOp yield = *condition ? branch.thenYield() : branch.elseYield();
    return find(yield.getOperand(cast<OpResult>(value).getResultNumber()));
  }
  if (!op || !isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  SmallVector<int64_t> in;
  for (Value operand : op->getOperands())
    if (const std::optional<int64_t> known = find(operand))
      in.push_back(*known);
    else
      return std::nullopt;
  return calculate(op, in);
}

} // namespace tilescope::compiler
