// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UnsignedValues.h"

#include "compiler/dialects/ttg/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

static Type pointedTo(Type type) {
  const Type element = getElementTypeOrSelf(type);
  const auto pointer = dyn_cast<tt::PointerType>(element);
  return pointer ? getElementTypeOrSelf(pointer.getPointeeType()) : element;
}

UnsignedValues::UnsignedValues(const CompileResult &compiled, PlacesOf placesOf, TypeText typeText)
    : m_compiled(compiled), m_placesOf(std::move(placesOf)), m_typeText(std::move(typeText)) {
  // Types of a document in IR have no sign.
  if (compiled.stages.empty() || compiled.stages.front().id != StageId::Ast)
    return;
  for (const ValueFacts &fact : compiled.values)
    m_facts.emplace(fact.range, fact.type);
}

void UnsignedValues::addArgument(Value argument, const std::string &name) {
  const auto type = m_compiled.signature.find(name);
  if (type == m_compiled.signature.end())
    return;
  // `*u8:16`, `u32`; `u1` is a condition.
  const size_t first = type->second.find_first_not_of("*k");
  m_known[argument] = first != std::string::npos && type->second[first] == 'u';
}

bool UnsignedValues::contains(Value value) {
  const auto type = dyn_cast<IntegerType>(pointedTo(value.getType()));
  if (!type || type.getWidth() == 1)
    return false;
  // Until it is decided: a loop's argument is made of itself, too.
  const auto [known, isNew] = m_known.try_emplace(value, false);
  if (!isNew)
    return known->second;
  const bool isUnsigned = decide(value);
  m_known[value] = isUnsigned;
  return isUnsigned;
}

/// What the value is made of does not tell its sign.
static bool isConversion(Operation &operation) {
  return isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, tt::BitcastOp>(operation);
}

bool UnsignedValues::decide(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isOfUnsigned(argument);
  Operation &operation = *value.getDefiningOp();
  const unsigned result = cast<OpResult>(value).getResultNumber();
  const std::vector<SourceRange> *places = m_placesOf(&operation);
  if (!places || places->empty())
    return isOfUnsigned(operation, result);
  // Of a called function the frontend speaks once, whatever other calls pass.
  const bool isCalled = places->size() > 1 || places->front().file != 0;
  const std::optional<bool> said = isSaidUnsigned(places->front(), value.getType());
  if (said && (!isCalled || isConversion(operation)))
    return *said;
  if (isOfUnsigned(operation, result))
    return true;
  // What a call returns is of the type that the call has.
  for (const SourceRange &place : *places)
    if (const auto returned =
            place.file == 0 ? isSaidUnsigned(place, value.getType()) : std::nullopt)
      return *returned;
  return false;
}

std::optional<bool> UnsignedValues::isSaidUnsigned(const SourceRange &place, Type type) const {
  const std::string text = m_typeText(type);
  const size_t integer = text.find("int");
  for (auto [fact, end] = m_facts.equal_range(place); fact != end; ++fact) {
    if (fact->second == text)
      return false;
    if (integer != std::string::npos && fact->second == std::string(text).insert(integer, "u"))
      return true;
  }
  return std::nullopt;
}

bool UnsignedValues::isOfUnsigned(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  OpOperand *start = loop ? loop.getTiedLoopInit(argument) : nullptr;
  return start && contains(start->get());
}

/// Values that an operation only moves, or computes with others of the same kind.
static bool keepsSign(Operation &operation) {
  return isa<tt::AddPtrOp, tt::BroadcastOp, tt::CatOp, tt::ExpandDimsOp, tt::GatherOp, tt::JoinOp,
             tt::LoadOp, tt::ReduceOp, tt::ReshapeOp, tt::ScanOp, tt::SplatOp, tt::SplitOp,
             tt::TransOp, tt::UnsplatOp, tt::AtomicRMWOp, tt::AtomicCASOp, ttg::ConvertLayoutOp>(
      operation);
}

bool UnsignedValues::isOfUnsigned(Operation &operation, unsigned result) {
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::MaxUIOp, arith::MinUIOp, arith::ShRUIOp,
          arith::FPToUIOp>(operation))
    return true;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(operation)) {
    OpOperand *start = loop.getTiedLoopInit(operation.getResult(result));
    return start && contains(start->get());
  }
  if (auto branch = dyn_cast<scf::IfOp>(operation))
    return contains(branch.thenYield().getOperand(result)) ||
           (branch.elseBlock() && contains(branch.elseYield().getOperand(result)));
  if (keepsSign(operation))
    return operation.getNumOperands() > 0 &&
           contains(operation.getOperand(isa<tt::ReduceOp, tt::ScanOp>(operation) ? result : 0));
  // Of two of one width, the unsigned one decides.
  if (operation.getNumRegions() > 0 || !isa<arith::ArithDialect>(operation.getDialect()))
    return false;
  return llvm::any_of(operation.getOperands(), [&](Value operand) {
    return operand.getType() == operation.getResult(result).getType() && contains(operand);
  });
}

} // namespace tilescope::compiler
