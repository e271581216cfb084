// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QMainWindow>

#include <vector>

namespace tilescope::views {
class AccessView;
class CommandPalette;
class ConversionView;
class LayoutDiagram;
class PassesView;
class PipelineView;
class ProblemsView;
class ProgramsView;
class RegistersView;
class SharedView;
class TraceView;
} // namespace tilescope::views

namespace tilescope::app {

class HintController;
class HistoryController;
class ImportWatch;
class KernelBar;
class LessonController;
class ModelController;
class OtherKernels;
class PassFollower;
class PictureController;
class Presentation;
class ProfileController;
class RunController;
class SharedController;
class StageColumns;
class StartPage;
class StatusFacts;
class StepController;
class SweepController;

/// What the window consists of: its views, and the controllers that fill them. `MainWindow` makes
/// and connects them; tests reach them here.
class WindowParts : public QMainWindow {
public:
  using QMainWindow::QMainWindow;

  views::LayoutDiagram *layoutDiagram() const { return m_layout; }
  views::AccessView *accessView() const { return m_access; }
  views::SharedView *sharedView() const { return m_shared; }
  views::ConversionView *conversionView() const { return m_conversion; }
  views::ProgramsView *programsView() const { return m_programs; }
  StepController *steps() const { return m_steps; }
  ProfileController *profiles() const { return m_profiles; }
  LessonController *lessons() const { return m_lessons; }
  ModelController *models() const { return m_models; }
  views::TraceView *traceView() const { return m_trace; }
  Presentation *presentation() const { return m_presentation; }
  HistoryController *versions() const { return m_versions; }
  views::RegistersView *registersView() const { return m_registers; }
  views::PipelineView *pipelineView() const { return m_pipeline; }
  views::ProblemsView *problems() const { return m_problems; }
  views::PassesView *passes() const { return m_passes; }
  views::CommandPalette *palette() const { return m_palette; }

protected:
  StageColumns *m_columns = nullptr;
  PassFollower *m_follower = nullptr;
  SharedController *m_sharedFacts = nullptr;
  views::LayoutDiagram *m_layout = nullptr;
  views::AccessView *m_access = nullptr;
  views::SharedView *m_shared = nullptr;
  views::ConversionView *m_conversion = nullptr;
  views::ProgramsView *m_programs = nullptr;
  views::RegistersView *m_registers = nullptr;
  views::PipelineView *m_pipeline = nullptr;
  std::vector<PictureController *> m_pictures;
  HintController *m_hints = nullptr;
  views::ProblemsView *m_problems = nullptr;
  views::PassesView *m_passes = nullptr;
  views::CommandPalette *m_palette = nullptr;
  RunController *m_run = nullptr;
  StepController *m_steps = nullptr;
  HistoryController *m_versions = nullptr;
  ProfileController *m_profiles = nullptr;
  SweepController *m_sweeps = nullptr;
  LessonController *m_lessons = nullptr;
  ModelController *m_models = nullptr;
  views::TraceView *m_trace = nullptr;
  KernelBar *m_kernelBar = nullptr;
  StatusFacts *m_status = nullptr;
  OtherKernels *m_others = nullptr;
  ImportWatch *m_imports = nullptr;
  StartPage *m_startPage = nullptr;
  Presentation *m_presentation = nullptr;
};

} // namespace tilescope::app
