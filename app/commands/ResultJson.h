// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

/// The documents that `--json` prints. Scripts rely on the names: fields may be added, none
/// renamed.
namespace tilescope::app {

nlohmann::json diagnosticsToJson(const std::vector<compiler::Diagnostic> &diagnostics,
                                 const std::vector<compiler::SourceFile> &files,
                                 const std::string &path);

/// `paths`: where each stage was written; stages without a path carry their text instead when
/// `withText`.
nlohmann::json compileResultToJson(const compiler::CompileResult &result, const std::string &path,
                                   const std::map<compiler::StageId, std::string> &paths,
                                   bool withText);

} // namespace tilescope::app
