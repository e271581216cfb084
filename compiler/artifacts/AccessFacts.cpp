// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/AccessFacts.h"

#include <algorithm>

namespace tilescope::compiler {

std::string_view memoryActionName(MemoryAction action) {
  switch (action) {
  case MemoryAction::GlobalLoad:
    return "global load";
  case MemoryAction::GlobalStore:
    return "global store";
  case MemoryAction::GlobalAtomic:
    return "global atomic";
  case MemoryAction::GlobalReduction:
    return "global reduction";
  case MemoryAction::AsyncCopy:
    return "async copy";
  case MemoryAction::SharedLoad:
    return "shared load";
  case MemoryAction::SharedStore:
    return "shared store";
  case MemoryAction::MatrixLoad:
    return "matrix load";
  case MemoryAction::ProductRead:
    return "product read";
  }
  return "";
}

std::string_view conversionMovesName(ConversionMoves moves) {
  switch (moves) {
  case ConversionMoves::Registers:
    return "registers";
  case ConversionMoves::Lanes:
    return "lanes";
  case ConversionMoves::Warps:
    return "warps";
  }
  return "";
}

std::string_view widthReasonName(WidthReason reason) {
  switch (reason) {
  case WidthReason::Widest:
    return "widest";
  case WidthReason::Scalar:
    return "scalar";
  case WidthReason::Divisibility:
    return "divisibility";
  case WidthReason::Contiguity:
    return "contiguity";
  case WidthReason::Mask:
    return "mask";
  case WidthReason::Layout:
    return "layout";
  case WidthReason::Operation:
    return "operation";
  }
  return "";
}

static std::string elementsText(int64_t elements) {
  return std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

std::string hidingText(const WidthLimit &limit) {
  std::string text = "the " + limit.hiddenBy;
  if (!limit.argument.empty())
    text += " by `" + limit.argument + "`";
  if (limit.hiddenIn != SourceRange() && limit.hiddenIn.file == 0)
    text += " in line " + std::to_string(limit.hiddenIn.begin.line + 1);
  return text;
}

std::string describe(const WidthLimit &limit, int32_t elementBytes) {
  switch (limit.reason) {
  case WidthReason::Widest:
    return "16 bytes are the most that an instruction moves";
  case WidthReason::Scalar:
    return "the access is to one element";
  case WidthReason::Divisibility:
    return (limit.argument.empty() ? std::string("the address") : "`" + limit.argument + "`") +
           " is not known to be a multiple of more than " +
           (limit.argument.empty() ? std::to_string(limit.elements * elementBytes) + " bytes"
                                   : elementsText(limit.elements));
  case WidthReason::Contiguity:
    if (!limit.hiddenBy.empty())
      return hidingText(limit) + " hides which elements " +
             (limit.elements == 1 ? "" : "beyond runs of " + std::to_string(limit.elements) + " ") +
             "are neighbors in memory";
    return limit.elements == 1
               ? "neighbors along dimension " + std::to_string(limit.dimension) +
                     " are not neighbors in memory"
               : "only runs of " + elementsText(limit.elements) + " are neighbors in memory";
  case WidthReason::Mask:
    if (limit.elements == 1)
      return "the mask may change at any element" +
             (limit.argument.empty() ? "" : ", since `" + limit.argument + "` may be any number");
    return "the mask may change every " + elementsText(limit.elements) +
           (limit.argument.empty()
                ? ""
                : ": `" + limit.argument + "` is not known to be a multiple of more than " +
                      std::to_string(limit.elements));
  case WidthReason::Layout:
    return "a thread holds " + elementsText(limit.elements) + " side by side";
  case WidthReason::Operation:
    return "the operation has no wider form";
  }
  return "";
}

AccessCounts &AccessCounts::operator+=(const AccessCounts &other) {
  instructions += other.instructions;
  requests += other.requests;
  sectors += other.sectors;
  lines += other.lines;
  wavefronts += other.wavefronts;
  minimumWavefronts += other.minimumWavefronts;
  bytesAsked += other.bytesAsked;
  bytesUsed += other.bytesUsed;
  bytesFetched += other.bytesFetched;
  return *this;
}

AccessCounts AccessCounts::operator*(uint64_t times) const {
  return {instructions * times, requests * times,   sectors * times,
          lines * times,        wavefronts * times, minimumWavefronts * times,
          bytesAsked * times,   bytesUsed * times,  bytesFetched * times};
}

AccessCounts MemoryFacts::total(std::initializer_list<MemoryAction> actions) const {
  AccessCounts sum;
  for (const AccessFacts &access : accesses)
    if (std::find(actions.begin(), actions.end(), access.action) != actions.end())
      sum += access.counts;
  return sum;
}

} // namespace tilescope::compiler
