// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/picture/AccessPicture.h"
#include "views/common/FocusState.h"
#include "views/common/MeasuredCounters.h"
#include "views/common/PictureView.h"
#include "views/common/RequestCanvas.h"
#include "views/common/SourceMark.h"
#include "views/shared/BufferChoice.h"
#include "views/shared/SharedContent.h"

#include <memory>

class QComboBox;
class QStackedWidget;

namespace tilescope::views {

class ElidedLabel;
class MapCanvas;
class RingCanvas;
class Scrubber;

/// What a kernel keeps in shared memory: the map of who has which bytes during which lines, and of
/// one buffer the banks that an access goes to, pass by pass, or the turns of its slots.
class SharedView : public PictureView {
  Q_OBJECT
public:
  SharedView(FocusState *focus, QWidget *parent = nullptr);
  ~SharedView() override;

  void setContent(SharedContentPointer content);
  /// Of the launch, and what was counted of all its programs; null: it was not.
  void setMeasurement(MeasurementPointer measurement);
  void setLaunchFacts(std::shared_ptr<const compiler::MemoryFacts> facts);
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override;

  /// The buffer whose accesses are shown; -1: none.
  int buffer() const { return m_buffer; }
  /// The access whose banks are shown; -1: the ring, or nothing.
  int access() const { return m_access; }

  QString titleText() const;
  QString bufferText() const;
  QString measuredText() const;
  QString reasonText() const;
  MapCanvas &map() { return *m_map; }
  RequestCanvas &banks() { return *m_banks; }
  RingCanvas &ring() { return *m_ring; }
  QComboBox &choices() { return *m_choices; }
  Scrubber &scrubber(RequestCanvas::Scrub scrub) const;

protected:
  void changeEvent(QEvent *event) override;

private:
  QWidget *createFields();
  QWidget *createPicture();
  void connectState();
  const compiler::SharedFacts &facts() const { return m_content->facts; }
  const compiler::SharedAccess *currentAccess() const;
  const compiler::SharedRing *currentRing() const;
  void follow();
  /// Shows a buffer, and of it an access; -1: the one worth looking at.
  void showBuffer(const BufferChoice &choice);
  void fillChoices();
  void choose(int index);
  void drawDetail();
  void drawRequest();
  void pin(int buffer);
  void pointAtBuffer(int buffer);
  void pointAtPlace(int place);
  void updateHeader();
  QString requestInfo() const;
  ExportedPicture exported() const override;

  FocusState *m_focus;
  SourceMark m_mark;
  ElidedLabel *m_title;
  ElidedLabel *m_bufferLabel;
  ElidedLabel *m_measured;
  ElidedLabel *m_reason;
  QComboBox *m_choices;
  Scrubber *m_warp, *m_instruction, *m_pass;
  MapCanvas *m_map;
  QStackedWidget *m_detail;
  RequestCanvas *m_banks;
  RingCanvas *m_ring;

  SharedContentPointer m_content;
  MeasurementPointer m_measurement;
  std::shared_ptr<const compiler::MemoryFacts> m_launchFacts;
  int m_buffer = -1;
  int m_access = -1;
  bool m_isAtCursor = false;
  std::unique_ptr<compiler::access::AccessPicture> m_picture;
  /// What the fields of the request are for.
  BufferChoice m_drawn;
  int m_pinned = -1;
};

} // namespace tilescope::views
