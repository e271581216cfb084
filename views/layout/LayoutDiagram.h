// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/common/FocusState.h"
#include "views/layout/LayoutContent.h"
#include "views/layout/LayoutWords.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace tilescope::views {

class ElidedLabel;
class SliceBoxes;
struct ExportedPicture;

/// How one tensor is spread over registers, lanes and warps (or over shared memory): the tensor on
/// the left, the hardware on the right; pointing at one shows the other.
class LayoutDiagram : public QWidget {
  Q_OBJECT
public:
  LayoutDiagram(FocusState *focus, QWidget *parent = nullptr);

  /// Of the same kernel as the one before; null: none is known, or another one is to be shown.
  void setResult(std::shared_ptr<const compiler::CompileResult> result);
  /// The tensor shown, or null.
  const compiler::LayoutFacts *current() const;
  /// What is shown, such as `an earlier text`, is not what is being compiled; marked stale until
  /// the next result.
  void setOutdated(const QString &shown);
  bool isStale() const;
  /// Says, until the next result, of what moment of the compile the layouts are.
  void setNote(const QString &note) { setStaleNote(note); }
  /// By warp, lane, register or block.
  void setColoring(compiler::Family family);
  compiler::Family coloring() const;
  /// `warp`, `lane`, `register` or `block`, as a session keeps it; other names change nothing.
  QString coloringName() const;
  void setColoringName(const QString &name);

  bool canExport() const { return current() != nullptr; }
  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;
  /// What it would export, in as little room; null: nothing.
  QImage smallPicture(QSize size) const;
  void fit();

  DiagramCanvas &tensorCanvas() { return *m_tensor; }
  DiagramCanvas &hardwareCanvas() { return *m_hardware; }
  QString infoText() const;
  /// What is shown, in one line, above the picture or wherever the window puts it.
  QWidget *header() const;
  QString titleText() const;

Q_SIGNALS:
  void coloringChanged();
  /// The user wants the diagram as a file.
  void exportRequested();

protected:
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  QWidget *createBar();
  void connectState();
  void follow();
  void listValues();
  /// What the user chose from the list since the cursor moved, else what the focus is on.
  LayoutChoice chosenOrFocused() const;
  void display(LayoutChoice choice);
  /// The newest text does not compile: what is shown is that of an earlier one.
  void showBroken();
  /// Goes back from a compile that an edit cut short to the revision that all columns show.
  void showLastWhole();
  /// Says that what is shown is of an earlier text, where that is so.
  void updateStaleNote();
  void setStaleNote(const QString &note);
  void keepNoteWhole();
  void showNothing();
  compiler::Family shownColoring(const compiler::LayoutFacts *facts);
  void rebuild();
  void showElement(int64_t cell);
  void showPlace(int64_t cell);
  /// Goes back to the pinned cell when none is pointed at.
  void pointAt(DiagramCanvas *canvas, int64_t cell);
  void pin(DiagramCanvas *canvas, int64_t cell);
  void setInfo(const QString &text);
  // LayoutExport.cpp
  ExportedPicture exported() const;

  FocusState *m_focus;
  QComboBox *m_values;
  QComboBox *m_coloring;
  SliceBoxes *m_slices;
  ElidedLabel *m_title;
  /// Says that the diagram is stale.
  QLabel *m_staleNote;
  ElidedLabel *m_info;
  DiagramCanvas *m_tensor;
  DiagramCanvas *m_hardware;
  std::shared_ptr<const compiler::CompileResult> m_result;
  /// The last one that was compiled to its end: what remains when a later text is broken.
  std::shared_ptr<const compiler::CompileResult> m_whole;
  /// Name of the value that the user chose from the list; empty: the cursor decides.
  std::string m_chosen;
  LayoutChoice m_choice;
  /// The last one that was shown of this result; its index is -1 until there is one.
  LayoutChoice m_lastShown;
  LayoutPicturePointer m_picture;
  ShownText m_text = ShownText::Newest;
  /// While the newest text is awaited: what is shown meanwhile, such as `an earlier text`.
  QString m_shownText;
  /// Of the canvas that it was pinned in; -1: none.
  int64_t m_pinned = -1;
  DiagramCanvas *m_pinnedIn = nullptr;
};

} // namespace tilescope::views
