#!/usr/bin/env python3
"""The crates Hathi is built from: may they be there, and what are their licences?

    dependencies.py check             holds them against deny.toml
    dependencies.py licences FILE     writes the licences of all that goes into the binary

`check` asks of deny.toml what `cargo deny check licenses bans sources` asks of it (that
program takes minutes to build, this one a second to run, so `./test` uses it where
cargo-deny is not installed), from what cargo itself knows. It knows only the settings
that our deny.toml has, and refuses others rather than pass over them.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LICENCE_FILE = re.compile(r"licen[cs]e|copying|copyright|notice|unlicense", re.I)

# What this program understands of deny.toml.
KNOWN = {
    "graph": {"targets", "all-features"},
    "advisories": {"version", "ignore"},  # for cargo-deny, which has the list of them
    "licenses": {"version", "allow", "confidence-threshold"},
    "bans": {"multiple-versions", "wildcards", "deny", "skip", "allow-wildcard-paths"},
    "sources": {"unknown-registry", "unknown-git", "allow-registry", "allow-git"},
}


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates(target, *which):
    """What cargo says about the crates that `cargo tree` lists. (`cargo metadata` alone has
    some too many: it takes features that are for other machines only as wanted.)"""
    tree = run("cargo", "tree", "--locked", "--target", target, "--prefix", "none", *which)
    listed = set(re.findall(r"^(\S+) v(\S+)", tree, re.M))
    metadata = run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target)
    packages = json.loads(metadata)["packages"]
    return [package for package in packages if (package["name"], package["version"]) in listed]


def allowed(expression, allow):
    """Is the SPDX expression satisfied by the licences that are allowed?"""
    tokens = re.findall(r"\(|\)|[^\s()/]+|/", expression)
    at = 0

    def peek():
        return tokens[at] if at < len(tokens) else None

    def take():
        nonlocal at
        at += 1
        return tokens[at - 1]

    def one():
        if peek() == "(":
            take()
            value = either()
            if peek() != ")":
                raise ValueError(f"not a licence expression: {expression}")
            take()
            return value
        name = take()
        if peek() == "WITH":
            take()
            name = f"{name} WITH {take()}"
        return name in allow

    def both():
        value = one()
        while peek() == "AND":
            take()
            value = one() and value
        return value

    def either():
        value = both()
        # A slash is how crates wrote OR before there were expressions.
        while peek() in ("OR", "/"):
            take()
            value = both() or value
        return value

    value = either()
    if peek() is not None:
        raise ValueError(f"not a licence expression: {expression}")
    return value


def read_rules():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    for section, keys in rules.items():
        unknown = set(keys) - KNOWN.get(section, set())
        if unknown:
            sys.exit(f"deny.toml: [{section}] has {', '.join(sorted(unknown))}, unknown to {__file__}")
    return rules


def check():
    rules = read_rules()
    faults = []
    packages = {}
    for target in rules["graph"]["targets"]:
        for package in crates(target, "--workspace", "--edges", "all"):
            packages[package["id"]] = package
    allow = set(rules["licenses"]["allow"])
    registries = rules["sources"]["allow-registry"]
    versions = defaultdict(set)
    for package in packages.values():
        name = f"{package['name']} {package['version']}"
        versions[package["name"]].add(package["version"])
        if package["license"] is None:
            faults.append(f"{name}: no licence expression")
        elif not allowed(package["license"], allow):
            faults.append(f"{name}: licence {package['license']} is not allowed")
        source = package["source"]
        # No source means a path: one of ours.
        if source is not None and not any(source == f"registry+{r}" for r in registries):
            faults.append(f"{name}: comes from {source}")
        if source is None:
            for dependency in package["dependencies"]:
                # Our own crates are named by their paths, without a version.
                if dependency["req"] == "*" and dependency.get("path") is None:
                    faults.append(f"{name}: any version of {dependency['name']} will do")
    for banned in rules["bans"]["deny"]:
        for version in versions.get(banned["crate"], ()):
            faults.append(f"{banned['crate']} {version}: {banned.get('reason', 'banned')}")
    skip = {entry["crate"] for entry in rules["bans"]["skip"]}
    for name, found in sorted(versions.items()):
        named = {f"{name}@{version}" for version in found}
        if len(named - skip) > 1:
            faults.append(f"{name}: in several versions, {', '.join(sorted(found))}")
    present = {f"{name}@{version}" for name, found in versions.items() for version in found}
    for entry in sorted(skip - present):
        faults.append(f"deny.toml: {entry} is skipped but not there")
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"{len(packages)} crates: licences, bans and sources as in deny.toml")


def licences(file):
    target = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.M).group(1)
    # Macros work for the compiler and are not in the binary.
    linked = crates(target, "--package", "hathi", "--edges", "normal,no-proc-macro")
    linked = [crate for crate in linked if crate["source"] is not None]
    # The same text once, with all crates it is for.
    texts = defaultdict(list)
    lines = ["Hathi contains these crates, under these licences.", ""]
    for crate in sorted(linked, key=lambda crate: (crate["name"], crate["version"])):
        name = f"{crate['name']} {crate['version']}"
        lines.append(f"{name}: {crate['license']}, {crate['repository'] or 'crates.io'}")
        folder = Path(crate["manifest_path"]).parent
        # A folder inside may hold a C library with a licence of its own.
        for path in sorted([*folder.glob("*"), *folder.glob("*/*")]):
            if path.is_file() and path.suffix not in (".rs", ".c", ".h") and LICENCE_FILE.match(path.name):
                texts[path.read_text(errors="replace").strip()].append(name)
    for text, names in texts.items():
        lines += ["", "=" * 78, ", ".join(sorted(set(names))), "=" * 78, "", text]
    Path(file).write_text("\n".join(lines) + "\n")
    print(f"{file}: {len(linked)} crates, {len(texts)} licence texts", file=sys.stderr)


def main(arguments):
    match arguments:
        case ["check"]:
            check()
        case ["licences", file]:
            licences(file)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
