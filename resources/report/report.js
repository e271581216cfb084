// SPDX-License-Identifier: GPL-3.0-or-later
// Correlation between the columns of code. The page reads well without it.
"use strict";

function correlate(root) {
  const columns = [...root.querySelectorAll(".column")];
  const linesOf = new Map();
  for (const line of root.querySelectorAll(".ln[data-s]"))
    for (const source of line.dataset.s.split(" ")) {
      if (!linesOf.has(source)) linesOf.set(source, []);
      linesOf.get(source).push(line);
    }
  let pinned = null;

  function reveal(column, line) {
    const code = column.querySelector(".code");
    const top = line.offsetTop, bottom = top + line.offsetHeight;
    if (top < code.scrollTop || bottom > code.scrollTop + code.clientHeight)
      code.scrollTop = top - code.clientHeight / 3;
  }

  function mark(origin) {
    for (const line of root.querySelectorAll(".ln.hot")) line.classList.remove("hot");
    if (!origin) return;
    // A line of an inlined call lists the innermost place first: that is the one it shares.
    const related = new Set(linesOf.get(origin.dataset.s.split(" ")[0]));
    for (const line of related) line.classList.add("hot");
    for (const column of columns) {
      if (column.hidden || column.contains(origin)) continue;
      const first = [...related].find((line) => column.contains(line));
      if (first) reveal(column, first);
    }
  }

  const lineAt = (event) => event.target.closest && event.target.closest(".ln[data-s]");
  root.addEventListener("mouseover", (event) => { if (!pinned) mark(lineAt(event)); });
  root.addEventListener("mouseleave", () => { if (!pinned) mark(null); });
  root.addEventListener("focusin", (event) => { if (!pinned && lineAt(event)) mark(lineAt(event)); });
  root.addEventListener("click", (event) => {
    const line = lineAt(event);
    if (!line) return;
    pinned = pinned === line ? null : line;
    mark(line);
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && lineAt(event)) lineAt(event).click();
    if (event.key === "Escape") { pinned = null; mark(null); }
  });

  for (const box of root.querySelectorAll("input[data-show]")) {
    const column = columns.find((each) => each.dataset.stage === box.dataset.show);
    const update = () => { column.hidden = !box.checked; };
    box.addEventListener("change", update);
    update();
  }
}

for (const root of document.querySelectorAll(".correlated")) correlate(root);
