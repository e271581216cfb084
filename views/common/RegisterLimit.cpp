// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/RegisterLimit.h"

#include <QCoreApplication>

#include <charconv>

namespace tilescope::views {

static QString tr(const char *text) { return QCoreApplication::translate("RegisterLimit", text); }

static constexpr int64_t kOfMultiprocessor = 65536, kOfInstructions = 255;
/// Threads get registers in units of this many.
static constexpr int64_t kUnit = 8;

RegisterLimit registerLimit(const compiler::CompileResult &result, int64_t threads) {
  using Kind = RegisterLimit::Kind;
  RegisterLimit limit{Kind::Hardware, kOfInstructions, threads};
  if (const int64_t each = threads > 0 ? kOfMultiprocessor / threads / kUnit * kUnit : 0;
      each > 0 && each < limit.registers)
    limit = {Kind::Threads, each, threads};
  int64_t asked = 0;
  if (const auto option = result.options.find("maxnreg"); option != result.options.end())
    std::from_chars(option->second.data(), option->second.data() + option->second.size(), asked);
  if (asked > 0 && asked <= limit.registers)
    limit = {Kind::Option, asked, threads};
  return limit;
}

QString limitSentence(const RegisterLimit &limit) {
  switch (limit.kind) {
  case RegisterLimit::Kind::Option:
    return tr("At most %1 are allowed: maxnreg = %1.").arg(limit.registers);
  case RegisterLimit::Kind::Threads:
    return tr("At most %1 are possible: the 65,536 of a multiprocessor among the %2 threads of "
              "num_warps = %3.")
        .arg(limit.registers)
        .arg(limit.threads)
        .arg(limit.threads / 32);
  case RegisterLimit::Kind::Hardware:
    break;
  }
  return tr("At most %1 are possible: an instruction cannot name more.").arg(limit.registers);
}

QString spillSentence() {
  return tr("Each use of such a value is a load, and each new one a store: about 30 cycles where "
            "it is in L1, some 200 where it has to come from L2.");
}

} // namespace tilescope::views
