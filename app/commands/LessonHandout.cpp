// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LessonHandout.h"

#include "app/lesson/LiveElements.h"
#include "app/lesson/QuestionKinds.h"
#include "compiler/support/Text.h"
#include "profiler/data/Base64.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"
#include "profiler/report/ReportResources.h"

#include <algorithm>
#include <fmt/format.h>
#include <md4c-html.h>
#include <optional>

namespace tilescope::app {

using profiler::escapeHtml;
using profiler::ReportKernel;

/// Layouts that are drawn; the others look alike.
static constexpr size_t kMostLayouts = 2;

static void appendTo(const MD_CHAR *text, MD_SIZE size, void *target) {
  static_cast<std::string *>(target)->append(text, size);
}

/// Markdown without raw HTML.
static std::string markdownHtml(const std::string &text) {
  std::string html;
  const unsigned flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML;
  if (md_html(text.data(), static_cast<MD_SIZE>(text.size()), appendTo, &html, flags, 0) != 0)
    return "<pre>" + escapeHtml(text) + "</pre>";
  return html;
}

/// `**` of a list entry and the like: one paragraph without its element.
static std::string inlineHtml(const std::string &text) {
  std::string html = markdownHtml(text);
  constexpr std::string_view kOpen = "<p>", kClose = "</p>\n";
  if (html.starts_with(kOpen) && html.ends_with(kClose))
    html = html.substr(kOpen.size(), html.size() - kOpen.size() - kClose.size());
  return html;
}

/// Replaces what a function makes of every value of an attribute: `name="value"`.
template <typename Make>
static std::string withAttributes(const std::string &html, std::string_view name, Make make) {
  const std::string open = fmt::format(" {}=\"", name);
  std::string result;
  for (size_t at = 0; at < html.size();) {
    const size_t begin = html.find(open, at);
    const size_t end = begin == std::string::npos ? begin : html.find('"', begin + open.size());
    if (end == std::string::npos)
      return result + html.substr(at);
    result += html.substr(at, begin - at) +
              make(html.substr(begin + open.size(), end - begin - open.size()));
    at = end + 1;
  }
  return result;
}

static std::string pictureData(const std::string &name, const LessonParts &parts) {
  const auto found = std::ranges::find(parts.parts, name, &LessonPart::name);
  const bool isSvg = name.ends_with(".svg");
  if (found == parts.parts.end() || (!isSvg && !name.ends_with(".png")))
    return "";
  return fmt::format(" src=\"data:image/{};base64,{}\"", isSvg ? "svg+xml" : "png",
                     profiler::encodeBase64(found->bytes));
}

/// Pictures are put into the page; links to views of the program lead nowhere here, and others only
/// to the web.
static std::string textHtml(const Lesson &lesson, const LessonParts &parts) {
  std::string html = markdownHtml(withoutLiveElements(lesson.text));
  html = withAttributes(html, "src",
                        [&](const std::string &name) { return pictureData(name, parts); });
  return withAttributes(html, "href", [](const std::string &link) {
    const bool isWeb = link.starts_with("https://") || link.starts_with("http://");
    return isWeb ? " href=\"" + link + "\"" : std::string();
  });
}

static std::string codeHtml(const ReportKernel &start, const std::string &text) {
  std::string lines;
  uint32_t number = 0;
  for (const std::string_view line : splitLines(text)) {
    std::vector<profiler::CodeWord> words;
    for (const profiler::CodeWord &word : start.sourceWords)
      if (word.line == number)
        words.push_back(word);
    lines += fmt::format("<span class=\"line\">{:>3}</span>  {}\n", ++number,
                         profiler::highlightWords(line, words));
  }
  return "<h2>The kernel that you begin with</h2><pre class=\"start\">" + lines + "</pre>";
}

static std::string picturesHtml(const ReportKernel &start) {
  ReportKernel shown = start;
  shown.diagrams.resize(std::min(shown.diagrams.size(), kMostLayouts));
  shown.numDiagramsLeftOut = 0;
  return "<h2>What the compiler tells of it</h2><article>" + profiler::factsHtml(shown) +
         profiler::programsHtml(shown) + profiler::accessesHtml(shown) +
         profiler::diagramsHtml(shown) + profiler::conversionsHtml(shown) + "</article>";
}

static std::string goalsHtml(const Lesson &lesson) {
  std::string html = "<h2>Goals</h2><ul class=\"boxes\">";
  for (const Goal &goal : lesson.goals)
    html += "<li><span class=\"box\"></span>" + inlineHtml(goal.text) + "</li>";
  return html + "</ul>";
}

static std::string questionsHtml(const Lesson &lesson) {
  if (lesson.questions.empty())
    return "";
  std::string html = "<h2>Predict</h2><p>Answer before you ask the program.</p><ol>";
  for (const Question &question : lesson.questions) {
    html += "<li>" + inlineHtml(question.text);
    if (questionKindFacts(question.kind).form == AnswerForm::Limiter) {
      html += "<ul class=\"boxes\">";
      for (const std::string &choice : occupancyLimiters())
        html += "<li><span class=\"box\"></span>" + escapeHtml(choice) + "</li>";
      html += "</ul>";
    } else {
      html += "<p class=\"blank\"></p>";
    }
    html += "</li>";
  }
  return html + "</ol>";
}

static std::string hintsHtml(const Lesson &lesson) {
  std::string html;
  for (size_t i = 0; i < lesson.hints.size(); ++i)
    html += fmt::format("<details><summary>Hint {}</summary><p>{}</p></details>", i + 1,
                        inlineHtml(lesson.hints[i]));
  return html.empty() ? html : "<h2>Hints</h2>" + html;
}

static constexpr std::string_view kHandoutStyle = R"(
main { max-width: 60rem; margin: 0 auto; padding: 1rem; line-height: 1.5; }
pre.start { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: 4px; }
.line { opacity: .5; user-select: none; }
.boxes { list-style: none; padding-left: 0; }
.box { display: inline-block; width: .9em; height: .9em; margin-right: .6em; border: 1px solid; }
.blank { border-bottom: 1px solid; height: 2em; max-width: 24rem; }
main table { border-collapse: collapse; }
main td, main th { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; }
.lesson { border-top: 1px solid #8886; margin-top: 3rem; }
@media print { .lesson { break-before: page; border: 0; margin: 0; } details > p { display: none; } pre.start { white-space: pre-wrap; } }
)";

static std::string page(const std::string &title, const std::string &body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escapeHtml(title) + "</title>\n<style>\n" + std::string(profiler::kReportStyle) +
         std::string(kHandoutStyle) + "</style>\n</head>\n<body>\n<main>\n" + body +
         "</main>\n</body>\n</html>\n";
}

static std::string lessonHtml(const HandoutLesson &each) {
  const Lesson &lesson = each.lesson;
  return fmt::format("<p><small>{} About {} minutes.</small></p>\n", escapeHtml(lesson.summary),
                     lesson.minutes) +
         textHtml(lesson, each.parts) + goalsHtml(lesson) + questionsHtml(lesson) +
         codeHtml(each.start, lesson.start) + picturesHtml(each.start) + hintsHtml(lesson);
}

std::string lessonHandout(const HandoutLesson &lesson) {
  return page(lesson.lesson.title, lessonHtml(lesson));
}

std::string lessonsHandout(std::span<const HandoutLesson> lessons) {
  std::string contents, body;
  int minutes = 0;
  for (const HandoutLesson &each : lessons) {
    minutes += each.lesson.minutes;
    contents += fmt::format("<li><a href=\"#{0}\">{1}</a>: {2} <small>{3} minutes</small></li>\n",
                            escapeHtml(each.parts.id), escapeHtml(each.lesson.title),
                            escapeHtml(each.lesson.summary), each.lesson.minutes);
    body += fmt::format("<section class=\"lesson\" id=\"{}\">\n{}</section>\n",
                        escapeHtml(each.parts.id), lessonHtml(each));
  }
  return page("Lessons",
              fmt::format("<h1>Lessons</h1>\n<p>{} lessons, about {} hours of work.</p>\n"
                          "<ol class=\"contents\">\n{}</ol>\n{}",
                          lessons.size(), (minutes + 30) / 60, contents, body));
}

} // namespace tilescope::app
