"""Identification: masses, friction and rotors of a real machine from its recorded forces."""

from gough.identification.base_parameters import BaseParameters
from gough.identification.excite import Excitation, excite
from gough.identification.identification import Identification
from gough.identification.identify import identify
from gough.identification.identify_payload import Payload, identify_payload
from gough.identification.recorded_forces import RecordedForces, recorded_forces
from gough.identification.recording_file import read_recording
from gough.identification.regressor import Regressor, regressor

__all__ = [
    "BaseParameters",
    "Excitation",
    "Identification",
    "Payload",
    "RecordedForces",
    "Regressor",
    "excite",
    "identify",
    "identify_payload",
    "read_recording",
    "recorded_forces",
    "regressor",
]
