// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Subcommands.h"

#include "compiler/support/NearestName.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace tilescope::app {

static constexpr std::array<std::string_view, 16> kSubcommands{
    "check", "compile", "package", "run",   "profile", "report", "inspect", "compare",
    "bench", "sweep",   "lesson",  "grade", "model",   "gpus",   "hosts",   "help"};

FirstWord classifyFirstWord(std::string_view word) {
  if (std::ranges::find(kSubcommands, word) != kSubcommands.end() || word == "--help" ||
      word == "-h" || word == "--version")
    return FirstWord::Subcommand;
  std::error_code error;
  const bool mayBeFile = word.find_first_of("./") != std::string_view::npos ||
                         std::filesystem::exists(std::filesystem::path(word), error);
  return word.starts_with('-') || mayBeFile ? FirstWord::WindowArgument : FirstWord::Mistyped;
}

std::optional<Error> unknownWindowOption(const std::vector<std::string> &words) {
  // Those of QGuiApplication and QApplication.
  static constexpr std::array<std::string_view, 17> kOfQt{
      "platform",    "platformpluginpath", "platformtheme", "plugin",   "qwindowgeometry",
      "qwindowicon", "qwindowtitle",       "reverse",       "session",  "style",
      "stylesheet",  "widgetcount",        "display",       "geometry", "icon",
      "title",       "qmljsdebugger"};
  for (const std::string &word : words) {
    if (!word.starts_with("--"))
      continue;
    const std::string_view option = std::string_view(word).substr(2);
    if (std::ranges::find(kOfQt, option.substr(0, option.find('='))) == kOfQt.end())
      return Error{ErrorCode::Usage, "the window does not have an option `" + word + "`",
                   "it has --separate, --screenshot, --size and --theme; the options of a command "
                   "follow its name, as in `tilescope compile FILE --emit ptx`"};
  }
  return std::nullopt;
}

Error unknownSubcommand(std::string_view word) {
  Error error{
      ErrorCode::Usage, "`" + std::string(word) + "` is neither a command nor a file",
      "the commands are check, compile, package, run, profile, report, inspect, compare, "
      "bench, sweep, lesson, grade, model, gpus, hosts and help; without one the window opens"};
  if (const std::string_view nearest = closestName(word, kSubcommands); !nearest.empty())
    error.hint = "did you mean `" + std::string(nearest) + "`?";
  return error;
}

} // namespace tilescope::app
