// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The EditorPage's part in files that are not UTF-8.
#include "app/ide/files/ForeignText.h"
#include "app/ide/page/EditorPage.h"

namespace tilescope::app {

void EditorPage::offerConversion() {
  m_notice->present(
      tr("This file is not UTF-8. It is shown read-only so that no bytes are lost; "
         "convert it to UTF-8 to edit it."),
      {{tr("&Convert to UTF-8"), [this] { convertToUtf8(); }, false}, {NoticeBar::hideText(), {}}});
}

void EditorPage::convertToUtf8() {
  if (isUtf8())
    return m_notice->present(tr("The text is UTF-8 already."), {{NoticeBar::hideText(), {}}},
                             NoticeBar::Stay::ForAWhile);
  const ForeignText read = readForeign(m_foreign);
  const DecodedText decoded = decodeText(read.text);
  m_foreign.clear();
  m_editor->setReadOnly(false);
  m_history->begin(decoded.text);
  setDisk({path(), m_disk.digest, decoded.format}, false);
  m_notice->present(
      tr("The text was read as %1. Its file is as it was until you save it, as UTF-8.")
          .arg(read.encoding),
      {{tr("&Back"),
        [this] {
          if (const Result<DiskFile> again = readDisk(path()))
            show(path(), *again);
          Q_EMIT titleChanged();
          Q_EMIT reread();
        },
        false},
       {NoticeBar::hideText(), {}}});
  m_editor->setFocus();
  Q_EMIT reread();
}

} // namespace tilescope::app
