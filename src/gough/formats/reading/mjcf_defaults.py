"""Defaults of an MJCF file: attributes that elements have by their class."""

from __future__ import annotations

from xml.etree.ElementTree import Element

_MAIN = "main"


class Defaults:
    """The classes of a file."""

    def __init__(self, root: Element) -> None:
        """Collect what each class gives to each kind of element."""
        self.classes: dict[str, dict[str, dict[str, str]]] = {_MAIN: {}}
        for node in root.findall("default"):
            self._take(node, _MAIN, {})

    def of(self, node: Element, inherited: str, kind: str = "") -> dict[str, str]:
        """Attributes of an element, those of its class where it does not state them.

        Args:
            node: The element.
            inherited: The class that the bodies around it give it; "" for the main one.
            kind: What a default calls such elements, where that is not the element's own name.
        """
        own = node.get("class") or inherited or _MAIN
        known = self.classes.get(own, self.classes[_MAIN])
        shared = {**known.get(kind, {}), **known.get(node.tag, {})}
        return {**shared, **node.attrib}

    def _take(self, node: Element, otherwise: str, parent: dict[str, dict[str, str]]) -> None:
        name = node.get("class") or otherwise
        known = {tag: dict(attributes) for tag, attributes in parent.items()}
        for child in node:
            if child.tag != "default":
                known[child.tag] = {**known.get(child.tag, {}), **child.attrib}
        self.classes[name] = known
        for child in node:
            if child.tag == "default":
                self._take(child, name, known)
