// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/problems/HintPicture.h"

#include <QCoreApplication>

namespace tilescope::views {

using compiler::HintKind;

static HintPicture picture(const char *view, const char *words) {
  return {QString::fromLatin1(view), QCoreApplication::translate("HintPicture", words)};
}

HintPicture hintPicture(HintKind kind) {
  switch (kind) {
  case HintKind::UncoalescedAccess:
  case HintKind::BytesUnused:
  case HintKind::NarrowAccess:
  case HintKind::SpecializationLost:
  case HintKind::CollidingAtomics:
  case HintKind::MaskedOff:
  case HintKind::SmallBlock:
    return picture("access", QT_TRANSLATE_NOOP("HintPicture", "Picture: its requests, in Access"));
  case HintKind::SingleElements:
  case HintKind::RedundantLoad:
  case HintKind::InvariantScalarLoad:
  case HintKind::TileOrder:
  case HintKind::UnevenWork:
  case HintKind::IdleMultiprocessors:
    return picture("programs",
                   QT_TRANSLATE_NOOP("HintPicture", "Picture: what programs touch, in Programs"));
  case HintKind::LoopNotPipelined:
    return picture("pipeline", QT_TRANSLATE_NOOP("HintPicture", "Picture: the loop, in Pipeline"));
  case HintKind::ConversionInLoop:
    return picture("conversion",
                   QT_TRANSLATE_NOOP("HintPicture", "Picture: what it moves, in Conversion"));
  case HintKind::RegistersSpilled:
  case HintKind::OccupancyCliff:
    return picture("registers",
                   QT_TRANSLATE_NOOP("HintPicture", "Picture: live registers, in Registers"));
  case HintKind::BankConflicts:
    return picture("shared",
                   QT_TRANSLATE_NOOP("HintPicture", "Picture: the banks, in Shared memory"));
  case HintKind::ProductWithoutTensorCores:
  case HintKind::ProductByWarps:
  case HintKind::ReductionOrder:
  case HintKind::ReductionWarps:
    return picture("layout", QT_TRANSLATE_NOOP("HintPicture", "Picture: who holds it, in Layout"));
  case HintKind::HalfAccumulator:
  case HintKind::WideArithmetic:
  case HintKind::MaskAlwaysTrue:
  case HintKind::RuntimeDivisor:
  case HintKind::ScaledExponential:
  case HintKind::UnusedArgument:
    break;
  }
  return {};
}

} // namespace tilescope::views
