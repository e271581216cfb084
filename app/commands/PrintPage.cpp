// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PrintPage.h"

#include "app/commands/TemporaryFolder.h"
#include "compiler/support/ChildProcess.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace tilescope::app {

namespace fs = std::filesystem;

/// Printing a page of a dozen kernels takes some seconds, and starting a browser on a busy machine
/// another few.
static constexpr std::chrono::milliseconds kPrintingLimit{120000};

static constexpr std::string_view kBrowsers[] = {"chromium", "chromium-browser", "google-chrome",
                                                 "google-chrome-stable", "microsoft-edge"};

static std::string findBrowser() {
  if (const char *named = std::getenv("TILESCOPE_BROWSER"); named != nullptr && *named != '\0')
    return named;
  const char *path = std::getenv("PATH");
  std::string_view rest(path != nullptr ? path : "");
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    for (const std::string_view name : kBrowsers)
      if (const fs::path program = fs::path(rest.substr(0, colon)) / name;
          ::access(program.c_str(), X_OK) == 0)
        return program.string();
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return "";
}

/// A path as an address, in which `#`, `?` and `%` mean something.
static std::string addressOf(const std::string &path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string address = "file://";
  for (const char c : path) {
    const auto byte = static_cast<uint8_t>(c);
    if (std::isalnum(byte) != 0 || std::string_view("/._-").find(c) != std::string_view::npos)
      address += c;
    else
      address += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return address;
}

static Error notPrinted(const std::string &why) {
  return {ErrorCode::Environment, "the PDF could not be printed: " + why,
          "write an .html report and print it from a browser"};
}

Result<std::string> printPage(const std::string &html) {
  const std::string browser = findBrowser();
  if (browser.empty())
    return Error{ErrorCode::Environment, "a PDF needs a browser to print it, and none was found",
                 "install chromium or google-chrome, or name one in TILESCOPE_BROWSER"};
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  const std::string page = folder->path() + "/report.html", pdf = folder->path() + "/report.pdf";
  if (Status status = profiler::writeFile(page, html); !status)
    return status.error();
  std::vector<std::string> arguments = {"--headless",
                                        "--disable-gpu",
                                        "--no-first-run",
                                        "--user-data-dir=" + folder->path() + "/browser",
                                        "--no-pdf-header-footer",
                                        "--print-to-pdf=" + pdf};
  // A browser refuses to sandbox the superuser. The page loads nothing, and runs its own script
  // alone.
  if (::geteuid() == 0)
    arguments.emplace_back("--no-sandbox");
  arguments.push_back(addressOf(page));
  const Result<ChildOutput> printed = runChild(browser, arguments, kPrintingLimit);
  if (!printed)
    return notPrinted(printed.error().message);
  if (printed->timedOut)
    return notPrinted("`" + browser + "` did not end");
  Result<std::string> bytes = profiler::readFile(pdf);
  if (!bytes || !bytes->starts_with("%PDF")) {
    const std::string said = printed->standardError.substr(0, printed->standardError.find('\n'));
    return notPrinted("`" + browser + "` ended with status " + std::to_string(printed->status) +
                      (said.empty() ? "" : ": " + profiler::printableLine(said)));
  }
  return bytes;
}

} // namespace tilescope::app
