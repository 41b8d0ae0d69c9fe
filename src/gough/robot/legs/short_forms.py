"""The leg types that files may name, and the keys of all of them."""

from __future__ import annotations

from functools import lru_cache

from gough.errors import InputError
from gough.robot.file.reader import Key, Table
from gough.robot.legs.cable import CABLE
from gough.robot.legs.chain import JOINTED
from gough.robot.legs.driven import PPA, PRR, PRS, PRU, PSS, PUS, PUU, RPA, RRR, RRS, RRU, RSS, RUS, RUU
from gough.robot.legs.leg_keys import SharedKeys
from gough.robot.legs.rings import RING_KEYS
from gough.robot.legs.short_form import COMMON, ShortForm
from gough.robot.legs.sru import SRU
from gough.robot.legs.struts import RPS, SPS, UCU, UP, UPS, UPU

SHORT_FORMS: dict[str, ShortForm] = {}
"""Leg types by name, in the order in which messages name them."""


def leg_type_of(name: str) -> ShortForm:
    """The leg type of this name, of a spec that was checked, perhaps in another process.

    Raises:
        InputError: It is not registered in this process.
    """
    if name not in SHORT_FORMS:
        raise InputError(f"leg type {name}: is not known in this process; call gough.register_leg_type there too")
    return SHORT_FORMS[name]


def leg_keys() -> dict[str, Key]:
    """Keys of all leg types by name, besides those that every leg has."""
    return _keys_of((SharedKeys, *dict.fromkeys(form.keys for form in SHORT_FORMS.values())))


@lru_cache(maxsize=16)
def _keys_of(tables: tuple[type[Table], ...]) -> dict[str, Key]:
    return {name: key for table in tables for name, key in table.keys().items()}


def register_leg_type(leg_type: ShortForm) -> None:
    """Let robot files name a leg type.

    Raises:
        InputError: There is one of that name; a key that other legs have in another sense, or that no type describes.
    """
    place, known, own = f"leg type {leg_type.name}", leg_keys(), leg_type.keys.keys()
    if leg_type.name in SHORT_FORMS:
        raise InputError(f"{place}: there is one already; give it another name")
    for name, key in own.items():
        if name in {*COMMON, *RING_KEYS, *JOINTED} or known.get(name, key) != key:
            raise InputError(f"{place}: key {name}: other legs have a key of that name; choose another")
        if key.needed:
            raise InputError(f"{place}: key {name}: must not be needed by all legs; list it in needed of the type")
    bodies = [name for name in leg_type.bodies if name is not None]
    for name in (*leg_type.needed, *leg_type.optional, *bodies):
        if name not in known and name not in own:
            raise InputError(f"{place}: key {name}: has no description; state it in keys, a kind of Table")
    SHORT_FORMS[leg_type.name] = leg_type


_SIX_MOTIONS = (UPS, SPS, PUS, PSS, RUS, RSS)
_FEWER = (PRU, RRU, PRR, RRR, PPA, RPA, SRU, RPS, PRS, RRS, UPU, UCU, PUU, RUU, UP)
for _own in (*_SIX_MOTIONS, *_FEWER, CABLE):
    register_leg_type(_own)
