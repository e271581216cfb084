// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/OtherKernels.h"

#include <algorithm>

namespace tilescope::app {

using compiler::CompileResult;
using compiler::Diagnostic;

/// Without an edit or a compile for so long, checks begin.
static constexpr int kIdleMs = 400;
/// A file with more kernels is checked in part: each check reads all of it.
static constexpr size_t kMaxKernels = 64;
/// Checks are numbered apart from the documents' revisions.
static constexpr uint64_t kCheckBit = uint64_t{1} << 63;

OtherKernels::OtherKernels(CompileBackend *backend, CompileController *compile, QObject *parent)
    : QObject(parent), m_backend(backend), m_compile(compile) {
  m_idle.setObjectName(QStringLiteral("checking other kernels"));
  m_idle.setSingleShot(true);
  m_idle.setInterval(kIdleMs);
  connect(&m_idle, &QTimer::timeout, this, &OtherKernels::begin);
  connect(m_compile, &CompileController::started, this, &OtherKernels::stop);
  connect(m_compile, &CompileController::documentChanged, this, &OtherKernels::stop);
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &result, bool done) {
            if (!done || !m_compile->isCurrent())
              return;
            record(m_compile->document()->kernel(), *result->result());
            if (!m_isHeld)
              m_idle.start();
          });
  const auto take = [this](const CorrelationPointer &result) {
    if (m_revision == 0 || result->result()->revision != m_revision)
      return;
    record(m_checked, *result->result());
    Q_EMIT changed();
    checkNext();
  };
  connect(m_backend, &CompileBackend::progressed, this,
          [take](const CorrelationPointer &result, bool done) {
            if (done)
              take(result);
          });
  connect(m_backend, &CompileBackend::crashed, this, take);
}

void OtherKernels::setHeld(bool isHeld) {
  m_isHeld = isHeld;
  if (isHeld)
    stop();
  else if (m_compile->isCurrent())
    m_idle.start();
}

void OtherKernels::stop() {
  m_idle.stop();
  m_waiting.clear();
  m_revision = 0;
}

/// The kernel's part of the text.
static std::string textOf(const KernelSource &source, const SourceKernel &kernel) {
  size_t begin = 0;
  for (uint32_t line = 0; line < kernel.range.begin.line && begin != std::string::npos; ++line)
    begin = source.text.find('\n', begin) + 1;
  size_t end = begin;
  for (uint32_t line = kernel.range.begin.line; line <= kernel.range.end.line; ++line)
    if (end = source.text.find('\n', end); end == std::string::npos)
      return source.text.substr(begin);
    else
      ++end;
  return source.text.substr(begin, end - begin);
}

/// What does not parse is reported by every compile of the file.
static bool isOfFile(const Diagnostic &diagnostic) {
  return compiler::diagnosticId(diagnostic.kind).starts_with("syntax-");
}

void OtherKernels::record(const std::string &name, const CompileResult &result) {
  const QObject *file = m_compile->file();
  const DocumentPointer &document = m_compile->document();
  const SourceKernel *kernel = document ? findKernel(document->source->kernels, name) : nullptr;
  if (!file || !kernel || name.empty())
    return;
  if (!m_known.contains(file))
    connect(file, &QObject::destroyed, this, [this, file] { m_known.erase(file); });
  Known known{textOf(*document->source, *kernel), kernel->range.begin.line, {}, document->source};
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity != compiler::Severity::Note && diagnostic.range.file == 0 &&
        !isOfFile(diagnostic) && kernel->range.contains(diagnostic.range.begin))
      known.errors.push_back(diagnostic);
  m_known[file][name] = std::move(known);
}

void OtherKernels::begin() {
  const DocumentPointer &document = m_compile->document();
  if (!document || m_compile->isRunning())
    return;
  const auto file = m_known.find(m_compile->file());
  const KnownKernels known = file == m_known.end() ? KnownKernels() : file->second;
  for (const SourceKernel &kernel : document->source->kernels) {
    const auto before = known.find(kernel.name);
    const bool isChecked = before != known.end() && before->second.source == document->source;
    if (!kernel.isCalled && kernel.name != document->kernel() && !isChecked &&
        m_waiting.size() < kMaxKernels)
      m_waiting.push_back(kernel.name);
  }
  checkNext();
}

void OtherKernels::checkNext() {
  m_revision = 0;
  if (m_waiting.empty())
    return;
  m_checked = m_waiting.front();
  m_waiting.erase(m_waiting.begin());
  m_revision = kCheckBit | ++m_numChecks;
  const KernelDocument &document = *m_compile->document();
  compiler::CompileRequest request =
      makeDocument(m_revision, document.source, chooseKernel(document, m_checked),
                   document.settings)
          ->request();
  request.stopAfter = compiler::StageId::Ttir;
  request.collectFacts = false;
  m_backend->compile(request, {0, false, false, false, false});
}

static void moveLines(SourceRange &range, int64_t by) {
  if (range.file != 0)
    return;
  for (Position *position : {&range.begin, &range.end})
    position->line = static_cast<uint32_t>(position->line + by);
}

std::vector<Diagnostic> OtherKernels::errors() const {
  std::vector<Diagnostic> all;
  const DocumentPointer &document = m_compile->document();
  const auto file = m_known.find(m_compile->file());
  if (!document || file == m_known.end())
    return all;
  for (const SourceKernel &kernel : document->source->kernels) {
    const auto known = file->second.find(kernel.name);
    if (kernel.name == document->kernel() || known == file->second.end() ||
        known->second.text != textOf(*document->source, kernel))
      continue;
    const int64_t by = int64_t{kernel.range.begin.line} - known->second.line;
    for (Diagnostic error : known->second.errors) {
      // Places outside that it points at may have moved differently, and other files may have other
      // numbers.
      const bool isSameText = known->second.source == document->source;
      const auto isElsewhere = [&](const SourceRange &range) {
        const int64_t line = int64_t{range.begin.line} + by;
        return range.file != 0 ||
               !(isSameText || (line >= kernel.range.begin.line && line <= kernel.range.end.line));
      };
      std::erase_if(error.labels, [&](const auto &label) { return isElsewhere(label.range); });
      std::erase_if(error.fixes, [&](const auto &fix) { return isElsewhere(fix.range); });
      for (compiler::DiagnosticLabel &label : error.labels)
        moveLines(label.range, by);
      for (compiler::DiagnosticFix &fix : error.fixes)
        moveLines(fix.range, by);
      moveLines(error.range, by);
      error.message = "in `" + kernel.name + "`: " + error.message;
      all.push_back(std::move(error));
    }
  }
  return all;
}

} // namespace tilescope::app
