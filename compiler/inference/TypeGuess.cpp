// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/TypeGuess.h"

#include "compiler/constant/Operators.h"
#include "compiler/inference/LaunchedKernel.h"
#include "compiler/inference/ModuleValues.h"
#include "compiler/inference/NameWords.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::inference {

using enum ScalarKind;

std::optional<ScalarKind> storedElement(const ParameterUse &use) {
  return scalarFromSignature(use.storedAs);
}

/// For parameters with a default: the type of its value.
static std::optional<TypeGuess> guessFromDefault(const KnownParameter &known) {
  constant::Evaluation value =
      constant::evaluate(*known.defaultValue, moduleEnvironment(known.index));
  if (!value)
    return std::nullopt;
  const std::string reason = "its default is `" + constant::repr(*value.value) + "`";
  if (value.value->isBool())
    return TypeGuess{Int1, reason};
  if (value.value->isInt())
    return TypeGuess{Int32, reason};
  if (value.value->isFloat())
    return TypeGuess{Fp32, reason};
  return TypeGuess{SignatureType::constexprValue(), reason};
}

static TypeGuess guessPointer(const ParameterUse &use, const std::string &name,
                              const InferenceStyle &style) {
  std::string reason = use.isLoaded && use.isStored ? "it is loaded from and stored to"
                       : use.isIndexed              ? "it is indexed like an array"
                       : use.isLoaded               ? "it is loaded from"
                                                    : "it is stored to";
  auto pointer = [&](ScalarKind element, std::string_view more) {
    return TypeGuess{SignatureType::pointerTo(element),
                     more.empty() ? reason : reason + ", " + std::string(more)};
  };
  if (use.isLock)
    return pointer(Int32, "and used as a lock or counter");
  // What infinity stands in for is a float, whatever it is used for.
  if (use.yieldsIndices && !use.isUnbounded)
    return pointer(style.index, "and its elements are used as indices");
  if (use.feedsScaledDot)
    return pointer(Uint8, "and its elements are multiplied by `tl.dot_scaled`");
  if (use.feedsIntDot)
    return pointer(Int8, "and its elements are multiplied by `tl.dot` as integers");
  if (use.yieldsBits && !use.isUnbounded)
    return pointer(Int32, "and its elements are used as bits");
  if (use.yieldsBools && !use.isUnbounded)
    return pointer(Int1, "and its elements are used as conditions");
  if (const std::optional<ScalarKind> element = storedElement(use))
    return pointer(*element, "and stored values are cast to this type");
  if (use.feedsDot)
    return pointer(style.factor, "and its elements are multiplied by `tl.dot`");
  // Tables of blocks or pages name them, others hold data.
  const bool isOfBlocks = hasAnyWord(name, {"table", "tables"}) &&
                          hasAnyWord(name, {"block", "blocks", "page", "pages", "slot", "slots"});
  const bool isNamedSo =
      isOfBlocks ||
      hasAnyWord(name, {"idx",     "index",   "indices", "ids",   "labels",  "targets",   "indptr",
                        "offsets", "seqlens", "lengths", "lens",  "len",     "num",       "count",
                        "counts",  "starts",  "ends",    "slots", "mapping", "positions", "pos"});
  if (isNamedSo && !use.isReal && !use.isUnbounded)
    return pointer(style.index, "and named like indices");
  if (hasWord(name, "mask") && !use.isReal && !use.isUnbounded)
    return pointer(Int1, "and named like a mask");
  return pointer(Fp32, "");
}

/// `stride_am, stride_ak`: the last of a group of strides is 1.
static bool isInnermostStride(const KnownParameter &known) {
  auto groupOf = [](std::string_view name) {
    return name.starts_with("stride") && !name.empty() ? name.substr(0, name.size() - 1)
                                                       : std::string_view();
  };
  std::string_view group = groupOf(known.parameter.name);
  if (group.empty())
    return false;
  size_t count = 0;
  const ast::ParameterInfo *last = nullptr;
  for (const ast::ParameterInfo &other : known.kernel.parameters)
    if (groupOf(other.name) == group) {
      ++count;
      last = &other;
    }
  return count > 1 && last == &known.parameter;
}

/// A block of that rank whose extents are unknown.
static SignatureType guessedBlock(const ScalarType &element, int rank) {
  return SignatureType::block(element, std::vector(static_cast<size_t>(rank), kGuessedExtent));
}

/// Whether the body gives the parameter of a launched kernel values and never looks at it: what NumPy takes
/// for an array of results.
static bool isOnlyGiven(const KnownParameter &known) {
  bool isGiven = false, isRead = false;
  for (const ast::Stmt *statement : known.kernel.def->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *name = ast::as<ast::Name>(&node);
      if (name && name->id == known.parameter.name)
        (name->ctx == ast::ExprContext::Load ? isRead : isGiven) = true;
      return !isRead;
    });
  return isGiven && !isRead;
}

std::optional<TypeGuess> guessType(const KnownParameter &known) {
  std::string name = lowered(known.parameter.name);
  const ParameterUse use = launchedUse(known.index, known.kernel, known.parameter.name, known.use);
  bool isAbsent = !known.style.isComplete && known.defaultValue;
  if (use.isIndexed && !known.defaultValue)
    return guessPointer(use, name, known.style);
  if (use.numItems > 0 && !known.defaultValue) {
    const SignatureType item = use.isPointer() ? guessPointer(use, name, known.style).type : Int32;
    return TypeGuess{SignatureType::tuple(std::vector(static_cast<size_t>(use.numItems), item)),
                     "items are taken out of it"};
  }
  if (use.isPointer() && !isAbsent) {
    TypeGuess guess = guessPointer(use, name, known.style);
    if (use.rank > 0)
      guess.type = guessedBlock(guess.type.scalar, use.rank);
    return guess;
  }
  if (known.defaultValue)
    return guessFromDefault(known);
  if (use.isArray)
    return TypeGuess{SignatureType::pointerTo(Fp32), "it is used like an array"};
  if (use.rank > 0) {
    const ScalarKind element = use.feedsDot      ? Fp16
                               : use.isMask      ? Int1
                               : use.inIndexMath ? Int32
                                                 : Fp32;
    return TypeGuess{guessedBlock({element}, use.rank),
                     "the body needs a block of rank " + std::to_string(use.rank)};
  }
  if (use.isMask && !isNumberAsMask(known.index, known.kernel, known.parameter.name, use))
    return TypeGuess{Int1, "it is a mask"};
  if (use.isBits)
    return TypeGuess{Int32, "it is an operand of bit operations"};
  if (name.ends_with("ptr") || name.ends_with("ptrs") || name.ends_with("pointer"))
    return TypeGuess{SignatureType::pointerTo(Fp32), "it is named like a pointer"};
  if (isOnlyGiven(known))
    return TypeGuess{SignatureType::pointerTo(Fp32),
                     "it is only given values, like an array of results"};
  if (use.isUnitStride)
    return TypeGuess{{Int32, SignatureHint::One}, "the last stride of a tensor descriptor is 1"};
  if (!use.isOuterStride && isInnermostStride(known))
    return TypeGuess{{Int32, SignatureHint::One}, "the last stride of a row-major tensor is 1"};
  bool soundsLikeFloat =
      hasAnyWord(name, {"eps", "epsilon", "scale", "alpha", "beta", "gamma", "theta", "momentum",
                        "lr", "p", "prob", "dropout", "temperature", "decay", "wd", "slope",
                        "beta1", "beta2", "scaling"});
  if (use.inDataMath && !use.inIndexMath)
    return TypeGuess{Fp32, "it is combined with data"};
  if (soundsLikeFloat && !use.inIndexMath)
    return TypeGuess{Fp32, "it is named like a real number"};
  bool isSize = use.inIndexMath || name.starts_with("stride") || name.starts_with("n_") ||
                hasAnyWord(name, {"size", "len", "dim", "rows", "cols", "numel", "stride"});
  if (hasWord(name, "seed"))
    return TypeGuess{Int32, "it is named like a seed"};
  if (use.isIterated && !isSize && !use.isNumber && name != "n")
    return TypeGuess{SignatureType::pointerTo(Fp32), "a loop goes through it"};
  return isSize ? TypeGuess{{Int32, SignatureHint::Divisible},
                            "it is a size or stride, most often a multiple of 16"}
                : TypeGuess{Int32, "nothing says otherwise"};
}

} // namespace tilescope::compiler::inference
