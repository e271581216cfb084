// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/diagnostics/CaseFile.h"

#include "app/commands/SelectionOptions.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace tilescope::tests {

using compiler::Diagnostic;
using compiler::StageId;
using Hook = compiler::TestHook;

/// The rest of a line after `word` and blanks; nothing when it begins otherwise.
static std::optional<std::string> after(const std::string &line, const std::string &word) {
  if (!line.starts_with(word))
    return std::nullopt;
  const size_t begin = line.find_first_not_of(' ', word.size());
  return begin == std::string::npos ? std::string() : line.substr(begin);
}

namespace {

class CaseReader {
public:
  explicit CaseReader(CaseFile &file) : m_file(file) {}

  void read(std::istream &stream) {
    for (std::string line; std::getline(stream, line); ++m_number) {
      const size_t length = markLength(line);
      if (length == 0) {
        m_file.text += line + "\n";
        ++m_line;
        continue;
      }
      readExpectation(line.substr(length), length);
    }
  }

private:
  static size_t markLength(const std::string &line) {
    for (const std::string mark : {"#|", "//|", ";|"})
      if (line.starts_with(mark))
        return mark.size();
    return 0;
  }

  void readExpectation(const std::string &body, size_t offset) {
    const size_t begin = body.find_first_not_of(' ');
    const std::string words = begin == std::string::npos ? "" : body.substr(begin);
    if (std::optional<std::string> setting = after(words, "set "))
      return set(*setting);
    std::optional<std::string> note = after(words, "note:"), label = after(words, "from:");
    std::optional<std::string> fix = after(words, "fix:");
    if (note || label || fix) {
      if (m_file.expectations.empty())
        return complain("nothing that this could belong to");
      Expectation &last = m_file.expectations.back();
      (note    ? last.notes
       : label ? last.labels
               : last.fixes)
          .push_back(note    ? *note
                     : label ? *label
                             : *fix);
      return;
    }
    Expectation expectation;
    size_t rest = 0;
    if (words.starts_with('^')) {
      rest = std::min(words.find_first_not_of("^~"), words.size());
      expectation.isOpen = words[rest - 1] == '~';
      setColumns(expectation, begin + offset, begin + offset + rest);
    }
    if (words.starts_with('@')) {
      uint32_t begin = 0, end = 0;
      expectation.isOpen = std::sscanf(words.c_str(), "@%u-%u", &begin, &end) < 2;
      rest = std::min(words.find(' '), words.size());
      setColumns(expectation, begin - 1, end - 1);
    }
    const size_t colon = words.find(": ", rest);
    if (colon == std::string::npos)
      return complain("no `kind: words`");
    rest = words.find_first_not_of(' ', rest);
    expectation.kind = words.substr(rest, colon - rest);
    expectation.message = words.substr(colon + 2);
    m_file.expectations.push_back(std::move(expectation));
  }

  /// Of the last line of code.
  void setColumns(Expectation &expectation, size_t begin, size_t end) const {
    const auto line = static_cast<uint32_t>(m_line - 1);
    expectation.range = {
        {line, static_cast<uint32_t>(begin)}, {line, static_cast<uint32_t>(end)}, 0};
  }

  void set(const std::string &setting) {
    const size_t space = std::min(setting.find(' '), setting.size());
    const std::string name = setting.substr(0, space);
    const std::string value = space < setting.size() ? setting.substr(space + 1) : "";
    compiler::Selection &selection = m_file.selection;
    const auto merge = [&](std::map<std::string, std::string> &target) {
      if (auto parsed = app::parseAssignments(value))
        target.insert(parsed->begin(), parsed->end());
      else
        complain(parsed.error().message);
    };
    if (name == "kernel")
      selection.kernel = value;
    else if (name == "target")
      selection.target = value;
    else if (name == "launch")
      selection.launch = value;
    else if (name == "signature")
      merge(selection.signature);
    else if (name == "constexpr")
      merge(selection.constexprs);
    else if (name == "option")
      merge(selection.options);
    else if (name == "do")
      m_file.isRun = value == "run";
    else if (name == "to")
      setLastStage(value);
    else if (name == "nothing")
      m_file.isRight = true;
    else if (name == "output")
      m_file.outputFolder = value;
    else if (name == "env")
      m_file.environment.emplace_back(value.substr(0, value.find('=')),
                                      value.substr(value.find('=') + 1));
    else if (name == "hook")
      setHook(value);
    else
      complain("unknown setting `" + name + "`");
  }

  void setLastStage(const std::string &name) {
    for (const compiler::StageKind &kind : compiler::kStageKinds)
      if (kind.name == name)
        m_file.stopAfter = kind.id;
  }

  void setHook(const std::string &value) {
    const std::string action = value.substr(0, value.find(' '));
    m_file.hook.action = action == "crash"  ? Hook::Action::Crash
                         : action == "hang" ? Hook::Action::Hang
                                            : Hook::Action::ExhaustMemory;
    m_file.hook.where = value.substr(value.find(' ') + 1);
  }

  void complain(const std::string &what) {
    m_file.problems.push_back("line " + std::to_string(m_number) + ": " + what);
  }

  CaseFile &m_file;
  int m_number = 1;
  /// Lines of code up to now.
  int m_line = 0;
};

} // namespace

CaseFile readCase(const std::string &path) {
  CaseFile file;
  file.path = path;
  std::ifstream stream(path);
  CaseReader(file).read(stream);
  if (file.expectations.empty() != file.isRight)
    file.problems.push_back(file.isRight ? "it expects something" : "it expects nothing");
  return file;
}

static bool containsAll(const std::vector<std::string> &texts,
                        const std::vector<std::string> &parts) {
  return std::ranges::all_of(parts, [&](const std::string &part) {
    return std::ranges::any_of(
        texts, [&](const std::string &text) { return text.find(part) != std::string::npos; });
  });
}

static bool fits(const Expectation &expected, const Diagnostic &found) {
  if (compiler::diagnosticId(found.kind) != expected.kind ||
      found.message.find(expected.message) == std::string::npos)
    return false;
  const SourceRange range = expected.range.value_or(SourceRange{});
  if (found.range.file != 0 || found.range.begin != range.begin)
    return false;
  if (expected.range && !expected.isOpen && found.range.end != range.end)
    return false;
  std::vector<std::string> labels;
  for (const compiler::DiagnosticLabel &label : found.labels)
    labels.push_back(label.message);
  std::vector<std::string> fixes;
  for (const compiler::DiagnosticFix &fix : found.fixes)
    fixes.push_back(fix.title + " | " + fix.replacement);
  return containsAll(found.notes, expected.notes) && containsAll(labels, expected.labels) &&
         containsAll(fixes, expected.fixes);
}

static std::string describe(const Diagnostic &diagnostic) {
  const auto place = [](Position position) {
    return std::to_string(position.line + 1) + ":" + std::to_string(position.column + 1);
  };
  std::string text = place(diagnostic.range.begin) + "-" + place(diagnostic.range.end) + " " +
                     std::string(compiler::diagnosticId(diagnostic.kind)) + ": " +
                     diagnostic.message;
  for (const std::string &note : diagnostic.notes)
    text += "\n    note: " + note;
  for (const compiler::DiagnosticLabel &label : diagnostic.labels)
    text += "\n    from: " + label.message;
  for (const compiler::DiagnosticFix &fix : diagnostic.fixes)
    text += "\n    fix: " + fix.title + " | " + fix.replacement;
  return text;
}

std::vector<std::string> mismatches(const CaseFile &file,
                                    const std::vector<Diagnostic> &diagnostics) {
  std::vector<std::string> problems;
  std::vector<const Diagnostic *> unexpected;
  for (const Diagnostic &diagnostic : diagnostics)
    unexpected.push_back(&diagnostic);
  for (const Expectation &expected : file.expectations) {
    const auto found = std::ranges::find_if(
        unexpected, [&](const Diagnostic *diagnostic) { return fits(expected, *diagnostic); });
    if (found != unexpected.end())
      unexpected.erase(found);
    else
      problems.push_back("missing: " + expected.kind + ": " + expected.message);
  }
  for (const Diagnostic *diagnostic : unexpected)
    problems.push_back("unexpected: " + describe(*diagnostic));
  return problems;
}

} // namespace tilescope::tests
