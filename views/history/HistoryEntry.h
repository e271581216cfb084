// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::views {

/// What a compile says about a kernel in numbers. -1: not known on this machine.
struct VersionFacts {
  int64_t registers = -1;
  int64_t spillBytes = -1;
  int64_t sharedBytes = -1;
  int64_t threads = -1;
  /// Conversions between layouts in TTGIR.
  int64_t conversions = -1;
  /// Instructions of PTX, whatever they move.
  int64_t loads = -1;
  int64_t stores = -1;
  int64_t barriers = -1;
  /// Bytes that a load moves in a lane, of the narrowest and of the widest one.
  int64_t narrowestLoad = -1;
  int64_t widestLoad = -1;
  /// Atomic operations, with and without a result.
  int64_t atomics = -1;
  bool operator==(const VersionFacts &) const = default;
};

/// Counts in the stages of a result; a stage whose text is not there is not known.
VersionFacts versionFacts(const compiler::CompileResult &result);

/// Identifies what the kernel compiles to: the same for texts that differ in comments only. Empty
/// when neither PTX nor TTGIR is there.
QByteArray versionDigest(const compiler::CompileResult &result);

/// The text of a stage without what only says where in the source its lines came from.
std::string withoutDebugInfo(std::string_view text, compiler::StageId stage);

/// How long a version took.
struct VersionTime {
  double medianUs = 0;
  /// Half the width of the median's 95 % confidence interval, as a fraction of it.
  double spread = 0;
  int64_t runs = 0;
  /// Name of the GPU; empty for the CPU, whose times are not compared.
  QString device;
  /// Of the CPU: as native code, and not by the interpreter.
  bool isNative = false;
  bool operator==(const VersionTime &) const = default;
};

/// One version of a kernel: its text, what it compiled to and what a run of it took.
struct HistoryEntry {
  /// From 1 on, in the order in which versions came; unique within a file.
  int64_t number = 0;
  QDateTime when;
  std::string kernel;
  std::string target;
  /// UTF-8; shared by all copies of the version.
  QByteArray text;
  /// `versionDigest` of its compile; empty when it is not known.
  QByteArray digest = {};
  /// Nothing for a run whose compile was not recorded.
  std::optional<VersionFacts> facts;
  std::optional<VersionTime> time;
  /// The run differed from what is expected, or failed.
  bool isWrong = false;
  /// The version that others of its kernel are compared with.
  bool isBaseline = false;
  bool operator==(const HistoryEntry &) const = default;
};

/// `registers 64 → 96, +1 conversion, −7 % ± 1 %`: in what a version differs from an earlier one.
/// Times are compared when both ran on the same device; a change within the uncertainty is said to
/// be none. Empty when all facts that both have are equal.
QString versionDifference(const HistoryEntry &before, const HistoryEntry &after);

/// `12.4 µs ± 0.5 %`; of the interpreter, `28 ms (interpreter)`.
QString timeText(const VersionTime &time);

/// The ratio of two times minus one, and its uncertainty: relative ones add in quadrature, as for
/// every quotient of independent values.
struct TimeChange {
  double change = 0;
  double uncertainty = 0;
  bool isSure() const;
};
/// Nothing when they are of different devices, or of the interpreter, whose clock is the machine's.
std::optional<TimeChange> timeChange(const HistoryEntry &before, const HistoryEntry &after);

} // namespace tilescope::views
