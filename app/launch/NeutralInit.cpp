// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/NeutralInit.h"

#include "app/launch/ResolveLaunch.h"
#include "compiler/support/TextOffset.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

using profiler::Dtype;

/// What is called in a place: `tl.atomic_min`; empty where no call begins there.
static std::string calleeAt(const compiler::CompileRequest &request, const SourceRange &place) {
  if (request.entry != compiler::StageId::Ast || place.file != 0)
    return {};
  const std::string_view text =
      std::string_view(request.text)
          .substr(std::min(request.text.size(), offsetOf(request.text, place.begin)));
  const auto end = std::ranges::find_if_not(text, [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '.';
  });
  return end != text.end() && *end == '(' ? std::string(text.begin(), end) : std::string();
}

/// `atomic_min` of `tl.atomic_min`.
static std::string_view lastName(std::string_view callee) {
  return callee.substr(callee.rfind('.') + 1);
}

/// The largest value of a type; of one of 64 bits as TOML can write it.
static std::string_view largest(Dtype dtype) {
  switch (dtype) {
  case Dtype::Int32:
    return "2147483647";
  case Dtype::Int64:
    return "9223372036854775807";
  case Dtype::Uint32:
    return "4294967295";
  case Dtype::Uint64:
    return "1.8446744073709552e19";
  default:
    return profiler::isFloat(dtype) ? "inf" : "";
  }
}

static std::string_view smallest(Dtype dtype) {
  switch (dtype) {
  case Dtype::Uint32:
  case Dtype::Uint64:
    return "0";
  case Dtype::Int32:
    return "-2147483648";
  case Dtype::Int64:
    return "-9223372036854775808";
  default:
    return profiler::isFloat(dtype) ? "-inf" : "";
  }
}

static std::string withValue(const AtomicUpdate &update, std::string text) {
  return update.value.empty() ? text : text + ", value = " + std::string(update.value);
}

std::string AtomicUpdate::words() const {
  return withValue(*this, "init = \"" + std::string(init) + "\"");
}

std::optional<compiler::DiagnosticFix> neutralFix(const compiler::CompileRequest &request,
                                                  std::string_view name,
                                                  const AtomicUpdate &update) {
  auto fix = update.init.empty() ? std::nullopt : initFix(request, name, update.init);
  if (fix) {
    fix->replacement = withValue(update, fix->replacement);
    fix->title = "give `" + std::string(name) + "` values: `" + update.words() + "`";
  }
  return fix;
}

std::string neededInit(const std::optional<AtomicUpdate> &update) {
  return update && !update->isSum ? "`" + update->callee + "` needs `" + update->words() + "`"
                                  : "what is added to needs `init = \"zeros\"`";
}

std::optional<AtomicUpdate> atomicUpdate(const compiler::CompileRequest &request,
                                         const std::vector<SourceRange> &places, Dtype dtype) {
  AtomicUpdate update;
  for (const SourceRange &place : places) {
    std::string callee = calleeAt(request, place);
    if (!update.callee.empty() && lastName(callee) != lastName(update.callee))
      return std::nullopt;
    update.callee = std::move(callee);
  }
  const std::string_view name = lastName(update.callee);
  std::string_view value;
  if (name == "atomic_min" || name == "atomic_max") {
    update.verb = "compares with";
    value = name == "atomic_min" ? largest(dtype) : smallest(dtype);
  } else if (name == "atomic_and") {
    update.verb = "combines with";
    value = profiler::isSigned(dtype) ? "-1" : largest(dtype);
  } else if (name == "atomic_add" || name == "atomic_or" || name == "atomic_xor") {
    update.isSum = name == "atomic_add";
    update.verb = update.isSum ? "adds to" : "combines with";
    value = "0";
  } else {
    return std::nullopt;
  }
  if (!value.empty())
    update.init = value == "0" ? "zeros" : "full";
  if (update.init == "full")
    update.value = value;
  return update;
}

std::optional<AtomicUpdate> comparedAndSwapped(const compiler::CompileRequest &request,
                                               const std::vector<SourceRange> &places) {
  AtomicUpdate update;
  for (const SourceRange &place : places) {
    const std::string callee = calleeAt(request, place);
    if (!lastName(callee).starts_with("atomic_"))
      return std::nullopt;
    if (update.callee.empty())
      update.callee = callee;
  }
  if (lastName(update.callee) != "atomic_cas")
    return std::nullopt;
  update.verb = "compares with";
  return update;
}

} // namespace tilescope::app
