// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/common/PictureView.h"
#include "views/common/SourceMark.h"
#include "views/programs/ArrayCanvas.h"

#include <QTimer>

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class Scrubber;

/// The arguments of a kernel as arrays, with what each program reads and writes in each iteration;
/// how many programs touch each element; and what the programs that run at the same time share.
class ProgramsView : public PictureView {
  Q_OBJECT
public:
  /// What is drawn over the arrays.
  enum class Overlay { None, Programs, Wave, Reuse };

  ProgramsView(FocusState *focus, QWidget *parent = nullptr);
  ~ProgramsView() override;

  /// A few programs that were asked for by `wish`; the first of another launch or text: `isOther`.
  void setPart(TouchedArraysPointer part, bool isOther = false);
  /// All programs of the grid, or every so many-th; null until they are known. `why` they are not:
  /// empty while they may come.
  void setGrid(TouchedArraysPointer grid, const QString &why = {});
  void clear(const QString &why, bool offersBlock = false) override;

  bool hasContent() const override { return m_part || m_grid; }
  bool canExport() const override { return content().arrays != nullptr; }
  /// The programs that the picture needs.
  compiler::ProgramSample wish() const;
  Overlay overlay() const;
  void setOverlay(Overlay overlay);
  bool isPlaying() const { return m_play.isActive(); }

  const ArrayCanvas::Content &content() const { return m_canvas->content(); }
  ArrayCanvas &canvas() { return *m_canvas; }
  Scrubber &scrubber(ArrayCanvas::Scrub scrub) const;
  QComboBox &overlayField() { return *m_overlay; }
  QSpinBox &multiprocessors() { return *m_atOnce; }
  QSpinBox &cacheField() { return *m_cache; }
  QString titleText() const;
  QString orderText() const;

Q_SIGNALS:
  /// Programs are needed that are not there.
  void wishChanged(const tilescope::compiler::ProgramSample &wish);

protected:
  void changeEvent(QEvent *event) override;
  void hideEvent(QHideEvent *event) override;

private:
  // ProgramsWidgets.cpp
  QWidget *createBarFields();
  void setUpFields();
  void connectState();

  /// What has all that the picture needs; null: nothing has.
  TouchedArraysPointer suitable() const;
  TouchedArraysPointer any() const { return m_grid ? m_grid : m_part; }
  uint64_t atOnce() const;
  void showProgram(uint64_t program);
  void scrubTo(ArrayCanvas::Scrub scrub);
  void stepBy(ArrayCanvas::Scrub scrub, int by);
  void refresh();
  void updateScrubbers();
  void updateHeader();
  QString overlayText() const;
  void makeOverlay();
  void takeOverlay(const ArrayOverlayPointer &overlay);
  void follow();
  void point(const std::optional<ArrayPlace> &place);
  void choose(const ArrayPlace &place);
  void play(bool isOn);
  void playOn();
  /// What is said about a place; empty: none is pointed at.
  void describe(const QString &place);
  ExportedPicture exported() const override;

  FocusState *m_focus;
  SourceMark m_mark;
  ElidedLabel *m_title;
  ElidedLabel *m_order;
  ArrayCanvas *m_canvas;
  Scrubber *m_x, *m_y, *m_z, *m_iteration, *m_slice, *m_wave;
  QComboBox *m_overlay;
  QWidget *m_device;
  QSpinBox *m_atOnce;
  QWidget *m_memory;
  QSpinBox *m_cache;
  QToolButton *m_playButton;
  OverlayMaker m_maker;
  QTimer m_play;

  TouchedArraysPointer m_part, m_grid;
  QString m_whyNoGrid;
  uint64_t m_program = 0;
  uint32_t m_step = 0;
  std::vector<int64_t> m_slices;
  /// What the overlay is of, to make it once.
  OverlayMaker::Request m_counted;
  ArrayOverlayPointer m_counts;
};

} // namespace tilescope::views
