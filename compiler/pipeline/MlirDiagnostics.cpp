// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/MlirDiagnostics.h"

#include "compiler/analysis/DiagnosticMetadata.h"
#include "compiler/pipeline/IrText.h"

namespace tilescope::compiler {

static Severity translateSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Note:
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Note;
  }
  return Severity::Error;
}

/// MLIR's messages name operations in quotes; ours put code in backticks. Its parser says in front
/// of a verifier's message which operation it is, though that says so itself.
static std::string translateText(std::string text) {
  static constexpr llvm::StringLiteral kParsed = "custom op ";
  if (const llvm::StringRef rest = llvm::StringRef(text).drop_front(
          llvm::StringRef(text).starts_with(kParsed) ? kParsed.size() : 0);
      rest.starts_with('\'')) {
    const auto [name, complaint] = rest.drop_front().split("' ");
    const std::string again = "'" + name.str() + "' op ";
    if (complaint.starts_with(again))
      text = complaint.str();
    else if (!complaint.starts_with("is unknown"))
      text = rest.str();
  }
  if (text.starts_with('\'')) {
    text[0] = '`';
    if (const size_t end = text.find('\''); end != std::string::npos)
      text[end] = '`';
  }
  return text;
}

Diagnostic translateDiagnostic(mlir::Diagnostic &diagnostic, DiagnosticKind kind,
                               FileTable &files) {
  Diagnostic result;
  result.severity = translateSeverity(diagnostic.getSeverity());
  result.message = translateText(diagnostic.str());
  result.kind = kindOf(diagnostic).value_or(kind);
  const std::vector<SourceRange> ranges = sourceRanges(diagnostic.getLocation(), files);
  if (!ranges.empty())
    result.range = ranges.front();
  for (size_t i = 1; i < ranges.size(); ++i)
    result.labels.push_back({ranges[i], "called here"});
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    const std::vector<SourceRange> places = sourceRanges(note.getLocation(), files);
    if (places.empty() || places.front() == result.range)
      result.notes.push_back(translateText(note.str()));
    else
      result.labels.push_back({places.front(), translateText(note.str())});
  }
  return result;
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext &context, DiagnosticKind kind,
                                         FileTable &files, std::vector<Diagnostic> &diagnostics)
    : m_handler(&context, [this, kind, &files, &diagnostics](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(translateDiagnostic(diagnostic, kind, files));
        m_hasErrors |= diagnostics.back().severity == Severity::Error;
        return mlir::success();
      }) {}

} // namespace tilescope::compiler
