// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/common/PictureView.h"
#include "views/common/SourceMark.h"
#include "views/pipeline/LoopChoice.h"
#include "views/pipeline/MeasuredLoop.h"
#include "views/pipeline/PipelineContent.h"

class QComboBox;

namespace tilescope::views {

class ElidedLabel;
class PipelineCanvas;
class Scrubber;

/// A loop as a picture: which copies are under way while what is computed, who waits for whom, and
/// why a loop is not pipelined. Known from TTGIR alone: the order of things. How long they take says
/// the line below the picture, where the kernel was traced.
class PipelineView : public PictureView {
  Q_OBJECT
public:
  PipelineView(FocusState *focus, QWidget *parent = nullptr);

  void setContent(LoopsPointer loops);
  /// A trace of the kernel that is shown, which says how long operations took; null: there is none.
  void setTrace(std::shared_ptr<const profiler::TraceData> trace);
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_loops != nullptr; }
  bool canExport() const override { return m_loop >= 0; }

  /// The loop that is shown; -1: none.
  int loop() const { return m_loop; }
  /// The iteration that is chosen; -1: none.
  int iteration() const;
  QString titleText() const;
  QString loopText() const;
  QString reasonText() const;
  PipelineCanvas &canvas() { return *m_canvas; }
  QComboBox &choices() { return *m_choices; }
  Scrubber &scrubber() { return *m_scrubber; }

protected:
  void changeEvent(QEvent *event) override;

private:
  QWidget *createFields();
  void connectState();
  const compiler::LoopFacts &facts() const { return (*m_loops)[static_cast<size_t>(m_loop)]; }
  void follow();
  /// With the iteration that was chosen before, or a telling one.
  void showLoop(int loop, bool keepsIteration);
  void fillChoices();
  void measure();
  /// Of an operation, or another one from the same place, the event for the chosen iteration; -1:
  /// none.
  int eventOf(int operation) const;
  void scrub();
  void pin(int event);
  void pointAt(int event);
  /// What an event is and, where it was traced, how long it took.
  QString wordsOf(int event) const;
  void updateHeader();
  ExportedPicture exported() const override;

  FocusState *m_focus;
  SourceMark m_mark;
  ElidedLabel *m_title;
  ElidedLabel *m_loopLabel;
  ElidedLabel *m_reason;
  QComboBox *m_choices;
  Scrubber *m_scrubber;
  PipelineCanvas *m_canvas;

  LoopsPointer m_loops;
  int m_loop = -1;
  /// The operation at the cursor; -1: none.
  int m_operation = -1;
  bool m_isAtCursor = false;
  std::vector<int32_t> m_iterations;
  std::shared_ptr<const profiler::TraceData> m_trace;
  /// By operation of the loop that is shown.
  std::vector<std::optional<MeasuredOperation>> m_measured;
};

} // namespace tilescope::views
