// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tm/ir/Dialect.h"
#include "compiler/dialects/tm/ir/ExtentText.h"
#include "compiler/dialects/tm/ir/NodeName.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "compiler/dialects/tm/ir/TmDialect.cpp.inc"
#include "compiler/dialects/tm/ir/TmEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/tm/ir/TmAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/dialects/tm/ir/TmOps.cpp.inc"

namespace tilescope::tm {

void TMDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/tm/ir/TmAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialects/tm/ir/TmOps.cpp.inc"
      >();
}

std::string nodeName(Operation *operation) {
  const auto location = dyn_cast<NameLoc>(operation->getLoc());
  return location ? location.getName().str() : operation->getName().getStringRef().str();
}

Attribute splatElement(Value value) {
  if (auto fill = value.getDefiningOp<FillOp>())
    return fill.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  const auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return elements && !elements.empty() && elements.isSplat() ? elements.getSplatValue<Attribute>()
                                                             : Attribute();
}

AffineExpr TMDialect::symbol(StringRef name) {
  const auto [entry, isNew] = m_positions.try_emplace(name, numSymbols());
  if (isNew)
    m_names.push_back(name.str());
  return getAffineSymbolExpr(entry->second, getContext());
}

Attribute ExtentsAttr::parse(AsmParser &parser, Type) {
  SmallVector<AffineExpr> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        values.push_back(parseExtent(parser));
        return success(values.back() != nullptr);
      }))
    return {};
  return get(parser.getContext(), values);
}

void ExtentsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getValues(), printer.getStream(),
                        [&](AffineExpr value) { printer << extentText(value); });
  printer << '>';
}

} // namespace tilescope::tm
