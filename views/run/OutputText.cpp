// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/OutputText.h"

#include "compiler/artifacts/RunFindings.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/Tensor.h"
#include "views/common/QuotedCode.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace tilescope::views {

static QString tr(const char *text) { return QCoreApplication::translate("OutputText", text); }

static QString number(double value) { return QString::number(value, 'g', 7); }

static QString count(int64_t value) { return QLocale(QLocale::English).toString(qlonglong{value}); }

static QString link(const QString &text, const std::vector<int64_t> &at,
                    const std::vector<int64_t> &shape) {
  return QStringLiteral("<a href=\"%1\">%2</a>").arg(profiler::elementIndex(at, shape)).arg(text);
}

static QString passingText(const profiler::OutputComparison &comparison) {
  return QString::fromStdString(profiler::toleranceText(comparison));
}

/// What leaves a match in doubt stands out.
static QString doubt(const profiler::OutputResult &output) {
  const QString text = QString::fromStdString(profiler::doubtText(output));
  if (text.isEmpty())
    return text;
  const QString bold = QStringLiteral("<b>%1</b>").arg(text.trimmed().toHtmlEscaped());
  return text.startsWith(u' ') ? u' ' + bold : bold;
}

static QString faultText(const profiler::OutputComparison &comparison) {
  return quotedCode(QString::fromStdString(comparison.fault).toHtmlEscaped());
}

bool isFirstUnwritten(const profiler::OutputResult &output) {
  return output.neverWritten.value_or(0) > 0 && output.comparison &&
         output.comparison->mismatches > 0 &&
         output.comparison->firstMismatch == output.firstNeverWritten;
}

static QString comparisonText(const profiler::OutputResult &output) {
  const profiler::OutputComparison &comparison = *output.comparison;
  const QString reference =
      comparison.isWithExpected ? tr("what is expected") : tr("the interpreter");
  if (!comparison.fault.empty())
    return comparison.isWithExpected
               ? faultText(comparison)
               : tr("not comparable with %1: %2").arg(reference, faultText(comparison));
  if (comparison.mismatches == 0)
    return tr("agrees with %1%2 (largest error %3; %4)")
        .arg(reference, doubt(output), number(comparison.maxAbsError), passingText(comparison));
  const auto place = [&](const char *which, const std::vector<int64_t> &at, double actual,
                         double expected) {
    const bool isUnwritten = isFirstUnwritten(output) && at == comparison.firstMismatch;
    return link(tr(which).arg(coordinatesText(at)), at, output.shape) +
           tr(": %1 instead of %2")
               .arg(isUnwritten ? tr("never written") : number(actual), number(expected));
  };
  const bool isAll = comparison.mismatches == profiler::numElements(output.shape);
  return (comparison.mismatches == 1 ? tr("<b>%1 element differs</b> from %2: %3, %4")
          : isAll                    ? tr("<b>all %1 elements differ</b> from %2: %3, %4")
                                     : tr("<b>%1 elements differ</b> from %2: %3, %4"))
             .arg(count(comparison.mismatches), reference,
                  place("first %1", comparison.firstMismatch, comparison.firstActual,
                        comparison.firstExpected),
                  place("worst %1", comparison.worst, comparison.worstActual,
                        comparison.worstExpected)) +
         QStringLiteral("; ") + passingText(comparison);
}

/// Behind what was never written: `; its shape is a guess and may be too large`.
static QString guess(const profiler::OutputResult &output) {
  const QString text = QString::fromStdString(profiler::guessText(output));
  return text.isEmpty() ? text : QStringLiteral("; ") + text;
}

QString outputRemarks(const profiler::OutputResult &output) {
  QStringList remarks;
  if (output.neverWritten.value_or(0) > 0)
    remarks << (*output.neverWritten == 1
                    ? tr("<b>%1 of %2 elements was never written</b>, the %3")
                    : tr("<b>%1 of %2 elements were never written</b>, the %3"))
                       .arg(count(*output.neverWritten), count(profiler::numElements(output.shape)),
                            link(tr("first at %1").arg(coordinatesText(output.firstNeverWritten)),
                                 output.firstNeverWritten, output.shape)) +
                   guess(output);
  if (output.comparison)
    remarks << comparisonText(output);
  if (!output.changed)
    remarks << tr("not changed by the run");
  return remarks.join(QStringLiteral("<br>"));
}

/// `512 never written (50 %)`.
static QString shareText(const char *what, int64_t part, int64_t whole) {
  const double percent =
      whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  // Only all of them are 100 %.
  constexpr int64_t kThousand = 1000;
  const QString share = part > 0 && part * kThousand < whole ? tr("less than 0.1 %")
                        : part < whole && part * kThousand > whole * (kThousand - 1)
                            ? tr("more than 99.9 %")
                            : tr("%1 %").arg(percent, 0, 'g', 3);
  return tr("%1 %2 (%3)").arg(count(part), tr(what), share);
}

static Fact badge(const QString &text, const QString &meaning) {
  return {text, ColorRole::Error, meaning, true};
}

std::vector<Fact> resultBadges(const RunResults &results) {
  const auto numFaults = std::ranges::count_if(results.findings, [](const auto &finding) {
    return finding.severity == compiler::Severity::Error &&
           finding.kind != compiler::DiagnosticKind::RunMismatch;
  });
  std::vector<Fact> badges;
  if (numFaults > 0 && !results.hasRun)
    badges.push_back(badge(numFaults == 1 ? tr("1 error") : tr("%1 errors").arg(numFaults),
                           tr("why nothing ran, listed below")));
  else if (numFaults > 0)
    badges.push_back(badge(numFaults == 1 ? tr("1 fault") : tr("%1 faults").arg(numFaults),
                           tr("what the run did that it must not do, listed below")));
  if (compiler::hasRaces(results.findings))
    badges.push_back({tr("race"), ColorRole::Warning,
                      tr("accesses in no order decide about the results, listed below"), true});
  if (compiler::hasOrders(results.findings))
    badges.push_back({tr("one order"), ColorRole::Warning,
                      tr("a GPU may combine the elements in another order, listed below"), true});
  if (compiler::canHang(results.findings))
    badges.push_back({tr("can hang"), ColorRole::Warning,
                      tr("programs wait for more of them than a GPU holds at once, listed below"),
                      true});
  for (const profiler::OutputResult &output : results.outputs) {
    const QString name = QString::fromStdString(output.name);
    const int64_t whole = profiler::numElements(output.shape);
    // Of one output nothing else can be meant.
    const QString prefix = results.outputs.size() > 1 ? name + QStringLiteral(": ") : QString();
    if (const int64_t unwritten = output.neverWritten.value_or(0); unwritten > 0) {
      badges.push_back(badge(prefix + shareText(QT_TR_NOOP("never written"), unwritten, whole),
                             tr("elements of %1").arg(name) + guess(output)));
      if (!guess(output).isEmpty())
        badges.back().color = ColorRole::Warning;
    }
    if (output.isWrong() && output.comparison->mismatches > 0)
      badges.push_back(
          badge(prefix + shareText(QT_TR_NOOP("differ"), output.comparison->mismatches, whole),
                tr("elements of %1").arg(name)));
    if (const int64_t numNan = output.numNan.value_or(0); numNan > 0)
      badges.push_back(
          badge(prefix + shareText("NaN", numNan, whole), tr("elements of %1").arg(name)));
    if (const int64_t numInfinite = output.numInfinite.value_or(0); numInfinite > 0)
      badges.push_back(badge(prefix + shareText(QT_TR_NOOP("infinite"), numInfinite, whole),
                             tr("elements of %1").arg(name)));
  }
  return badges;
}

QString outputMark(const profiler::OutputResult &output) {
  QStringList marks;
  if (output.isWrong())
    marks << tr("differs");
  if (output.neverWritten.value_or(0) > 0)
    marks << (profiler::guessText(output).empty() ? tr("never written")
                                                  : tr("never written, as guessed"));
  if (output.numNan.value_or(0) > 0)
    marks << tr("NaN");
  if (output.numInfinite.value_or(0) > 0)
    marks << tr("infinite");
  return marks.isEmpty() ? QString() : QStringLiteral("⚠ ") + marks.join(QStringLiteral(", "));
}

std::vector<Fact> digestBadges(const TensorDigest &digest, const profiler::OutputResult &output) {
  const QString of = tr("elements of %1").arg(QString::fromStdString(output.name));
  const int64_t whole = profiler::numElements(output.shape);
  std::vector<Fact> badges;
  // Known of all outputs alike.
  if (output.numNan)
    return badges;
  if (digest.statistics.numNan > 0)
    badges.push_back(badge(shareText("NaN", digest.statistics.numNan, whole), of));
  if (digest.statistics.numInfinite > 0)
    badges.push_back(
        badge(shareText(QT_TR_NOOP("infinite"), digest.statistics.numInfinite, whole), of));
  return badges;
}

} // namespace tilescope::views
