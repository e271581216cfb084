// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/window/CommandSynonyms.h"

#include "app/ide/window/ActionTable.h"

#include <QAction>
#include <QCoreApplication>

namespace tilescope::app {

static constexpr std::pair<const char *, const char *> kSynonyms[] = {
    {"defaultLayout", QT_TRANSLATE_NOOP("Synonyms", "restore default layout windows docks panels")},
    {"meter", QT_TRANSLATE_NOOP("Synonyms", "compile time latency milliseconds stages speed")},
    {"splitRight", QT_TRANSLATE_NOOP("Synonyms", "columns side by side")},
    {"newColumn", QT_TRANSLATE_NOOP("Synonyms", "another second stage view side by side")},
    {"columnPass", QT_TRANSLATE_NOOP("Synonyms", "ir after before transformation")},
    {"columnComparison",
     QT_TRANSLATE_NOOP("Synonyms", "diff version launch configuration target baseline changes")},
    {"followPass",
     QT_TRANSLATE_NOOP("Synonyms", "follow slider layouts shared memory registers estimate")},
    {"joinColumns", QT_TRANSLATE_NOOP("Synonyms", "tabs unsplit single column")},
    {"zoomReset", QT_TRANSLATE_NOOP("Synonyms", "reset zoom font size 100 %")},
    {"zoomIn", QT_TRANSLATE_NOOP("Synonyms", "zoom bigger increase font size")},
    {"zoomOut", QT_TRANSLATE_NOOP("Synonyms", "zoom decrease font size")},
    {"themeToggle", QT_TRANSLATE_NOOP("Synonyms", "color scheme mode")},
    {"present.open", QT_TRANSLATE_NOOP("Synonyms", "presenter slides talk show lecture beamer")},
    {"lesson.present", QT_TRANSLATE_NOOP("Synonyms", "presenter slides talk show lecture beamer")},
    {"run", QT_TRANSLATE_NOOP("Synonyms", "execute launch start cpu simulate interpreter native")},
    {"runThere", QT_TRANSLATE_NOOP("Synonyms", "execute launch start gpu cuda")},
    {"profile", QT_TRANSLATE_NOOP("Synonyms", "measure counters nsight ncu time gpu benchmark")},
    {"profileSamples", QT_TRANSLATE_NOOP("Synonyms", "pc sampling heat hot lines stalls")},
    {"profileTrace",
     QT_TRANSLATE_NOOP("Synonyms", "timeline clock warps intra-kernel proton perfetto instrument")},
    {"view.trace",
     QT_TRANSLATE_NOOP("Synonyms", "timeline clock warps intra-kernel proton perfetto")},
    {"profileFull", QT_TRANSLATE_NOOP("Synonyms", "counters metrics roofline memory chart")},
    {"saveProfile", QT_TRANSLATE_NOOP("Synonyms", "json write keep measurement")},
    {"heat", QT_TRANSLATE_NOOP("Synonyms", "samples hot lines stalls margin pc sampling")},
    {"openProfile", QT_TRANSLATE_NOOP("Synonyms", "json recording load saved measurement")},
    {"view.profile",
     QT_TRANSLATE_NOOP("Synonyms", "counters roofline occupancy stalls memory chart speed of light "
                                   "times samples")},
    {"sweep", QT_TRANSLATE_NOOP("Synonyms", "autotune tune configurations search best benchmark")},
    {"stopSweep", QT_TRANSLATE_NOOP("Synonyms", "cancel abort end autotune")},
    {"openSweep", QT_TRANSLATE_NOOP("Synonyms", "jsonl folder results load points")},
    {"writeWinner", QT_TRANSLATE_NOOP("Synonyms", "autotune best fastest apply configuration")},
    {"view.sweep",
     QT_TRANSLATE_NOOP("Synonyms", "autotune tune configurations pareto heat map best points")},
    {"exportSweep", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save plot scatter")},
    {"exportProfile", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save roofline")},
    {"exportTrace", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save timeline")},
    {"cancelRun", QT_TRANSLATE_NOOP("Synonyms", "cancel abort kill interrupt")},
    {"recompile", QT_TRANSLATE_NOOP("Synonyms", "build rebuild refresh")},
    {"definition", QT_TRANSLATE_NOOP("Synonyms", "jump declaration source")},
    {"explain", QT_TRANSLATE_NOOP("Synonyms", "why error message numpy help")},
    {"fix", QT_TRANSLATE_NOOP("Synonyms", "quick repair code action")},
    {"applyFix", QT_TRANSLATE_NOOP("Synonyms", "quick repair hint optimize")},
    {"hover", QT_TRANSLATE_NOOP("Synonyms", "help docs info")},
    {"signature", QT_TRANSLATE_NOOP("Synonyms", "arguments signature help")},
    {"complete", QT_TRANSLATE_NOOP("Synonyms", "autocomplete suggest intellisense")},
    {"nextOccurrence", QT_TRANSLATE_NOOP("Synonyms", "multiple cursors")},
    {"usages", QT_TRANSLATE_NOOP("Synonyms", "references where used")},
    {"rename", QT_TRANSLATE_NOOP("Synonyms", "refactor change name variable symbol")},
    {"maximize", QT_TRANSLATE_NOOP("Synonyms", "full screen zen")},
    {"guide", QT_TRANSLATE_NOOP("Synonyms", "help documentation manual tutorial handbook")},
    {"guideSearch",
     QT_TRANSLATE_NOOP("Synonyms", "find help documentation manual text pages index")},
    {"functions", QT_TRANSLATE_NOOP("Synonyms", "help documentation reference tl api")},
    {"glossary", QT_TRANSLATE_NOOP("Synonyms", "help documentation manual words")},
    {"shortcuts", QT_TRANSLATE_NOOP("Synonyms", "key bindings hotkeys help")},
    {"exportReport", QT_TRANSLATE_NOOP("Synonyms", "html save print share")},
    {"exportLayout", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save")},
    {"exportAccess", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save memory coalescing")},
    {"view.access",
     QT_TRANSLATE_NOOP("Synonyms", "memory coalescing sectors transactions loads stores")},
    {"exportShared", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save smem allocation")},
    {"view.shared", QT_TRANSLATE_NOOP("Synonyms", "smem banks conflicts swizzle allocation "
                                                  "buffers scratch ring pipeline")},
    {"exportPipeline", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save loop stages")},
    {"view.pipeline",
     QT_TRANSLATE_NOOP("Synonyms", "loop stages num_stages prefetch asynchronous copies waits "
                                   "barriers warp specialization mbarrier cp.async TMA")},
    {"stepOver", QT_TRANSLATE_NOOP("Synonyms", "debug debugger next line trace")},
    {"stepInto", QT_TRANSLATE_NOOP("Synonyms", "debug debugger function call enter")},
    {"stepOut", QT_TRANSLATE_NOOP("Synonyms", "debug debugger function return finish leave")},
    {"stepBack", QT_TRANSLATE_NOOP("Synonyms", "debug debugger reverse undo previous time travel")},
    {"stepContinue", QT_TRANSLATE_NOOP("Synonyms", "debug debugger resume go")},
    {"stepReverse", QT_TRANSLATE_NOOP("Synonyms", "debug debugger reverse back time travel")},
    {"stepTtgir", QT_TRANSLATE_NOOP("Synonyms", "debug debugger ir stage execute")},
    {"stepByOperation",
     QT_TRANSLATE_NOOP("Synonyms", "debug debugger unit instruction granularity")},
    {"stepRestart", QT_TRANSLATE_NOOP("Synonyms", "debug debugger begin again rerun")},
    {"breakpoint", QT_TRANSLATE_NOOP("Synonyms", "debug debugger stop pause halt")},
    {"breakpointCondition",
     QT_TRANSLATE_NOOP("Synonyms", "debug debugger stop pause nan mask conditional")},
    {"exportStep", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save heat map value")},
    {"exportPrograms", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save grid tiles")},
    {"view.programs",
     QT_TRANSLATE_NOOP("Synonyms", "grid tiles program id pid waves swizzle group reuse L2")},
    {"view.history",
     QT_TRANSLATE_NOOP("Synonyms", "versions timeline compare earlier restore undo baseline diff")},
    {"exportRegisters", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save pressure")},
    {"view.registers",
     QT_TRANSLATE_NOOP("Synonyms", "live liveness pressure occupancy spills what if")},
    {"exportConversion", QT_TRANSLATE_NOOP("Synonyms", "svg png picture image save layouts")},
    {"view.conversion",
     QT_TRANSLATE_NOOP("Synonyms", "layout convert_layout exchange shuffle shared memory arrows")},
    {"convertToUtf8",
     QT_TRANSLATE_NOOP("Synonyms", "encoding latin-1 windows-1252 cp1252 charset bytes")},
    {"importFolders", QT_TRANSLATE_NOOP("Synonyms", "path pythonpath include modules")},
    {"chooseTarget", QT_TRANSLATE_NOOP("Synonyms", "gpu architecture device")},
    {"comment", QT_TRANSLATE_NOOP("Synonyms", "uncomment")},
    {"quit", QT_TRANSLATE_NOOP("Synonyms", "exit close")}};

void addSynonyms(const ActionTable &actions) {
  for (const auto &[id, words] : kSynonyms)
    if (QAction *action = actions.find(QString::fromLatin1(id)))
      action->setProperty("synonyms", QCoreApplication::translate("Synonyms", words));
}

} // namespace tilescope::app
