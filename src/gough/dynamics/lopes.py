"""Lopes' own matrices of a 6-UPS platform, body by body, under the paper's names (Lopes2009).

They give the force and moment on the platform in base axes, I xdd + V xd, from the rates of the Euler angles: so they
are not symmetric, and not the contract's M and C, which are T^T times these. A leg's frame {C_i} has its y axis level,
as the paper has it; that is singular for a vertical leg and matters only where I_yy and I_zz of a leg body differ.
The paper drops the spin of a leg about itself: forces are those of legs whose bodies do not feel it.

| paper | here | meaning |
|---|---|---|
| J_A (9), T (23) | `J_A`, `T` | angular velocity from Euler rates; diag(1, J_A) |
| J_C (6) | `J_C` | leg rates from [v; w] of the platform |
| J_D (36), J_B (40), J_G (62) | `J_D`, `J_B`, `J_G` | angular velocity of the leg, velocities of cylinder, piston |
| I_P T (27), d/dt(I_P T) (28) | `I_P`, `V_P` | the platform's |
| (45), (46); (57), (58) | `I_C_tra`, `V_C_tra`; `I_C_rot`, `V_C_rot` | a cylinder's |
| (67), (68); (75), (76) | `I_S_tra`, `V_S_tra`; `I_S_rot`, `V_S_rot` | a piston's |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Expr, Vector, array, cos, dot, factor, gradient, jvp, record, sin, solve_transposed, sqrt
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.sampled_call import check_finite, check_robot
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot, by_mechanism
from gough.run import Program
from gough.table import Result, column


@dataclass(frozen=True)
class LopesParameters:
    """The parameters of the paper's Table 2, and the joints.

    Attributes:
        b, p: (3,) by leg: base joint in B, platform joint in P [m].
        m_P, m_C, m_S: Masses of platform, cylinder and piston [kg].
        I_P, I_C, I_S: (3,) principal moments about the centres of mass; x along the leg [kg m^2].
        b_C, b_S: From the base joint to the cylinder's, from the platform joint to the piston's centre of mass [m].
    """

    b: list[Any]
    p: list[Any]
    m_P: Any
    m_C: Any
    m_S: Any
    I_P: Any
    I_C: Any
    I_S: Any
    b_C: Any
    b_S: Any


def lopes_parameters(robot: Mechanism) -> LopesParameters:
    """The paper's parameters of a robot.

    Raises:
        InputError: It is not a 6-UPS platform in the paper's coordinates, or has bodies that the paper's parameters
            cannot describe.
    """
    _check_kind(robot)
    platform, leg = robot.platform, robot.legs[0]
    _, cylinder, piston = (joint.body for joint in leg.joints)
    legs = [[(joint.body.mass, joint.body.com, joint.body.inertia) for joint in other.joints] for other in robot.legs]
    _refuse(
        robot,
        {
            "legs of different bodies": any(bodies != legs[0] for bodies in legs),
            "a platform whose centre of mass is not at its origin": any(platform.body.com),
            "a platform with products of inertia": any(platform.body.inertia[3:]),
            "the mass of universal joints": not leg.joints[0].body.is_massless,
            "a centre of mass off the leg's axis": any((*cylinder.com[1:], *piston.com[1:])),
            "leg bodies with products of inertia": any((*cylinder.inertia[3:], *piston.inertia[3:])),
        },
    )
    found = LopesParameters(
        b=[np.array(other.position) for other in robot.legs],
        p=[np.array(other.end.platform_point) for other in robot.legs],
        m_P=platform.body.mass,
        m_C=cylinder.mass,
        m_S=piston.mass,
        I_P=np.array(platform.body.inertia[:3]),
        I_C=np.array(cylinder.inertia[:3]),
        I_S=np.array(piston.inertia[:3]),
        b_C=cylinder.com[0],
        b_S=-piston.com[0],
    )
    _refuse(robot, {"leg frames whose x axis is not along the leg, from base to platform": _is_placed_elsewhere(robot)})
    return found


def _check_kind(robot: Mechanism) -> None:
    """Refuse robots that are not 6-UPS platforms with coordinates x y z psi theta phi."""
    platform = robot.platform
    motions = tuple(c.motion for c in platform.coordinates)
    is_ups = [closure_name(leg) == "ups" and leg.joints[2].actuated for leg in robot.legs]
    if len(robot.legs) != 6 or not all(is_ups) or len(robot.actuators) != 6:
        raise InputError(f"robot {robot.name}: Lopes' matrices are of a 6-UPS platform, like stewart")
    in_base_axes = not any(platform.position) and np.array_equal(platform.rotation, np.eye(3))
    if motions != ("x", "y", "z", "rz", "ry", "rx") or not in_base_axes:
        raise InputError(
            f"robot {robot.name}: Lopes' matrices are in coordinates x, y, z, then turns about z, y and x, in base axes"
        )


def _refuse(robot: Mechanism, excluded: dict[str, bool]) -> None:
    """Refuse a robot for the first of these features that it has."""
    for feature, present in excluded.items():
        if present:
            raise InputError(f"robot {robot.name}: Lopes' matrices do not include {feature}; use inverse_dynamics")


def _is_placed_elsewhere(robot: Mechanism) -> bool:
    """Whether joints or centres of mass of a leg at home are not where the paper's parameters put them."""
    pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
    for leg in pose.legs:
        base, end = np.array(leg.leg.position), pose.platform.p_BP + leg.r_end
        length = float(np.linalg.norm(end - base))
        n = (end - base) / length
        expected = [base, base, end]
        for k, joint in enumerate(leg.leg.joints):
            off = np.asarray(leg.place(k).c, dtype=float) - expected[k] - n * joint.body.com[0]
            if np.abs(off).max() > 1e-12 * length:
                return True
        if leg.rates(n, np.zeros(3))[2] < 0.0:
            return True
    return False


def _check_forces(robot: Mechanism) -> None:
    """Refuse robots whose forces have parts that are not in the paper's equations."""
    joints, legs = robot.joints, robot.legs
    bodies = [(leg, joint.body) for leg in legs for joint in leg.joints[1:]]
    _refuse(
        robot,
        {
            "friction": any(joint.viscous or joint.coulomb for joint in joints),
            "rotors": any(joint.rotor_inertia * joint.gear for joint in joints if joint.actuated),
            "springs": robot.has_springs,
            "the spin of legs, so leg bodies need equal moments of inertia across the leg": any(
                body.inertia[1] != body.inertia[2] for _, body in bodies
            ),
            "the spin of legs, so leg bodies of universal joints need no moment of inertia about the leg": any(
                body.inertia[0] != 0.0 and not leg.free_spin for leg, body in bodies
            ),
        },
    )


def R_P(x: Vector) -> Vector:
    """(3, 3) orientation of the platform. Lopes2009 (4)."""
    (cp, sp), (ct, st), (cf, sf) = ((cos(a), sin(a)) for a in x[3:])
    return array(
        [
            [cp * ct, cp * st * sf - sp * cf, cp * st * cf + sp * sf],
            [sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf],
            [-st, ct * sf, ct * cf],
        ]
    )


def J_A(x: Vector) -> Vector:
    """(3, 3) angular velocity from the rates of psi, theta, phi. Lopes2009 (9)."""
    (cp, sp), (ct, st) = ((cos(a), sin(a)) for a in x[3:5])
    return array([[0.0, -sp, ct * cp], [0.0, cp, ct * sp], [1.0, 0.0, -st]])


def T(x: Vector) -> Vector:
    """(6, 6) diag(1, J_A). Lopes2009 (23)."""
    return _blocks([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), J_A(x)]])


def tilde(a: Vector) -> Vector:
    """(3, 3) of the cross product with a. Lopes2009 (38)."""
    return array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def leg_vector(parameters: LopesParameters, x: Vector, i: int) -> tuple[Any, Any]:
    """(l_i, p_i in base axes). Lopes2009 (31)."""
    p = R_P(x) @ array(parameters.p[i])
    return array(x[:3]) + p - array(parameters.b[i]), p


def J_C(parameters: LopesParameters, x: Vector) -> Vector:
    """(6, 6) leg rates from [v; w] of the platform. Lopes2009 (6)."""
    rows = []
    for i in range(len(parameters.b)):
        l, p = leg_vector(parameters, x, i)
        n = l / sqrt(dot(l, l))
        rows.append(np.concatenate([n, tilde(p) @ n]))
    return np.stack(rows)


def J_D(parameters: LopesParameters, x: Vector, i: int) -> Vector:
    """(3, 6) angular velocity of leg i from [v; w]. Lopes2009 (36), (37)."""
    l, p = leg_vector(parameters, x, i)
    bar = tilde(l / dot(l, l))
    return np.concatenate([bar, bar @ tilde(p).T], axis=1)


def J_B(parameters: LopesParameters, x: Vector, i: int) -> Vector:
    """(3, 6) velocity of the cylinder's centre of mass from [v; w]. Lopes2009 (40)."""
    l, _ = leg_vector(parameters, x, i)
    n = l / sqrt(dot(l, l))
    return (tilde(n).T * parameters.b_C) @ J_D(parameters, x, i)


def J_G(parameters: LopesParameters, x: Vector, i: int) -> Vector:
    """(3, 6) velocity of the piston's centre of mass from [v; w]. Lopes2009 (62)."""
    l, p = leg_vector(parameters, x, i)
    n = l / sqrt(dot(l, l))
    end = np.concatenate([array(np.eye(3)), tilde(p).T], axis=1)
    return end - (tilde(n).T * parameters.b_S) @ J_D(parameters, x, i)


def R_C(parameters: LopesParameters, x: Vector, i: int) -> Vector:
    """(3, 3) frame of the cylinder. Lopes2009 (49)-(52), with y = [-l_y, l_x, 0] / sqrt(l_x^2 + l_y^2)."""
    l, _ = leg_vector(parameters, x, i)
    along = l / sqrt(dot(l, l))
    level = sqrt(l[0] * l[0] + l[1] * l[1])
    y = array([-(l[1] / level), l[0] / level, 0.0])
    return np.stack([along, y, tilde(along) @ y], axis=1)


def body_matrices(parameters: LopesParameters, x: Vector, xd: Vector, i: int = 0) -> dict[str, Any]:
    """The inertia and velocity matrices of the platform and of the bodies of leg i, by the paper's names."""
    if not any(type(value) is Expr for value in x):
        graph = record(lambda x, xd: body_matrices(parameters, x, xd, i), x=6, xd=6)
        return dict(Program(graph, "blocks")(x=x, xd=xd))
    t = T(x)
    pairs = {"P": (None, platform_inertia(parameters, x) @ t)}
    for name, jacobian, inertia in leg_bodies(parameters, x, i):
        pairs[name] = (jacobian, inertia @ (jacobian @ t))
    found = {}
    for name, (jacobian, momentum) in pairs.items():
        rate = jvp(momentum, x, xd)
        found[f"I_{name}"] = momentum if jacobian is None else jacobian.T @ momentum
        found[f"V_{name}"] = rate if jacobian is None else jacobian.T @ rate
    return found


def platform_inertia(parameters: LopesParameters, x: Vector) -> Vector:
    """(6, 6) I_P in base axes. Lopes2009 (17), (19)."""
    R = R_P(x)
    rotary = R @ np.diag(array(parameters.I_P)) @ R.T
    return _blocks([[np.eye(3) * parameters.m_P, np.zeros((3, 3))], [np.zeros((3, 3)), rotary]])


def leg_bodies(parameters: LopesParameters, x: Vector, i: int) -> list[tuple[str, Any, Any]]:
    """(name, Jacobian from [v; w], (3, 3) inertia in base axes) of what moves in leg i. Lopes2009 (45)-(76)."""
    R, D = R_C(parameters, x, i), J_D(parameters, x, i)
    turning = [
        (name, R @ np.diag(array(I)) @ R.T) for name, I in (("C_rot", parameters.I_C), ("S_rot", parameters.I_S))
    ]
    return [
        ("C_tra", J_B(parameters, x, i), np.eye(3) * parameters.m_C),
        (turning[0][0], D, turning[0][1]),
        ("S_tra", J_G(parameters, x, i), np.eye(3) * parameters.m_S),
        (turning[1][0], D, turning[1][1]),
    ]


def potential(parameters: LopesParameters, x: Vector, gravity: Vector) -> tuple[Any, Any, Any]:
    """Potential energy of platform, all cylinders and all pistons. Lopes2009 (29), (59), (77).

    The paper's gravity is along -z; here it is (3,) in B, and heights are along it.
    """
    down = array(gravity)
    cylinders: Any = 0.0
    pistons: Any = 0.0
    for i in range(len(parameters.b)):
        l, p = leg_vector(parameters, x, i)
        n = l / sqrt(dot(l, l))
        cylinders = cylinders - dot(down, n * parameters.b_C + parameters.b[i]) * parameters.m_C
        pistons = pistons - dot(down, array(x[:3]) + p - n * parameters.b_S) * parameters.m_S
    return -dot(down, array(x[:3])) * parameters.m_P, cylinders, pistons


def _blocks(rows: list[list[Any]]) -> Vector:
    return np.concatenate([np.concatenate([np.asarray(b, dtype=object) for b in row], axis=1) for row in rows], axis=0)


BODIES = ("C_tra", "C_rot", "S_tra", "S_rot")


class LopesMatrices(Result):
    """Lopes' terms for N samples, or for one without the leading axis.

    Attributes:
        T, J_C: (N, 6, 6) of (23) and (6).
        I_P, V_P: (N, 6, 6) of the platform.
        I, V: (N, 6, 6) by leg body, summed over the legs: "C_tra", "C_rot", "S_tra", "S_rot".
        f_gra: (N, 6) by "platform", "cylinders", "pistons", on the Euler coordinates, (78)-(80).
        f_gra_B: The same in base axes, T^-T f_gra: (83) as the power balance demands.
    """

    T: Array = column("counted counted")
    J_C: Array = column("counted counted")
    I_P: Array = column("counted counted")
    V_P: Array = column("counted counted")
    I: dict[str, Any] = column("counted counted")
    V: dict[str, Any] = column("counted counted")
    f_gra: dict[str, Any] = column("counted")
    f_gra_B: dict[str, Any] = column("counted")

    LAYOUT = "arrays"

    def force(self, xd: Vector, xdd: Vector) -> Array:
        """(N, 6) tau = J_C^-T (I xdd + V xd + f_gra). Lopes2009 (81), (84)."""
        inertia = self.I_P + sum(self.I.values())
        velocity = self.V_P + sum(self.V.values())
        f = (inertia @ np.asarray(xdd)[..., None] + velocity @ np.asarray(xd)[..., None])[..., 0]
        f = f + sum(self.f_gra_B.values())
        return np.linalg.solve(np.swapaxes(self.J_C, -1, -2), f[..., None])[..., 0]


def lopes_matrices(robot: Robot, state: StateLike) -> LopesMatrices:
    """Lopes' own matrices of a 6-UPS platform at a state, of which x and xd count.

    Raises:
        InputError: The robot is of another kind, or has what the paper's equations leave out: friction, rotors,
            springs, legs whose spin matters; see also `lopes_parameters`.
    """
    check_robot(robot)
    given = State.of(robot, state).without_base("lopes_matrices").inputs(robot, "x", "xd")
    raw = _program(robot)(**given)
    check_finite(robot, given)
    groups = ("platform", "cylinders", "pistons")
    return LopesMatrices(
        **{name: raw[name] for name in ("T", "J_C", "I_P", "V_P")},
        I={name: raw[f"I_{name}"] for name in BODIES},
        V={name: raw[f"V_{name}"] for name in BODIES},
        f_gra={name: raw[f"gra {name}"] for name in groups},
        f_gra_B={name: raw[f"gra B {name}"] for name in groups},
    )


@by_mechanism(8)
def _program(robot: Mechanism) -> Program:
    parameters = lopes_parameters(robot)
    _check_forces(robot)

    def equations(x: Vector, xd: Vector) -> dict[str, Any]:
        out: dict[str, Any] = {"T": T(x), "J_C": J_C(parameters, x)}
        for i in range(len(parameters.b)):
            for name, value in body_matrices(parameters, x, xd, i).items():
                if name not in ("I_P", "V_P") or i == 0:
                    out[name] = out[name] + value if name in out else value
        f = factor(out["T"])
        energies = potential(parameters, x, array(robot.gravity))
        for name, energy in zip(("platform", "cylinders", "pistons"), energies, strict=True):
            slope = gradient(energy, x)
            out |= {f"gra {name}": slope, f"gra B {name}": solve_transposed(f, slope)}
        return out

    return Program(record(equations, x=6, xd=6))
