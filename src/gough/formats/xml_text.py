"""XML written and read. Reading is bounded, and follows nothing: no entities, no network, no other files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, SubElement, TreeBuilder, XMLParser
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gough import files
from gough.errors import InputError
from gough.formats.placement import Floats

LARGEST = 20_000_000
DEEPEST = 200
MOST = 200_000


class FormatError(InputError):
    """A file of another program that cannot be read, or whose machine is not one that gough has."""


class _Bounded(TreeBuilder):
    """Builds the tree up to a depth and a number of elements; a document type, which entities need, is refused."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source, self.depth, self.count = source, 0, 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        """The element, if it is not one too many."""
        self.depth, self.count = self.depth + 1, self.count + 1
        if self.depth > DEEPEST:
            raise FormatError(f"{self.source}: elements lie more than {DEEPEST} deep in each other; this is no robot")
        if self.count > MOST:
            raise FormatError(f"{self.source}: more than {MOST} elements; this is no robot")
        return super().start(tag, attrs)

    def end(self, tag: str) -> Element:
        """The element that ends."""
        self.depth -= 1
        return super().end(tag)

    def doctype(self, name: str, *_: Any) -> None:
        """Refuse it: nothing in these formats needs one, and it can define entities without end."""
        raise FormatError(f"{self.source}: has a document type (<!DOCTYPE {name}>), which is not read; remove it")


def read_text(path: str | Path) -> str:
    """Text of a file of bounded size.

    Raises:
        FormatError: It cannot be read, or is not UTF-8.
    """
    try:
        return files.read_text(path, LARGEST)
    except files.Unreadable as error:
        hint = f"; {error.hint}" if error.hint else ""
        raise FormatError(f"{path}: {error.problem}{hint}") from None


def parse_xml(text: str, source: str) -> Element:
    """The root element.

    Raises:
        FormatError: It is not XML, or more than a robot can be.
    """
    parser = XMLParser(target=_Bounded(source))
    try:
        parser.feed(text)
        root: Element = parser.close()
    except ParseError as error:
        line, column = error.position
        raise FormatError(f"{source}:{line}: is not XML ({str(error).split(':')[0]}, column {column + 1})") from None
    return root


class Place:
    """Where a value of an XML file stands, for messages: the file and the names of the elements around it."""

    def __init__(self, source: str, *names: str) -> None:
        self.source, self.names = source, names

    def inside(self, name: str) -> Place:
        """One element further in."""
        return Place(self.source, *self.names, name)

    def error(self, message: str) -> FormatError:
        """The fault at this place."""
        return FormatError(": ".join([self.source, *([" ".join(self.names)] if self.names else []), message]))

    def numbers(self, text: str | None, count: int | None, what: str, default: Iterable[float] | None = None) -> Floats:
        """(count,) finite numbers of a text, or the default where there is none.

        Raises:
            FormatError: There are more or fewer, or one is none.
        """
        if text is None:
            if default is None:
                raise self.error(f"{what} is missing")
            return np.array(list(default), dtype=float)
        words = text.split()
        try:
            found = [float(word) for word in words]
        except ValueError:
            raise self.error(f"{what} = {text.strip()!r} must be numbers") from None
        if count is not None and len(found) != count:
            raise self.error(f"{what} = {text.strip()!r} must be {count} number{'s' * (count != 1)}")
        if not all(math.isfinite(value) for value in found):
            raise self.error(f"{what} = {text.strip()!r} must be finite")
        return np.array(found)

    def number(self, text: str | None, what: str, default: float | None = None) -> float:
        """One finite number of a text, or the default."""
        return float(self.numbers(text, 1, what, None if default is None else [default])[0])

    def unit(self, text: str | None, what: str, default: Iterable[float] | None = None) -> Floats:
        """(3,) direction of unit length."""
        found = self.numbers(text, 3, what, default)
        length = float(np.linalg.norm(found))
        if length == 0.0:
            raise self.error(f"{what} = {(text or '').strip()!r} must be a direction, not zero")
        return found / length


def number(value: float) -> str:
    """The shortest text that reads back to the same bits; whole numbers without a point."""
    plain = float(value) + 0.0
    return str(int(plain)) if plain == int(plain) and abs(plain) < 1e15 else repr(plain)


def numbers(values: Iterable[float]) -> str:
    """Numbers, a space between them."""
    return " ".join(number(value) for value in values)


def element(parent: Element, tag: str, attributes: Mapping[str, object] | None = None, text: str = "") -> Element:
    """A new element in another; attributes that are None are left out."""
    stated = {key: str(value) for key, value in (attributes or {}).items() if value is not None}
    made = SubElement(parent, tag, stated)
    made.text = text or None
    return made


def comment(parent: Element, text: str) -> None:
    """A comment in an element, written as one line."""
    made = SubElement(parent, "!")
    made.text = text.replace("--", "- -")


def document(root: Element, heading: Iterable[str] = ()) -> str:
    """The whole text, indented, comments of the heading on top."""
    head = ['<?xml version="1.0"?>', *[f"<!-- {line.replace('--', '- -')} -->" for line in heading]]
    return "\n".join([*head, *_lines(root, 0)]) + "\n"


def _lines(node: Element, depth: int) -> list[str]:
    pad = "  " * depth
    if node.tag == "!":
        return [f"{pad}<!-- {node.text} -->"]
    stated = "".join(f" {key}={quoteattr(value)}" for key, value in node.attrib.items())
    if len(node):
        inner = [line for child in node for line in _lines(child, depth + 1)]
        return [f"{pad}<{node.tag}{stated}>", *inner, f"{pad}</{node.tag}>"]
    if node.text:
        return [f"{pad}<{node.tag}{stated}>{escape(node.text)}</{node.tag}>"]
    return [f"{pad}<{node.tag}{stated}/>"]
