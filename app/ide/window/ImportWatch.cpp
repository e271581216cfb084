// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/ImportWatch.h"

#include "profiler/data/FileIo.h"

#include <QFileInfo>

#include <algorithm>

namespace tilescope::app {

using compiler::SourceFile;

static bool isThere(const std::string &path) {
  return QFileInfo::exists(QString::fromStdString(path));
}

ImportWatch::ImportWatch(QObject *parent) : QObject(parent) {
  connect(&m_watch, &DiskWatch::touched, this, &ImportWatch::check);
}

void ImportWatch::setResult(const compiler::CompileResult &result,
                            const std::map<std::string, std::string> &openTexts) {
  const std::vector<SourceFile> &files = result.files;
  const std::string document = files.empty() ? std::string() : files.front().path;
  if (std::exchange(m_document, document) != document) {
    m_files.clear();
    m_gone.clear();
  }
  std::vector<SourceFile> read;
  for (size_t i = 1; i < files.size(); ++i)
    if (!files[i].path.starts_with("<tilescope>/") && !openTexts.contains(files[i].path))
      read.push_back(files[i]);
  std::erase_if(m_gone, &isThere);
  for (const SourceFile &before : m_files)
    if (!isThere(before.path) && !std::ranges::count(m_gone, before.path))
      m_gone.push_back(before.path);
  const bool isSame = read == m_files;
  m_files = std::move(read);
  const auto plan = profiler::launchPlanFromJson(result.launch.plan);
  m_references = plan ? referenceFiles(*plan, document, false) : std::vector<ReferenceFile>();
  QStringList paths;
  for (const ReferenceFile &file : m_references)
    paths << QString::fromStdString(file.path);
  for (const SourceFile &file : m_files)
    paths << QString::fromStdString(file.path);
  for (const std::string &path : m_gone)
    paths << QString::fromStdString(path);
  m_watch.setFiles(paths);
  // It may have changed while it was compiled; a second compile that reads the same ends this.
  if (!isSame)
    check();
}

void ImportWatch::check() {
  const auto isOther = [](const SourceFile &file) {
    const Result<std::string> text = profiler::readTextFile(file.path);
    return !text || *text != file.text;
  };
  if (std::ranges::any_of(m_files, isOther) || std::ranges::any_of(m_gone, &isThere) ||
      !std::ranges::all_of(m_references, &isUnchanged))
    Q_EMIT changed();
}

} // namespace tilescope::app
