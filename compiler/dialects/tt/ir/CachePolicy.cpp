// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/CachePolicy.h"

#include "compiler/dialects/tt/ir/TritonVersion.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "compiler/dialects/tt/ir/TritonCachePolicy.cpp.inc"

namespace tilescope::tt {

static constexpr StringLiteral kPolicy = "cachePolicy", kModifier = "cacheModifier",
                               kEviction = "evictionPolicy";

void TTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialects/tt/ir/TritonCachePolicy.cpp.inc"
      >();
}

/// `= word`
template <typename Enum>
static ParseResult parseWord(OpAsmParser &parser, Enum &value,
                             std::optional<Enum> (*symbolize)(StringRef)) {
  StringRef word;
  SMLoc start;
  if (parser.parseEqual() || parser.getCurrentLocation(&start) || parser.parseKeyword(&word))
    return failure();
  std::optional<Enum> known = symbolize(word);
  if (!known)
    return parser.emitError(start, "unknown cache policy `") << word << "`";
  value = *known;
  return success();
}

ParseResult parseCachePolicy(OpAsmParser &parser, CacheModifierAttr &cache,
                             EvictionPolicyAttr &evict, NamedAttrList &attributes) {
  CacheModifier modifier = CacheModifier::NONE;
  EvictionPolicy eviction = EvictionPolicy::NORMAL;
  while (true) {
    if (succeeded(parser.parseOptionalKeyword(kModifier))) {
      if (parseWord(parser, modifier, symbolizeCacheModifier))
        return failure();
    } else if (succeeded(parser.parseOptionalKeyword(kEviction))) {
      if (parseWord(parser, eviction, symbolizeEvictionPolicy))
        return failure();
    } else {
      break;
    }
  }
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  if (Attribute policy = attributes.erase(kPolicy)) {
    auto both = dyn_cast<CachePolicyAttr>(policy);
    if (!both)
      return parser.emitError(start, "expected a `#tt.cache_policy` as the `cachePolicy`");
    modifier = both.getCacheModifier();
    eviction = both.getEvictionPolicy();
  }
  cache = CacheModifierAttr::get(parser.getContext(), modifier);
  evict = EvictionPolicyAttr::get(parser.getContext(), eviction);
  return success();
}

/// Attributes of accesses that say nothing: those that are printed elsewhere, and defaults.
static bool isSilent(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (llvm::is_contained({StringRef("cache"), StringRef("evict"), StringRef("operandSegmentSizes")},
                         name))
    return true;
  if (auto flag = dyn_cast<BoolAttr>(attribute.getValue()))
    return name == "isVolatile" && !flag.getValue();
  if (auto dims = dyn_cast<DenseI32ArrayAttr>(attribute.getValue()))
    return name == "boundaryCheck" && dims.empty();
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  return number && name == "contiguity" && number.getInt() == 1;
}

void printCachePolicy(OpAsmPrinter &printer, Operation *op, CacheModifierAttr cache,
                      EvictionPolicyAttr evict, DictionaryAttr attributes) {
  const CacheModifier modifier = cache ? cache.getValue() : CacheModifier::NONE;
  const EvictionPolicy eviction = evict ? evict.getValue() : EvictionPolicy::NORMAL;
  const bool isDefault = modifier == CacheModifier::NONE && eviction == EvictionPolicy::NORMAL;
  NamedAttrList printed;
  for (NamedAttribute attribute : attributes)
    if (!isSilent(attribute))
      printed.push_back(attribute);
  if (PrintedVersion::of(op->getContext()) >= kJointCachePolicy) {
    if (!isDefault)
      printed.set(kPolicy, CachePolicyAttr::get(op->getContext(), modifier, eviction));
  } else {
    if (modifier != CacheModifier::NONE)
      printer << " " << kModifier << " = " << stringifyCacheModifier(modifier);
    if (eviction != EvictionPolicy::NORMAL)
      printer << " " << kEviction << " = " << stringifyEvictionPolicy(eviction);
  }
  printer.printOptionalAttrDict(printed);
}

} // namespace tilescope::tt
