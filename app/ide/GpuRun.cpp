// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/GpuRun.h"

#include "profiler/data/Npy.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

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
  process->start(QCoreApplication::applicationDirPath() + QStringLiteral("/tilescope-runner"),
                 {QStringLiteral("devices"), QStringLiteral("--json")});
}

QStringList runArguments(const QString &file, int device, const compiler::Selection &chosen,
                         const QString &dumpFolder) {
  QStringList arguments{QStringLiteral("run"),    file,
                        QStringLiteral("--on"),   QStringLiteral("cuda:%1").arg(device),
                        QStringLiteral("--json"), QStringLiteral("--compare"),
                        QStringLiteral("--dump"), dumpFolder};
  auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      arguments << QString::fromLatin1(option) << QString::fromStdString(value);
  };
  add("--kernel", chosen.kernel);
  add("--launch", chosen.launch);
  add("--target", chosen.target);
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
  QFile out(file);
  if (!m_folder->isValid() || !out.open(QIODevice::WriteOnly) ||
      out.write(request.text.data(), static_cast<qint64>(request.text.size())) < 0) {
    Q_EMIT finished(tr("The kernel could not be written to a temporary folder."), false, {});
    return;
  }
  out.close();
  m_process = new QProcess(this);
  connect(m_process, &QProcess::finished, this, &GpuRun::collect);
  connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      collect(-1);
  });
  m_process->start(QCoreApplication::applicationFilePath(),
                   runArguments(file, device, chosen, m_folder->path()));
}

void GpuRun::cancel() {
  m_cancelled = true;
  if (m_process)
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
  std::vector<views::RunOutputTensor> outputs;
  for (const QJsonValue &value : measurement[u"outputs"].toArray()) {
    const QJsonObject output = value.toObject();
    const QString name = output[u"name"].toString();
    Result<profiler::Tensor> tensor =
        profiler::readNpy(m_folder->filePath(name + QStringLiteral(".npy")).toStdString());
    if (tensor)
      outputs.push_back({name, std::make_shared<const profiler::Tensor>(std::move(*tensor)),
                         outputRemark(output)});
  }
  if (m_cancelled)
    Q_EMIT finished(tr("Stopped."), true, {});
  else if (measurement.isEmpty())
    Q_EMIT finished(complaint.isEmpty() ? startError : complaint.section(u'\n', 0, 3), false, {});
  else
    Q_EMIT finished(runSummary(measurement), exitCode == 0, outputs);
}

} // namespace tilescope::app
