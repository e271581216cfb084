// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/history/HistoryEntry.h"

#include "compiler/support/BytesText.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

static QString tr(const char *text) { return QCoreApplication::translate("History", text); }

/// The lines of an assembly text without their indentation.
template <typename Visit> static void eachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!visit(line))
      return;
  }
}

/// Lines of PTX that say where an instruction came from.
static bool isDebugLine(std::string_view line) {
  return line.empty() || line.starts_with(".loc") || line.starts_with(".file") ||
         line.starts_with("//") || line.starts_with("$L__tmp");
}

/// The text of a stage that was made and handed over.
static const std::string *textOf(const CompileResult &result, StageId id) {
  const Stage *stage = result.stage(id);
  return stage && stage->ok && !stage->text.empty() ? &stage->text : nullptr;
}

static int64_t occurrences(std::string_view text, std::string_view word) {
  int64_t count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

/// Bytes that an instruction such as `ld.global.v4.b32` moves in a lane: its vector times its type.
static int64_t bytesMoved(std::string_view instruction) {
  int64_t vector = 1, bits = 0;
  while (!instruction.empty()) {
    const size_t end = instruction.find('.');
    const std::string_view part = instruction.substr(0, end);
    instruction = end == std::string_view::npos ? std::string_view() : instruction.substr(end + 1);
    if (part.size() < 2 || part.find_first_not_of("0123456789", 1) != std::string_view::npos)
      continue;
    const int64_t number = std::stoll(std::string(part.substr(1)));
    if (part[0] == 'v')
      vector = number;
    else if (std::string_view("bufs").find(part[0]) != std::string_view::npos)
      bits = number;
  }
  return vector * bits / 8;
}

static void countPtx(std::string_view ptx, VersionFacts &facts) {
  facts.loads = facts.stores = facts.barriers = facts.atomics = 0;
  eachLine(ptx, [&](std::string_view line) {
    if (line.starts_with('@'))
      line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    const std::string_view instruction = line.substr(0, line.find_first_of(" \t;"));
    if (instruction.starts_with("ld.global")) {
      const int64_t bytes = bytesMoved(instruction);
      facts.narrowestLoad = facts.loads == 0 ? bytes : std::min(facts.narrowestLoad, bytes);
      facts.widestLoad = std::max(facts.widestLoad, bytes);
      ++facts.loads;
    } else if (instruction.starts_with("st.global")) {
      ++facts.stores;
    } else if (instruction.starts_with("bar.sync") || instruction.starts_with("barrier.sync")) {
      ++facts.barriers;
    } else if (instruction.starts_with("atom.") || instruction.starts_with("red.")) {
      ++facts.atomics;
    }
    return true;
  });
}

VersionFacts versionFacts(const CompileResult &result) {
  VersionFacts facts;
  facts.registers = result.resources.registers;
  facts.spillBytes = result.resources.spillBytes;
  facts.sharedBytes = result.resources.sharedBytes;
  facts.threads = result.resources.threads;
  if (const std::string *ttgir = textOf(result, StageId::Ttgir))
    facts.conversions = occurrences(*ttgir, "ttg.convert_layout");
  if (const std::string *ptx = textOf(result, StageId::Ptx))
    countPtx(*ptx, facts);
  return facts;
}

QByteArray versionDigest(const CompileResult &result) {
  const std::string *ptx = textOf(result, StageId::Ptx);
  const std::string *assembly = textOf(result, StageId::Assembly);
  const std::string *ttgir = textOf(result, StageId::Ttgir);
  if (!ptx && !assembly && !ttgir)
    return {};
  QCryptographicHash hash(QCryptographicHash::Sha1);
  const auto add = [&](std::string_view text) {
    hash.addData(text.data(), static_cast<int>(text.size()));
    hash.addData("\n", 1);
  };
  add(result.kernel);
  add(result.target);
  if (ptx)
    eachLine(*ptx, [&](std::string_view line) {
      if (line.starts_with(".section"))
        return false;
      if (!isDebugLine(line))
        add(line);
      return true;
    });
  else
    add(assembly ? *assembly : *ttgir);
  return hash.result();
}

/// Metadata of LLVM IR that only describes the source: `!7 = !DILocation(…)`.
static bool isDebugMetadata(std::string_view line) {
  const size_t value = line.starts_with('!') ? line.find(" = ") : std::string_view::npos;
  if (value == std::string_view::npos)
    return false;
  line.remove_prefix(value + 3);
  return line.starts_with("!DI") || line.starts_with("distinct !DI");
}

/// `add i32 %1, %2, !dbg !9` without its end.
static std::string_view withoutLocation(std::string_view line) {
  const size_t at = line.find(", !dbg !");
  return at == std::string_view::npos ? line : line.substr(0, at);
}

std::string withoutDebugInfo(std::string_view text, StageId stage) {
  std::string kept;
  bool isSection = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view code = line;
    code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
    isSection |= stage == StageId::Ptx && code.starts_with(".section");
    const bool isDebug = stage == StageId::Ptx ? isSection || (!code.empty() && isDebugLine(code))
                         : stage == StageId::LlvmIr
                             ? isDebugMetadata(code) || code.starts_with("source_filename") ||
                                   code.starts_with("; ModuleID")
                             : false;
    if (!isDebug)
      kept.append(stage == StageId::LlvmIr ? withoutLocation(line) : line) += '\n';
  }
  return kept;
}

QString timeText(const VersionTime &time) {
  if (time.device.isEmpty())
    return (time.isNative ? tr("%1 ms (native code)") : tr("%1 ms (interpreter)"))
        .arg(time.medianUs / 1000, 0, 'f', 1);
  const int digits = time.medianUs < 10 ? 2 : time.medianUs < 1000 ? 1 : 0;
  const QString median = QStringLiteral("%1 µs").arg(time.medianUs, 0, 'f', digits);
  return time.spread > 0 ? QStringLiteral("%1 ± %2 %").arg(median).arg(100 * time.spread, 0, 'f', 1)
                         : median;
}

bool TimeChange::isSure() const { return std::abs(change) > uncertainty; }

std::optional<TimeChange> timeChange(const HistoryEntry &before, const HistoryEntry &after) {
  if (!before.time || !after.time || before.time->device.isEmpty() ||
      before.time->device != after.time->device || before.time->medianUs <= 0)
    return std::nullopt;
  const double ratio = after.time->medianUs / before.time->medianUs;
  return TimeChange{ratio - 1, ratio * std::hypot(before.time->spread, after.time->spread)};
}

/// `registers 64 → 96`.
static void addStep(QStringList &parts, const QString &name, int64_t before, int64_t after,
                    const QString &unit = {}) {
  if (before != after && before >= 0 && after >= 0)
    parts << QStringLiteral("%1 %2 → %3%4").arg(name).arg(before).arg(after).arg(unit);
}

/// `shared memory 32 KiB → 96 KiB`; in bytes where that would say the same of both.
static void addBytes(QStringList &parts, const QString &name, int64_t before, int64_t after) {
  if (before == after || before < 0 || after < 0)
    return;
  const std::string from = bytesText(static_cast<uint64_t>(before));
  const std::string to = bytesText(static_cast<uint64_t>(after));
  if (from == to)
    return addStep(parts, name, before, after, tr(" bytes"));
  parts << QStringLiteral("%1 %2 → %3")
               .arg(name, QString::fromStdString(from), QString::fromStdString(to));
}

/// `+1 conversion`.
static void addCount(QStringList &parts, const QString &name, int64_t before, int64_t after) {
  const int64_t more = after - before;
  if (more != 0 && before >= 0 && after >= 0)
    parts << QStringLiteral("%1%2 %3%4")
                 .arg(more > 0 ? u'+' : QChar(0x2212))
                 .arg(std::abs(more))
                 .arg(name, std::abs(more) == 1 ? QString() : QStringLiteral("s"));
}

static void addFacts(QStringList &parts, const VersionFacts &before, const VersionFacts &after) {
  if (before.narrowestLoad == before.widestLoad && after.narrowestLoad == after.widestLoad)
    addStep(parts, tr("loads"), before.widestLoad, after.widestLoad, tr(" bytes a lane"));
  else {
    addStep(parts, tr("widest load"), before.widestLoad, after.widestLoad, tr(" bytes a lane"));
    addStep(parts, tr("narrowest load"), before.narrowestLoad, after.narrowestLoad,
            tr(" bytes a lane"));
  }
  addCount(parts, tr("conversion"), before.conversions, after.conversions);
  addCount(parts, tr("load instruction"), before.loads, after.loads);
  addCount(parts, tr("store instruction"), before.stores, after.stores);
  addCount(parts, tr("atomic instruction"), before.atomics, after.atomics);
  addCount(parts, tr("barrier"), before.barriers, after.barriers);
  addStep(parts, tr("registers"), before.registers, after.registers);
  addBytes(parts, tr("spilled"), before.spillBytes, after.spillBytes);
  addBytes(parts, tr("shared memory"), before.sharedBytes, after.sharedBytes);
  addStep(parts, tr("threads"), before.threads, after.threads);
}

static QString percentText(double fraction) {
  const double percent = 100 * std::abs(fraction);
  return QString::number(percent, 'f', percent < 9.95 ? 1 : 0);
}

QString versionDifference(const HistoryEntry &before, const HistoryEntry &after) {
  QStringList parts;
  if (before.target != after.target)
    parts << QStringLiteral("%1 → %2").arg(QString::fromStdString(before.target),
                                           QString::fromStdString(after.target));
  if (before.facts && after.facts)
    addFacts(parts, *before.facts, *after.facts);
  if (const auto change = timeChange(before, after)) {
    const QString uncertainty = percentText(change->uncertainty);
    if (!change->isSure())
      parts << tr("time unchanged (± %1 %)").arg(uncertainty);
    else
      parts << tr("time %1%2 % ± %3 %")
                   .arg(change->change > 0 ? u'+' : QChar(0x2212))
                   .arg(percentText(change->change), uncertainty);
  }
  return parts.join(QStringLiteral(", "));
}

} // namespace tilescope::views
