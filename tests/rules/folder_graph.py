# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of the project's folders: circles in what is included, and the drawing of the rules."""

BEGIN, END = "<!-- folders: drawn by tests/rules/check_includes.py --draw -->", "<!-- end of folders -->"


def siblings(path, target):
    """The folder that both files are below, and which of its parts each belongs to.

    `.` stands for the files of the folder itself:
    compiler/frontend/Calls.cpp, compiler/frontend/builtins/Memory.h -> compiler/frontend, ., builtins
    """
    one, other = path.split("/")[:-1], target.split("/")[:-1]
    depth = 0
    while depth < min(len(one), len(other)) and one[depth] == other[depth]:
        depth += 1
    parts = [folders[depth] if depth < len(folders) else "." for folders in (one, other)]
    return "/".join(one[:depth]), parts[0], parts[1]


def find_circle(arrows):
    """A list of nodes of which each has an arrow to the next, and the last to the first; or None."""
    finished, way = set(), []

    def visit(node):
        if node in way:
            return way[way.index(node):]
        if node in finished:
            return None
        way.append(node)
        for following in sorted(arrows.get(node, ())):
            circle = visit(following)
            if circle:
                return circle
        way.pop()
        finished.add(node)
        return None

    for node in sorted(arrows):
        circle = visit(node)
        if circle:
            return circle
    return None


def circles(pairs):
    """For each folder the circle, if there is one, in which its parts include each other.

    A circle of any folders of the project is one of the parts of the folder they are all in. `pairs`:
    a file and what it includes.
    """
    arrows = {}
    for path, target in pairs:
        folder, one, other = siblings(path, target)
        if one != other:
            arrows.setdefault(folder, {}).setdefault(one, {}).setdefault(other, (path, target))
    for folder in sorted(arrows):
        circle = find_circle(arrows[folder])
        if circle:
            steps = zip(circle, circle[1:] + circle[:1])
            yield "\n".join([f"the parts of {folder or 'the project'} include each other in a circle: "
                             + " → ".join(circle + circle[:1])]
                            + ["  {} includes {}".format(*arrows[folder][one][other])
                               for one, other in steps])


def meant(names, rules):
    """The folders of a rule table that names stand for: themselves, else all that are below them."""
    return {folder for name in names for folder in rules
            if folder == name or name not in rules and folder.startswith(name + "/")}


def reduced(arrows):
    """Without the arrows that others imply."""
    reach = {}

    def reachable(node):
        if node not in reach:
            reach[node] = set().union(*({other} | reachable(other) for other in arrows[node]), set())
        return reach[node]

    return {node: {other for other in others
                   if not any(other in reachable(between) for between in others if between != other)}
            for node, others in arrows.items()}


def draw(arrows):
    """Text with a line for each folder; all arrows point to lines further down. No circles."""
    heights = {}

    def height(node):
        if node not in heights:
            heights[node] = 1 + max((height(other) for other in arrows[node]), default=-1)
        return heights[node]

    direct = reduced(arrows)
    width = max(len(node) for node in arrows)
    lines = []
    for node in sorted(arrows, key=lambda node: (-height(node), node)):
        lines.append(f"{node:{width}} → {', '.join(sorted(direct[node]))}" if direct[node] else node)
    return "\n".join(lines)


def compare(document, arrows, write):
    """Faults, if the arrows lead in a circle or are not those drawn in the document. Draws them
    there when asked.
    """
    circle = find_circle(arrows)
    if circle:
        return ["the rules lead in a circle: " + " → ".join(circle + circle[:1])]
    text = document.read_text(encoding="utf-8")
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        return [f"{document.name} has no place for the drawing of folders: {BEGIN} … {END}"]
    expected = f"{before}{BEGIN}\n```\n{draw(arrows)}\n```\n{END}{after}"
    if write:
        document.write_text(expected, encoding="utf-8")
    elif text != expected:
        return [f"{document.name}: the drawing of folders differs from the rules; "
                "tests/rules/check_includes.py --draw makes it anew"]
    return []
