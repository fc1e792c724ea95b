#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the documentation: links, words, blocks of code, commands and what they print.

check.py links             every link resolves, every page is in the navigation of the site
check.py words             no phrase of words.txt is in pages, comments or names of tests
check.py code              blocks of TOML and Python can be parsed; whole C++ programs compile (--compiler CXX)
check.py commands BRISTLE  every subcommand and option shown exists; every file shown is there
check.py run BRISTLE       blocks marked <!-- run --> are run, and print what the page shows
check.py version BRISTLE   program, pages, changelog, Python and packages have the version of version.hpp
check.py lists BRISTLE     what people keep by hand is complete and agrees: directories, files of a law, the comparison
                           and the figures of speed of the README
check.py update BRISTLE    writes what they print into the pages
"""
import ast
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE_GLOBS = ["*.md", "docs/**/*.md", "bench/README.md", "oracle/README.md", "parts/README.md", "data/*/README.md"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
RUN = re.compile(r"<!-- run(?: ([\d,-]+))? -->\n```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.S | re.M)
# What differs from run to run or from compiler to compiler: times, counts of steps, errors near rounding.
CHANCE = [r"(?<=; )[\d.]+ s(?=\))", r"(?m)[\d.]+ s(?= not determined|$)", r"(?<=after )\d+ steps \(\d+ rejected, \d+",
          r"(?<=closes to )[\d.e+-]+", r"[\d.e+-]+(?= of the motion)", r"(?<=recovered to )[\d.e+-]+",
          r"(?<=\(error )[\d.e+-]+", r"(?<=to )[\d.e+-]+(?= of its range)", r"\b[\d.]+e-1[2-9]\b"]
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def pages():
    return sorted({path for glob in PAGE_GLOBS for path in ROOT.glob(glob)})


def name(path):
    return str(path.relative_to(ROOT))


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "code", text)


# Links

def anchor(heading):
    """The anchor of a heading, as the site makes it."""
    words = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", words)).strip("-")


def anchors(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", text, re.M)}


def links():
    seen = 0
    for page in pages():
        text = without_code(page.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            seen += 1
            path, _, part = target.partition("#")
            to = (page.parent / path).resolve() if path else page
            if not to.exists():
                yield f"{name(page)}: links to {target}, which is not there"
            elif part and to.suffix == ".md" and part not in anchors(to):
                yield f"{name(page)}: links to {target}, which has no such heading"
    yield from navigation()
    if seen < 200:
        yield f"only {seen} links were read, the test looks in the wrong place"


def navigation():
    listed = set(re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]))
    made = {"api.md", "experiments.md", "data.md"}
    for entry in sorted(listed - made):
        if not (ROOT / entry).is_file():
            yield f"mkdocs.yml: lists {entry}, which is not there"
    for page in pages():
        if name(page) not in listed and not name(page).startswith("data/"):
            yield f"mkdocs.yml: does not list {name(page)}"


# Words

def phrases():
    """What is not to be said, and what to say in its place."""
    for line in (ROOT / "tests/docs/words.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            wrong, _, right = line.partition("->")
            yield re.compile(rf"\b{wrong.strip()}\b", re.I), right.strip()


def prose():
    """Every line of prose with its place: pages, comments, messages, experiments, scripts, names of tests."""
    for page in pages():
        for count, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{name(page)}:{count}", re.sub(r"`[^`]*`", "code", line)
    for directory in ("include", "src", "cli", "tests", "examples", "bench", "campaign", "fuzz", "bindings"):
        for path in sorted((ROOT / directory).rglob("*.[ch]pp")):
            for count, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                comment = re.search(r"(?:^|\s)//(.*)", line)
                if comment:
                    yield f"{name(path)}:{count}", comment[1]
                test = re.match(r"(?:TYPED_)?TEST(?:_F|_P)?\((\w+), (\w+)", line)
                if test:
                    yield f"{name(path)}:{count}", re.sub(r"(?<!^)(?=[A-Z])", " ", f"{test[1]} {test[2]}")
                # What the program says: meanings of fields, messages, reports.
                if directory in ("include", "src", "cli", "bindings"):
                    for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                        yield f"{name(path)}:{count}", text
    for glob in ("experiments/**/*.toml", "parts/*.toml", "data/*/*.toml", "examples/**/*.toml", "src/io/page/*", "bindings/**/*.py*",
                 "bench/**/*.py", "oracle/**/*.py", "campaign/*.py", "tests/**/*.py", "tests/**/CMakeLists.txt", "scripts/*"):
        for path in sorted(ROOT.glob(glob)):
            if path.is_file() and "__pycache__" not in path.parts:
                for count, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    yield f"{name(path)}:{count}", line


def words():
    listed = list(phrases())
    seen = 0
    for place, line in prose():
        seen += 1
        for wrong, right in listed:
            found = wrong.search(line)
            if found:
                yield f"{place}: '{found[0]}' -> {right}"
    if seen < 10000 or len(listed) < 30:
        yield f"only {seen} lines were read for {len(listed)} phrases, the test looks in the wrong place"


# Code

def blocks(page, language):
    return [body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


def code(compiler):
    programs = []
    for page in pages():
        for body in blocks(page, "python"):
            try:
                ast.parse(body)
            except SyntaxError as error:
                yield f"{name(page)}: a block of Python cannot be parsed: {error}"
        for body in blocks(page, "toml"):
            try:
                tomllib.loads(re.sub(r"^\.\.\.$", "", body, flags=re.M))
            except tomllib.TOMLDecodeError as error:
                yield f"{name(page)}: a block of TOML cannot be parsed: {error}: {body.splitlines()[0]}"
        programs += [(page, body) for body in blocks(page, "cpp") if "int main(" in body]
    if len(programs) < 5:
        yield f"only {len(programs)} programs were found, the test looks in the wrong place"
    yield from compiled(programs, compiler)


def compiled(programs, compiler):
    """All programs as one source, each in a namespace of its own: what they include is compiled once."""
    # Packs have to be included first; programs that need another compiler option are left out.
    includes, bodies = ["#include <bristle/scalar/pack.hpp>"], []
    for count, (page, body) in enumerate(programs):
        lines = body.splitlines()
        includes += [line for line in lines if line.startswith("#include") and line not in includes]
        rest = "\n".join(line for line in lines if not line.startswith("#include"))
        rest = re.sub(r"\bint main\(", "[[maybe_unused]] int program(", rest)
        bodies.append(f'namespace block{count} {{\n#line 1 "{name(page)}"\n{rest}\n}}')
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", delete=False) as source:
        source.write("\n".join(includes + bodies) + "\n")
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", source.name]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        yield f"programs of the pages do not compile:\n{done.stderr[:4000]}"
    else:
        pathlib.Path(source.name).unlink()


# Commands

def commands(body):
    """The commands of a block, without comments, with lines that go on joined."""
    for line in re.sub(r"\\\n", " ", body).splitlines():
        line = re.sub(r"\s+#.*", "", line).strip()
        for one in re.split(r"\s+(?:&&|\|)\s+", line):
            if one and not one.startswith("#"):
                yield one


def options_of(bristle, subcommand, cache={}):
    if subcommand not in cache:
        done = subprocess.run([bristle, subcommand, "--help"], capture_output=True, text=True)
        cache[subcommand] = set(re.findall(r"--[a-z][\w-]*", done.stdout)) if done.returncode == 0 else None
    return cache[subcommand]


def shown(bristle):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    seen = 0
    for page in pages():
        for body in blocks(page, "sh"):
            for command in commands(body):
                seen += 1
                try:
                    parts = shlex.split(command)
                except ValueError:  # a piece of a quoted program, such as that of awk
                    continue
                if parts[0] == "make":
                    for target in parts[1:]:
                        if "=" not in target and not target.startswith("-") and target not in targets:
                            yield f"{name(page)}: make has no target {target}"
                elif pathlib.Path(parts[0]).name == "bristle" and len(parts) > 1 and not parts[1].startswith("-"):
                    yield from wrong_options(page, bristle, parts[1:])
    if seen < 60:
        yield f"only {seen} commands were read, the test looks in the wrong place"


def wrong_options(page, bristle, parts):
    known = options_of(bristle, parts[0])
    if known is None:
        yield f"{name(page)}: bristle has no command {parts[0]}"
        return
    for word in parts[1:]:
        option = word.split("=")[0]
        if option.startswith("--") and option not in known:
            yield f"{name(page)}: bristle {parts[0]} has no option {option}"
        elif re.match(r"(data|parts|experiments|examples)/", word) and not (ROOT / word).exists():
            yield f"{name(page)}: {word} is not there"


# What commands print

def picked(text, ranges):
    """The lines asked for (1-3,7), with ... where lines are left out."""
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    if not ranges:
        return "\n".join(lines) + "\n"
    out, last = [], 0
    for one in ranges.split(","):
        first, _, end = one.partition("-")
        first, end = int(first), int(end or first)
        if first > last + 1:
            out.append("...")
        out += lines[first - 1:end]
        last = end
    if last < len(lines):
        out.append("...")
    return "\n".join(out) + "\n"


def without_chance(text):
    for chance in CHANCE:
        text = re.sub(chance, "...", text)
    return re.sub(r"[ \t]+", " ", text)


def same(shown_text, printed):
    """Whether two outputs agree: words exactly, numbers to 0.2 %, what depends on chance not at all."""
    def split(text):
        text = without_chance(text)
        return NUMBER.sub("0", text).split(), [float(x) for x in NUMBER.findall(text)]
    (w1, n1), (w2, n2) = split(shown_text), split(printed)
    return w1 == w2 and len(n1) == len(n2) and all(
        abs(a - b) <= 2e-3 * max(abs(a), abs(b)) + 1e-12 for a, b in zip(n1, n2))


def scratch(directory, bristle):
    """A directory in which the commands of a page find the data, and the program as `bristle`."""
    for entry in ("data", "parts", "experiments", "examples"):
        (directory / entry).symlink_to(ROOT / entry)
    (directory / "build").mkdir()
    (directory / "build/bristle").symlink_to(bristle)


def run(bristle, update):
    count = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if not RUN.search(text):
            continue
        with tempfile.TemporaryDirectory() as made:
            directory = pathlib.Path(made)
            scratch(directory, pathlib.Path(bristle).resolve())
            for body in blocks(page, "toml") + blocks(page, "cpp") + blocks(page, "python"):
                # The first line of a block may name the file it is.
                named = re.match(r"(?:#|//) ([\w.-]+\.(?:toml|cpp|py|csv))\n", body)
                if named:
                    (directory / named[1]).write_text(body, encoding="utf-8")
            changed = text
            for match in RUN.finditer(text):
                count += 1
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", match[2]], cwd=directory,
                                      capture_output=True, text=True,
                                      env={"PATH": f"{directory}/build:/usr/bin:/bin", "HOME": made, "LC_ALL": "C.UTF-8"})
                if done.returncode:
                    yield f"{name(page)}: {match[2].strip()}\nends with {done.returncode}: {done.stderr[-500:]}"
                    continue
                if match[3] is None:
                    continue
                printed = picked(done.stdout, match[1])
                if update and without_chance(printed) != without_chance(match[3]):
                    changed = changed.replace(match[0], match[0].replace(f"```text\n{match[3]}", f"```text\n{printed}"))
                elif not update and not same(match[3], printed):
                    yield f"{name(page)}: {match[2].strip()}\nprints\n{printed}\nand the page shows\n{match[3]}"
            if changed != text:
                page.write_text(changed, encoding="utf-8")
    if count < 15:
        yield f"only {count} blocks were run, the test looks in the wrong place"


# The version

def version(bristle):
    """The header states the version; what else gives one either reads the header or is compared here."""
    header = (ROOT / "include/bristle/version.hpp").read_text(encoding="utf-8")
    stated = ".".join(re.findall(r"^#define BRISTLE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))
    says = subprocess.run([bristle, "--version"], capture_output=True, text=True).stdout.strip()
    if says != f"bristle {stated}":
        yield f"version.hpp states {stated}, the program says '{says}'"
    newest = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    if not newest or newest[1] != stated:
        yield f"CHANGELOG.md: the newest version is {newest and newest[1]}, version.hpp states {stated}"
    # Files that have to take the version from the header, and what they must not state themselves.
    readers = {"CMakeLists.txt": r"project\(bristle VERSION \d", "pyproject.toml": r"(?m)^version *=",
               "bindings/python/backend.py": r"""return ["']\d+\.\d+""", "packaging/source-tarball": r"version=\d",
               "cmake/packages.cmake": r"CPACK_PACKAGE_VERSION[ \"]+\d", "Doxyfile": r"PROJECT_NUMBER *= *\d",
               "scripts/make-docs": r"""BRISTLE_VERSION=["']\d"""}
    for path, literal in readers.items():
        if re.search(literal, (ROOT / path).read_text(encoding="utf-8")):
            yield f"{path}: states a version; it has to take that of version.hpp"


# Lists that people keep

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
# What lists all laws and is made from the program, or tells of the past.
MADE_LISTS = {"CHANGELOG.md", "docs/tasks/library.md", "bindings/python/bristle/laws.pyi"}


def tracked():
    """The files that belong to the tree; without git, those that are there."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.split("\n")[:-1]
    return [name(path) for path in ROOT.rglob("*") if path.is_file() and not name(path).startswith(("build", "out"))]


def layout(files):
    """Both descriptions of the source layout name each directory."""
    directories = {file.split("/")[0] for file in files if "/" in file and not file.startswith(".")}
    parts = {file.split("/")[2] for file in files if re.match(r"include/bristle/\w+/", file)}
    if len(directories) < 15 or len(parts) < 9:
        yield "few directories were found, the test looks in the wrong place"
    for page in ("README.md", "CONTRIBUTING.md"):
        block = (ROOT / page).read_text(encoding="utf-8").partition("# Source layout")[2].split("```")[1]
        for directory in sorted(directories | parts):
            if not re.search(rf"\b{directory}\b", block):
                yield f"{page}: its source layout does not name {directory}"


def files_of_a_law(files, bristle):
    """CONTRIBUTING names every file that a new law has to be added to, and counts them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    heading = re.search(r"^# To add a law: (\w+) new files, entries in (\w+) more$", text, re.M)
    rows = re.findall(r"^\| `([^`]+)`( \(new\))? \|", text.partition("# To add an experiment")[0], re.M)
    new, old = [r[0] for r in rows if r[1]], [r[0] for r in rows if not r[1]]
    if not heading or heading.groups() != (WORDS[len(new)], WORDS[len(old)]):
        yield f"CONTRIBUTING.md: lists {len(new)} new files and {len(old)} others for a law; its heading says otherwise"
    said = subprocess.run([bristle, "models", "--json"], capture_output=True, text=True).stdout
    laws = [law["name"] for law in json.loads(said)["models"]]
    for law in laws:
        for path in (new[0], new[2]):
            if not (ROOT / path.replace("NAME", law)).exists():
                yield f"CONTRIBUTING.md: {law} has no {path.replace('NAME', law)}"
    for file in files:
        if file.endswith((".md", ".hpp", ".cpp", ".py", ".pyi", ".yml", ".txt", ".cmake", ".js")):
            content = (ROOT / file).read_text(encoding="utf-8", errors="replace")
            if all(re.search(rf"\b{law}\b", content) for law in laws) and file not in old and file not in MADE_LISTS:
                yield f"CONTRIBUTING.md: {file} lists all laws too"


def comparison():
    """Each row of the comparison in the README has its section in docs/comparison.md."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What it does that others do not")[2]
    rows = re.findall(r"^\| (.*?) \| yes \|", text.partition("\n## ")[0], re.M)
    proofs = re.split(r"^## ", (ROOT / "docs/comparison.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    if len(rows) < 5 or len(rows) != len(proofs):
        yield f"README.md: compares in {len(rows)} rows, docs/comparison.md has {len(proofs)} sections"
    for proof in proofs:
        if "<!-- run" not in proof and "cookbook/" not in proof:
            yield f"docs/comparison.md: '{proof.splitlines()[0]}' has no command that a test runs"


def speed():
    """The README takes its figures of speed from docs/speed.md."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Is it fast?\n")[2].partition("[Speed]")[0]
    numbers = re.findall(r"(?<!\w)\d+(?:\.\d+)?(?!\w)", text)
    page = re.findall(r"(?<!\w)\d+(?:\.\d+)?(?!\w)", (ROOT / "docs/speed.md").read_text(encoding="utf-8"))
    if len(numbers) < 3:
        yield "README.md: few figures of speed were found, the test looks in the wrong place"
    for number in numbers:
        if number not in page:
            yield f"README.md: its figure of speed {number} is not in docs/speed.md"


def lists(bristle):
    files = [file for file in tracked() if (ROOT / file).is_file()]
    yield from layout(files)
    yield from files_of_a_law(files, bristle)
    yield from comparison()
    yield from speed()


def main():
    what, *rest = sys.argv[1:] or [""]
    checks = {"links": links, "words": words, "code": lambda: code(rest[-1] if rest else "c++"),
              "commands": lambda: shown(rest[0]), "run": lambda: run(rest[0], False),
              "version": lambda: version(rest[0]), "lists": lambda: lists(rest[0]),
              "update": lambda: run(rest[0], True)}
    if what not in checks:
        sys.exit(__doc__)
    wrong = list(checks[what]())
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
