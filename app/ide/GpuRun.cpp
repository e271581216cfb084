// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/GpuRun.h"

#include "app/launch/Programs.h"
#include "profiler/data/Npy.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>

namespace tilescope::app {

GpuRun::GpuRun(QObject *parent) : QObject(parent) {}

GpuRun::~GpuRun() {
  if (m_process) {
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(1000);
  }
}

void GpuRun::findDevices() {
  auto *process = new QProcess(this);
  connect(process, &QProcess::finished, this, [this, process] {
    process->deleteLater();
    QStringList names;
    const QJsonObject found = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
    for (const QJsonValue &device : found[u"devices"].toArray())
      names << device.toObject()[u"name"].toString();
    if (!names.isEmpty())
      Q_EMIT devicesFound(names);
  });
  connect(process, &QProcess::errorOccurred, process, &QObject::deleteLater);
  process->start(QString::fromStdString(runnerProgram()),
                 {QStringLiteral("devices"), QStringLiteral("--json")});
}

QStringList runArguments(const GpuRunFiles &files, int device, const compiler::Selection &chosen) {
  QStringList arguments{QStringLiteral("profile"), files.file,
                        QStringLiteral("--on"),    QStringLiteral("cuda:%1").arg(device),
                        QStringLiteral("--json"),  QStringLiteral("--dump"),
                        files.dumpFolder};
  if (files.isComparable)
    arguments << QStringLiteral("--compare");
  auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      arguments << QString::fromLatin1(option) << QString::fromStdString(value);
  };
  add("--source", files.source.toStdString());
  add("--kernel", chosen.kernel);
  add("--launch", chosen.launch);
  add("--target", chosen.target);
  for (const std::string &folder : chosen.importPaths)
    add("--import-path", folder);
  auto addAll = [&](const char *option, const std::map<std::string, std::string> &values) {
    for (const auto &[name, value] : values)
      add(option, name + "=" + value);
  };
  addAll("--signature", chosen.signature);
  addAll("--set", chosen.sizes);
  addAll("--constexpr", chosen.constexprs);
  addAll("--option", chosen.options);
  return arguments;
}

void GpuRun::run(int device, const compiler::CompileRequest &request,
                 const compiler::Selection &chosen) {
  if (m_process)
    return;
  m_cancelled = false;
  m_folder = std::make_unique<QTemporaryDir>();
  // What is in the editor is run, saved or not.
  const QString name = QFileInfo(QString::fromStdString(request.path)).fileName();
  const QString file = m_folder->filePath(name.isEmpty() ? QStringLiteral("kernel.py") : name);
  m_source = request.path.empty() ? file : QString::fromStdString(request.path);
  QFile out(file);
  if (!m_folder->isValid() || !out.open(QIODevice::WriteOnly) ||
      out.write(request.text.data(), static_cast<qint64>(request.text.size())) < 0) {
    Q_EMIT finished({tr("The kernel could not be written to a temporary folder."), false, {}, {}});
    return;
  }
  out.close();
  m_process = new QProcess(this);
  connect(m_process, &QProcess::finished, this, &GpuRun::collect);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      collect(-1);
  });
  m_process->start(
      QCoreApplication::applicationDirPath() + QStringLiteral("/tilescope"),
      runArguments({file, m_source, m_folder->path(), request.entry <= compiler::StageId::Ttir},
                   device, chosen));
}

void GpuRun::cancel() {
  if (!m_process)
    return;
  m_cancelled = true;
  m_process->kill();
}

QString runSummary(const QJsonObject &measurement) {
  const QJsonObject time = measurement[u"time_us"].toObject();
  QStringList parts;
  if (time[u"median"].isDouble())
    parts << QObject::tr("%1 µs (median of %2, %3 to %4)")
                 .arg(time[u"median"].toDouble(), 0, 'f', 2)
                 .arg(time[u"n"].toInt())
                 .arg(time[u"min"].toDouble(), 0, 'f', 2)
                 .arg(time[u"max"].toDouble(), 0, 'f', 2);
  if (measurement[u"gb_per_s"].isDouble())
    parts << QObject::tr("%1 GB/s").arg(measurement[u"gb_per_s"].toDouble(), 0, 'f', 0);
  if (measurement[u"tflop_per_s"].isDouble())
    parts << QObject::tr("%1 TFLOP/s").arg(measurement[u"tflop_per_s"].toDouble(), 0, 'f', 2);
  if (measurement[u"peak_fraction"].isDouble())
    parts << QObject::tr("%1 % of peak")
                 .arg(100 * measurement[u"peak_fraction"].toDouble(), 0, 'f', 0);
  if (!measurement[u"device"].toString().isEmpty())
    parts << measurement[u"device"].toString();
  return parts.join(QStringLiteral(" · "));
}

std::vector<compiler::Diagnostic> runFindings(const QJsonObject &measurement, const QString &file) {
  const auto position = [](const QJsonObject &place, const QString &line, const QString &column) {
    return Position{static_cast<uint32_t>(std::max(0, place.value(line).toInt() - 1)),
                    static_cast<uint32_t>(std::max(0, place.value(column).toInt() - 1))};
  };
  std::vector<compiler::Diagnostic> findings;
  for (const QJsonValue &value : measurement[u"diagnostics"].toArray()) {
    const QJsonObject object = value.toObject();
    compiler::Diagnostic finding;
    const QString severity = object[u"severity"].toString();
    finding.severity = severity == u"error"     ? compiler::Severity::Error
                       : severity == u"warning" ? compiler::Severity::Warning
                                                : compiler::Severity::Note;
    QString message = object[u"message"].toString();
    if (object[u"file"].toString() == file)
      finding.range = {position(object, QStringLiteral("line"), QStringLiteral("column")),
                       position(object, QStringLiteral("end_line"), QStringLiteral("end_column")),
                       0};
    else
      message.prepend(QStringLiteral("%1:%2: ")
                          .arg(QFileInfo(object[u"file"].toString()).fileName())
                          .arg(object[u"line"].toInt()));
    finding.message = message.toStdString();
    findings.push_back(std::move(finding));
  }
  return findings;
}

QString outputRemark(const QJsonObject &output) {
  if (!output[u"mismatches"].isDouble())
    return {};
  const double mismatches = output[u"mismatches"].toDouble();
  const double error = output[u"max_abs_error"].toDouble();
  return mismatches == 0
             ? QObject::tr("agrees with the interpreter (largest error %1)").arg(error, 0, 'g', 3)
             : QObject::tr("%1 elements differ from the interpreter (largest error %2)")
                   .arg(mismatches, 0, 'f', 0)
                   .arg(error, 0, 'g', 3);
}

void GpuRun::collect(int exitCode) {
  const QByteArray text = m_process->readAllStandardOutput();
  const QString complaint = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
  const QString startError = m_process->errorString();
  m_process->deleteLater();
  m_process = nullptr;
  const QJsonObject measurement = QJsonDocument::fromJson(text).object();
  GpuRunOutcome outcome;
  outcome.findings = runFindings(measurement, m_source);
  for (const QJsonValue &value : measurement[u"outputs"].toArray()) {
    const QJsonObject output = value.toObject();
    const QString name = output[u"name"].toString();
    Result<profiler::Tensor> tensor =
        profiler::readNpy(m_folder->filePath(name + QStringLiteral(".npy")).toStdString());
    if (tensor)
      outcome.outputs.push_back({name, std::make_shared<const profiler::Tensor>(std::move(*tensor)),
                                 outputRemark(output)});
  }
  if (m_cancelled) {
    outcome = {tr("Stopped."), true, {}, {}};
  } else if (measurement[u"device"].isUndefined()) {
    const QString error = measurement[u"error"].toString();
    outcome.text = !error.isEmpty() ? error
                   : !outcome.findings.empty()
                       ? QString::fromStdString(outcome.findings.front().message)
                   : complaint.isEmpty() ? startError
                                         : complaint.section(u'\n', 0, 3);
  } else {
    outcome.text = runSummary(measurement);
    outcome.ok = exitCode == 0;
  }
  Q_EMIT finished(outcome);
}

} // namespace tilescope::app
