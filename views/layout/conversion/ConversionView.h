// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/ConversionPicture.h"
#include "views/common/FocusState.h"
#include "views/common/PictureView.h"
#include "views/common/SourceMark.h"
#include "views/layout/DiagramCanvas.h"
#include "views/layout/conversion/ConversionListModel.h"

class QComboBox;
class QLabel;
class QTableView;

namespace tilescope::views {

class ArrowLayer;
class ElidedLabel;

/// Where a conversion takes elements from and to: both layouts side by side, arrows for the lane or
/// the element that is pointed at, what it costs, why it is there, and the list of all conversions,
/// the dearest first. L changes between lane and element, V between registers and elements.
class ConversionView : public PictureView {
  Q_OBJECT
public:
  ConversionView(FocusState *focus, QWidget *parent = nullptr);
  ~ConversionView() override;

  /// What is known of a kernel; executions are of one program, or not counted yet.
  void setContent(ConversionsPointer content);
  void clear(const QString &why, bool offersBlock = false) override;

  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override { return current() != nullptr; }
  /// The conversion that is shown; null: there is none.
  const compiler::ConversionFacts *current() const;
  /// Null without a conversion.
  const compiler::ConversionPicture *picture() const { return m_picture.get(); }
  compiler::ConversionCells cells() const;
  compiler::MoveScope scope() const;

  QString titleText() const;
  QString costText() const;
  QString reasonText() const;
  DiagramCanvas &canvas(compiler::ConversionSide side) const {
    return side == compiler::ConversionSide::Before ? *m_before : *m_behind;
  }
  ArrowLayer &arrows() const { return *m_arrows; }
  QTableView &list() const { return *m_list; }

protected:
  void changeEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  /// A cell on one side; -1: none.
  struct Spot {
    compiler::ConversionSide side = compiler::ConversionSide::Behind;
    int64_t cell = -1;
    bool operator==(const Spot &) const = default;
  };

  // ConversionWidgets.cpp
  QWidget *createFields();
  QWidget *createPane(ElidedLabel *name, DiagramCanvas *canvas);
  QWidget *createPictures();
  QWidget *createList();
  QWidget *createPicture();
  void connectState();
  // ConversionView.cpp
  void follow();
  /// -1: the dearest.
  void showConversion(int conversion);
  void rebuild();
  void updateHeader();
  void updateList();
  void showRow();
  void goToRow(int row);
  void pointAt(const Spot &spot);
  void pin(const Spot &spot);
  void markSource(bool isMarked);
  compiler::Family family() const;
  ExportedPicture exported() const override;

  FocusState *m_focus;
  SourceMark m_mark;
  ElidedLabel *m_title, *m_cost;
  ElidedLabel *m_reason;
  QComboBox *m_cells, *m_coloring, *m_scope;
  ElidedLabel *m_beforeName, *m_behindName;
  DiagramCanvas *m_before, *m_behind;
  ArrowLayer *m_arrows = nullptr;
  ConversionListModel *m_model;
  QTableView *m_list;

  ConversionsPointer m_content;
  /// Among the content's; -1: none.
  int m_conversion = -1;
  /// It is the one that the cursor means.
  bool m_isAtCursor = false;
  std::shared_ptr<const compiler::ConversionPicture> m_picture;
  Spot m_shown, m_pinned;
  /// The list follows: its selection is not the user's.
  bool m_isFollowing = false;
};

} // namespace tilescope::views
