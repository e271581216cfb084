// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QObject>

#include <functional>

class QMainWindow;

namespace tilescope::views {
class AccessView;
class ConversionView;
class LayoutDiagram;
class SharedView;
class ProgramsView;
} // namespace tilescope::views

namespace tilescope::app {

class ActionTable;
class CompileController;
class NoticeBar;
class RunController;

/// Writes what the window shows into files: the layout's diagram, the pictures of an access, of
/// shared memory, of a conversion and of programs, and a report of the kernel. Files are offered beside the kernel's
/// own, with a name from the kernel's.
class Exports : public QObject {
  Q_OBJECT
public:
  /// The exported object, and its maker.
  struct Sources {
    CompileController *compile;
    RunController *run;
    views::LayoutDiagram *layout;
    views::AccessView *access;
    views::SharedView *shared;
    views::ConversionView *conversion;
    views::ProgramsView *programs;
  };
  /// Adds the commands.
  Exports(const Sources &sources, ActionTable &actions, QMainWindow *window);

  /// Announces the report and opens it. Hidden until then.
  NoticeBar *notice() const { return m_notice; }

private:
  void exportLayout();
  void exportAccess();
  void exportShared();
  void exportConversion();
  void exportPrograms();
  /// A picture, as SVG or PNG.
  struct Picture {
    /// `layout diagram`.
    QString name;
    /// Of the offered file: `-layout.svg`.
    QString ending;
    std::function<bool(const QString &path)> writeSvg, writePng;
  };
  void exportPicture(const Picture &picture);
  void exportReport();
  void tellReport(const QString &path, const QString &error);
  /// `matmul_kernel-layout.svg` in the folder of the kernel's file.
  QString offeredPath(const QString &ending) const;

  Sources m_sources;
  QMainWindow *m_window;
  NoticeBar *m_notice;
};

} // namespace tilescope::app
