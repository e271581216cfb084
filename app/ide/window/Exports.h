// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

#include <functional>

class QMainWindow;

namespace tilescope::app {

class ActionTable;
class CompileController;
class NoticeBar;
class ProfileController;
class RunController;

/// Writes what the window shows into files: the layout's diagram, the pictures of the other views,
/// and a report of the kernel. Files are offered beside the kernel's own, with a name from the
/// kernel's; a picture of a whole file has the file's.
class Exports : public QObject {
  Q_OBJECT
public:
  /// Adds the command for the report.
  Exports(CompileController *compile, RunController *run, ProfileController *profiles,
          ActionTable &actions, QMainWindow *window);

  /// Adds the command `export` + `id` for a view's picture, which the view's button gives, too.
  /// `name` is the picture's: `access picture`; `nothing` is said when there is none. The file's name
  /// ends with `id` in lower case, or for a view of a whole file with what `ofFile` says.
  template <class View>
  void add(const QString &id, const QString &name, const QString &nothing, View *view,
           std::function<QString()> ofFile = {}) {
    const auto run =
        [this, picture = Picture{name, id.toLower(), std::move(ofFile), nothing,
                                 [view] { return view->canExport(); },
                                 [view](const QString &path) { return view->exportSvg(path); },
                                 [view](const QString &path) { return view->exportPng(path); }}] {
          exportPicture(picture);
        };
    addCommand(id, name, run);
    connect(view, &View::exportRequested, this, run);
  }

  /// Announces the report and opens it. Hidden until then.
  NoticeBar *notice() const { return m_notice; }

private:
  /// A picture, as SVG or PNG.
  struct Picture {
    QString name;
    /// Of the offered file: `layout`.
    QString ending;
    /// The same for a picture of a whole file, as it is now; null: it is one of a kernel.
    std::function<QString()> ofFile;
    QString nothing;
    std::function<bool()> canExport;
    std::function<bool(const QString &path)> writeSvg, writePng;
  };
  void addCommand(const QString &id, const QString &name, std::function<void()> run);
  void exportPicture(const Picture &picture);
  void exportReport();
  void tellReport(const QString &path, const QString &error);
  /// `matmul_kernel-layout.svg` in the folder of the kernel's file; with the kernel's name where the
  /// file has several, unless it `isOfFile`.
  QString offeredPath(const QString &ending, bool isOfFile = false) const;
  QString launchEnding() const;

  CompileController *m_compile;
  RunController *m_run;
  ProfileController *m_profiles;
  /// Of the report that is being written: which profile it holds, in a sentence.
  QString m_profileWords;
  ActionTable &m_actions;
  QMainWindow *m_window;
  NoticeBar *m_notice;
};

} // namespace tilescope::app
