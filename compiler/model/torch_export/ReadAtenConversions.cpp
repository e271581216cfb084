// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operators that change the type of elements, or nothing at all.
#include "compiler/model/torch_export/AtenRules.h"

using namespace mlir;

namespace tilescope::model {

/// Where a tensor lies, and in which order, is not for a model to say.
static bool readSame(AtenNode &node) { return node.finish(node.first()); }

/// The type is an argument, or that of another tensor, or it stays; the file says the result's.
static bool readConversion(AtenNode &node) {
  const Value x = node.first();
  return x && node.finish(node.cast(x, node.resultElement(AtenNode::elementOf(x))));
}

static bool readDropout(AtenNode &node) {
  if (node.truth("train", false) && node.real("p", 0.5) != 0)
    return node.fail("it drops elements at random, as in training: call `model.eval()` before the "
                     "export");
  return node.finish(node.first());
}

/// Into the extents and the type of the first operand.
static bool readCopy(AtenNode &node) {
  const Value x = node.first(), source = node.tensor("src");
  if (!x || !source)
    return false;
  const Value same = node.cast(source, AtenNode::elementOf(x));
  return node.finish(node.expanded(same, AtenNode::extentsOf(x)));
}

static constexpr AtenRule kAtenConversionRules[] = {
    {"aten._to_copy", readConversion},
    {"aten.alias", readSame},
    {"aten.clone", readSame},
    {"aten.contiguous", readSame},
    {"aten.copy", readCopy},
    {"aten.detach", readSame},
    {"aten.dropout", readDropout},
    {"aten.feature_dropout", readDropout},
    {"aten.lift_fresh_copy", readSame},
    {"aten.native_dropout", readDropout},
    {"aten.to", readConversion},
    {"aten.type_as", readConversion},
    {"prims.convert_element_type", readConversion},
};

std::span<const AtenRule> atenConversionRules() { return kAtenConversionRules; }

} // namespace tilescope::model
