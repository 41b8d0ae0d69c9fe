"""The list of short forms: the leg types that a file may name."""

from __future__ import annotations

from gough.robot.legs.cable import CABLE
from gough.robot.legs.driven import PPA, PRR, PRS, PRU, PSS, PUS, PUU, RPA, RRR, RRS, RRU, RSS, RUS, RUU
from gough.robot.legs.short_form import ShortForm
from gough.robot.legs.sru import SRU
from gough.robot.legs.struts import RPS, SPS, UCU, UP, UPS, UPU

SHORT_FORMS: dict[str, ShortForm] = {
    form.name: form
    for form in (
        *(UPS, SPS, PUS, PSS, RUS, RSS, PRU, RRU, PRR, RRR, PPA, RPA, SRU),
        *(RPS, PRS, RRS, UPU, UCU, PUU, RUU, UP, CABLE),
    )
}
"""By type, in the order in which messages name them. A form added here is known to every reader of files."""
PASSIVE = UP.name
"""The type of legs without an actuator."""
