// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "compiler/artifacts/ModelResult.h"

#include <QByteArray>
#include <QMap>
#include <QSize>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// One open file as the session remembers it. Its text and history are in its journal.
struct SessionFile {
  /// Names the journal.
  QString id;
  /// Empty for a text without a file.
  QString path;
  int line = 0;
  int column = 0;
  /// The first line in sight; negative: not known.
  int firstLine = -1;
  /// The program ended while it worked on this file: offered, not opened.
  bool isHeldBack = false;
  /// Kernel, launch, configuration and pin.
  KernelChoice choice = {};
  /// Conditions of breakpoints, by line.
  std::map<uint32_t, std::string> breakpoints = {};
  /// The same of lines of the IR, by stage.
  std::map<compiler::StageId, std::map<uint32_t, std::string>> stageBreakpoints = {};
  /// The file of its profile, if that was opened, and which of the kernels in it.
  QString profile = {};
  int profileKernel = 0;
  /// The model that its kernels were generated from, with the numbers for what that leaves open.
  QString model = {};
  std::vector<std::pair<std::string, int64_t>> modelExtents = {};
  /// Which of its nodes are to be fused or kept apart.
  std::vector<compiler::FusionChoice> modelFusions = {};
  /// Checksums of launch blocks that were guessed for the user, each with that of the text that it
  /// was guessed from.
  std::map<uint64_t, uint64_t> guessedBlocks = {};
  /// What ran last, where and when; empty: nothing did.
  QString lastRun = {};
  /// Of a text without a file, which its name has; 0: it has a file.
  int untitledNumber = 0;
  bool operator==(const SessionFile &) const = default;
};

/// What a column of a stage shows, and compares it with.
struct SessionColumn {
  /// The pass behind which it shows the IR, of several of that name the one with this number; empty:
  /// the stage itself.
  QString pass;
  int turn = 0;
  /// `pass`, `baseline` or `other`; empty: it is not compared.
  QString comparedWith = {};
  /// Of `other`.
  QString key = {}, title = {};
  bool operator==(const SessionColumn &) const = default;
};

/// Everything except texts that survives a restart, and a crash: written a moment after every
/// change.
struct Session {
  std::vector<SessionFile> files;
  /// Id of the current file.
  QString current;
  QStringList recentFiles;
  QByteArray geometry;
  /// The one in use, and how each was left, by name.
  QString workspace;
  std::map<QString, QByteArray> arrangements;
  /// The widths and heights that were set in each workspace (`DockSet::rooms`).
  std::map<QString, QByteArray> rooms;
  /// Of the window when it was so; empty: not known.
  QSize windowSize;
  /// `dark`, `light`, or empty for the system's.
  QString theme;
  int fontZoom = 0;
  /// Font of code; empty: the program's choice.
  QString codeFamily;
  bool hintsVisible = true;
  /// Of the samples of profiles, beside lines.
  bool showsHeat = true;
  /// Of the user's guide: the page, how far it was read, and its window.
  QString guidePage;
  double guidePlace = 0;
  QByteArray guideGeometry;
  /// What the layout diagram colors by: `warp`, `lane` or `register`.
  QString layoutColoring;
  QString target;
  /// Where imported kernels are looked up, after the file's own folder.
  QStringList importFolders;
  /// Machines behind ssh on which kernels were run, as `ssh://[user@]host`.
  QStringList runHosts;
  /// Launches on the CPU are executed by the interpreter, not as native code.
  bool interpretsRuns = false;
  /// Ids of the columns that the user has opened beside those of the stages.
  QStringList columns;
  /// What columns show that do not show their stage as it is, by id.
  QMap<QString, SessionColumn> columnChoices;
  /// Expressions that step mode watches, by the file and, behind a line feed, the kernel.
  QMap<QString, QStringList> stepWatches;
  /// Closing need not say that texts which are not saved are kept.
  bool knowsTextsAreKept = false;
  /// Step mode executes TTGIR, not TTIR.
  bool stepsTtgir = false;

  /// Puts a file at the top of the recent ones.
  void addRecent(const QString &path);
};

QByteArray toJson(const Session &session);
/// Nothing when the bytes are not those of a session.
std::optional<Session> sessionFromJson(const QByteArray &json);

} // namespace tilescope::app
