// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Base64.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"
#include "profiler/report/LaunchWords.h"
#include "profiler/report/ReportComparison.h"
#include "profiler/report/ReportResources.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace tilescope::profiler {

static std::string kernelHtml(const ReportKernel &kernel, size_t index) {
  std::string subtitle = escapeHtml(kernel.path);
  if (!kernel.target.empty())
    subtitle += " · " + escapeHtml(kernel.target);
  if (!kernel.launchTitle.empty())
    subtitle += " · " + escapeHtml(kernel.launchTitle);
  std::string html = fmt::format("<article id=\"kernel-{}\"><h2>{}<small>{}</small></h2>", index,
                                 escapeHtml(kernel.kernel), subtitle);
  if (const std::string leftOut = launchesLeftOut(kernel); !leftOut.empty())
    html += "<p><small>" + escapeHtml(leftOut) + "</small></p>";
  html += factsHtml(kernel) + messagesHtml(kernel) + codeHtml(kernel, index) +
          diagramsHtml(kernel) + hintsHtml(kernel) + accessesHtml(kernel) + sharedHtml(kernel) +
          loopsHtml(kernel) + registersHtml(kernel) + conversionsHtml(kernel) +
          programsHtml(kernel) + resultsHtml(kernel) + profileHtml(kernel) + launchHtml(kernel) +
          compilationHtml(kernel);
  return html + "</article>";
}

/// What a link to a kernel says: its name, and as much of its launch and file as tells it from the
/// others.
static std::string linkWords(const std::vector<ReportKernel> &kernels, size_t index) {
  const auto words = [](const ReportKernel &kernel, int numParts) {
    std::string text = kernel.kernel;
    if (numParts > 0 && !kernel.launchTitle.empty())
      text += ", " + kernel.launchTitle;
    if (numParts > 1 && !kernel.path.empty())
      text += ", " + kernel.path.substr(kernel.path.rfind('/') + 1);
    return text;
  };
  constexpr int kMostParts = 2;
  for (int numParts = 0; numParts <= kMostParts; ++numParts) {
    const std::string text = words(kernels[index], numParts);
    if (std::ranges::count_if(
            kernels, [&](const ReportKernel &each) { return words(each, numParts) == text; }) == 1)
      return text;
  }
  return fmt::format("{} ({})", words(kernels[index], kMostParts), index + 1);
}

/// Links to the kernels, when there are several.
static std::string contentsHtml(const ReportData &data) {
  if (data.kernels.size() < 2)
    return "";
  std::string html = "<nav>";
  for (size_t i = 0; i < data.kernels.size(); ++i)
    html += fmt::format("<a href=\"#kernel-{}\" title=\"{}\">{}</a>", i,
                        escapeHtml(data.kernels[i].launchTitle),
                        escapeHtml(linkWords(data.kernels, i)));
  return html + "</nav>";
}

/// The report's own data travel inside the page, so that scripts can read them there. A `<` could
/// end the element or begin a comment; in JSON it occurs only inside strings, where it can be
/// written so.
static std::string embeddedJson(const ReportData &data) {
  std::string result;
  for (char c : jsonReport(data))
    result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

/// Nothing is loaded, and no script runs but the page's own, which knows this word. Code that got
/// into the page with a kernel's text cannot know it.
static std::string makeNonce() {
  std::random_device random;
  std::string bytes;
  for (int i = 0; i < 16; ++i)
    bytes += char(random() & 0xff);
  return encodeBase64(bytes);
}

static std::string policyHtml(const std::string &nonce) {
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'nonce-" +
         nonce + "'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n";
}

std::string htmlReport(const ReportData &data) {
  std::string body =
      fmt::format("<header><h1>{}</h1><p>{} · {}</p>{}</header>", escapeHtml(data.title),
                  escapeHtml(data.generator), escapeHtml(data.created), contentsHtml(data));
  body += comparisonHtml(data);
  for (size_t i = 0; i < data.kernels.size(); ++i)
    body += kernelHtml(data.kernels[i], i);
  if (!data.environment.empty())
    body += "<footer><h3>Environment</h3>" + tableHtml(data.environment) + "</footer>";
  const std::string nonce = makeNonce();
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
         policyHtml(nonce) +
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escapeHtml(data.title) + "</title>\n<style>\n" + std::string(kReportStyle) +
         "</style>\n</head>\n<body>\n" + body +
         "\n<script type=\"application/json\" id=\"report-data\">" + embeddedJson(data) +
         "</script>\n<script nonce=\"" + nonce + "\">\n" + std::string(kReportScript) +
         "</script>\n</body>\n</html>\n";
}

} // namespace tilescope::profiler
