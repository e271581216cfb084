// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PassNames.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::PassRecord;

PassKey passKey(const CompileResult &result, size_t index) {
  const PassRecord &record = result.passes[index];
  const auto isSame = [&](const PassRecord &earlier) {
    return earlier.stage == record.stage && earlier.name == record.name;
  };
  const auto turn = std::count_if(
      result.passes.begin(), result.passes.begin() + static_cast<std::ptrdiff_t>(index), isSame);
  return {record.stage, record.name, static_cast<int>(turn)};
}

std::optional<size_t> findPass(const CompileResult &result, const PassKey &key) {
  int turn = 0;
  for (size_t i = 0; i < result.passes.size(); ++i)
    if (result.passes[i].stage == key.stage && result.passes[i].name == key.name &&
        turn++ == key.turn)
      return i;
  return std::nullopt;
}

const PassRecord *recordedUpTo(const CompileResult &result, size_t index) {
  for (size_t i = std::min(index + 1, result.passes.size()); i-- > 0;)
    if (!result.passes[i].ir.empty())
      return &result.passes[i];
  return nullptr;
}

QString shortPassName(const std::string &name) {
  static constexpr std::string_view kPrefix = "tilescope-";
  std::string_view shown = name;
  if (shown.starts_with(kPrefix))
    shown.remove_prefix(kPrefix.size());
  return QString::fromUtf8(shown.data(), static_cast<qsizetype>(shown.size()));
}

QString passTitle(const PassKey &key) {
  const QString name = shortPassName(key.name);
  return key.turn == 0
             ? name
             : QCoreApplication::translate("PassNames", "%1 (%2)").arg(name).arg(key.turn + 1);
}

bool translatesCode(const PassRecord &record) {
  static constexpr std::string_view kTranslations[] = {"frontend", "translate-to-llvm-ir",
                                                       "nvptx-codegen"};
  return std::ranges::find(kTranslations, record.name) != std::end(kTranslations);
}

} // namespace tilescope::views
