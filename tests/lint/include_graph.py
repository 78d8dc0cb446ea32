#!/usr/bin/python3
"""The include graph has no cycle: not between files, and not between the folders that are layers.

CMake lets a folder include only what its CMakeLists.txt links, and refuses libraries that link in a
circle; this looks at the #include lines themselves, so that the two cannot drift apart."""

import os
import re
import sys

INCLUDE = re.compile(r'^#\s*include\s+"([^"]+)"', re.MULTILINE)


def find_cycle(graph):
    """A cycle as a list of nodes, first and last the same; None when there is none."""
    done = set()

    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        for neighbour in sorted(graph.get(node, ())):
            cycle = visit(neighbour, path + [node])
            if cycle:
                return cycle
        done.add(node)
        return None

    for node in sorted(graph):
        cycle = visit(node, [])
        if cycle:
            return cycle
    return None


def read_tree(root):
    """Every C file of the programs by its name (unique in the tree): its folder and its includes."""
    files = {}
    for top in ("mockpsp", "harness"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    with open(os.path.join(folder, name), encoding="utf-8") as source:
                        includes = INCLUDE.findall(source.read())
                    files[name] = (os.path.relpath(folder, root), includes)
    return files


def main():
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert find_cycle({"a": {"a"}}) == ["a", "a"]
    assert find_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None

    files = read_tree(os.environ["SOURCE_DIR"])
    by_file, by_folder = {}, {}
    for name, (folder, includes) in files.items():
        known = {include for include in includes if include in files}
        by_file[name] = known
        by_folder.setdefault(folder, set()).update(
            files[include][0] for include in known if files[include][0] != folder)
    if len(files) < 40 or not by_folder.get("mockpsp/wire"):
        sys.exit("found no include graph to speak of: is this the tree?")
    for what, graph in (("files", by_file), ("layers", by_folder)):
        cycle = find_cycle(graph)
        if cycle:
            sys.exit(f"{what} include each other in a circle: " + " -> ".join(cycle))
    harness_users = [f for f, used in by_folder.items()
                     if f.startswith("mockpsp") and any(u.startswith("harness") for u in used)]
    if harness_users:
        sys.exit("mockpsp knows of the harness: " + ", ".join(harness_users))
    print(f"{len(files)} files in {len(by_folder)} folders, no circle")


main()
