// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ViewDescriptions.h"

#include <QCoreApplication>

namespace tilescope::app {

static constexpr std::pair<const char *, const char *> kDescriptions[] = {
    {"stage.ast", QT_TRANSLATE_NOOP("ViewDescriptions",
                                    "AST: the parse tree, the kernel as the compiler reads it.")},
    {"stage.ttir",
     QT_TRANSLATE_NOOP(
         "ViewDescriptions",
         "TTIR: what the kernel computes, as operations on whole blocks of values. It "
         "says nothing about threads yet.")},
    {"stage.ttgir",
     QT_TRANSLATE_NOOP("ViewDescriptions",
                       "TTGIR: TTIR for a GPU. Each block has a layout, which says which thread "
                       "holds which of its elements.")},
    {"stage.llir", QT_TRANSLATE_NOOP("ViewDescriptions",
                                     "LLVM IR: the code of a single thread, for any processor.")},
    {"stage.ptx",
     QT_TRANSLATE_NOOP("ViewDescriptions",
                       "PTX: the code of a single thread in NVIDIA's portable assembly language.")},
    {"stage.sass", QT_TRANSLATE_NOOP("ViewDescriptions",
                                     "SASS: the instructions that one model of GPU executes.")},
    {"layout",
     QT_TRANSLATE_NOOP("ViewDescriptions",
                       "Layout: which warp, lane and register holds each element of the block at "
                       "the cursor.")},
    {"problems",
     QT_TRANSLATE_NOOP("ViewDescriptions", "Problems: what the compiler objects to in this file.")},
    {"passes",
     QT_TRANSLATE_NOOP("ViewDescriptions",
                       "Passes: the steps of the compiler in their order, and what each changed.")},
    {"run", QT_TRANSLATE_NOOP("ViewDescriptions",
                              "Run: how the kernel is launched, and what running it gave.")},
    {"console", QT_TRANSLATE_NOOP("ViewDescriptions",
                                  "Console: what runs printed and reported, one after the other.")},
};

QString viewDescription(const QString &id) {
  for (const auto &[known, text] : kDescriptions)
    if (id == QLatin1String(known))
      return QCoreApplication::translate("ViewDescriptions", text);
  return {};
}

} // namespace tilescope::app
