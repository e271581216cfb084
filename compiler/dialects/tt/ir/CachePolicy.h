// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How accesses say which caches they use: `cacheModifier = cg evictionPolicy = evict_first` up to
// Triton 3.8, `{cachePolicy = #tt.cache_policy<…>}` since 3.9. Both are read.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/tt/ir/TritonCachePolicy.h.inc"

namespace tilescope::tt {

/// Reads either notation, and the operation's other attributes.
mlir::ParseResult parseCachePolicy(mlir::OpAsmParser &parser, CacheModifierAttr &cache,
                                   EvictionPolicyAttr &evict, mlir::NamedAttrList &attributes);
/// Prints what the release reads that the context prints for, and those of `attributes` that are
/// not at their defaults.
void printCachePolicy(mlir::OpAsmPrinter &printer, mlir::Operation *op, CacheModifierAttr cache,
                      EvictionPolicyAttr evict, mlir::DictionaryAttr attributes);

} // namespace tilescope::tt
