"""Pinocchio in C++ on a closed machine: recursive Newton-Euler of the cut tree, and its loops projected by hand.

Joint coordinates, rates and accelerations are made before the clock starts, in Pinocchio's favour. Each call computes
efforts of the tree (`rnea`), Jacobians (`computeJointJacobians`), for each leg the rates that the platform's give it,
and from these the actuators' forces. Headers come with Pinocchio's wheel, Eigen's with the system.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

DEFINED = (
    "-DNDEBUG -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS "
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"
).split()
"""As Pinocchio's own build asks for."""
EIGEN = Path("/usr/include/eigen3")

PROGRAM = """
#include <cstdio>
#include <ctime>
#include <Eigen/LU>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include "rows.h"
using namespace pinocchio;
typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> Small;
struct Leg { int first, count, last, rows; Eigen::Vector3d tip; };
static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}
static SE3 place(double xx, double xy, double xz, double yx, double yy, double yz, double zx, double zy, double zz,
                 double x, double y, double z)
{
    Eigen::Matrix3d R;
    R << xx, xy, xz, yx, yy, yz, zx, zy, zz;
    return SE3(R, Eigen::Vector3d(x, y, z));
}
int main()
{
    Model model;
%(model)s
    Data data(model);
    const std::vector<Leg> legs = {%(legs)s};
    const std::vector<int> motors = {%(motors)s};
    const int plate = %(plate)d, rows = %(rows)d, nv = model.nv;
    Eigen::Matrix<double, 6, 6> K, G6;
    Eigen::MatrixXd force(6, rows);
    std::vector<Eigen::VectorXd> q, v, a;
    for (int i = 0; i < rows; ++i) {
        q.push_back(Eigen::Map<const Eigen::VectorXd>(states[i], nv));
        v.push_back(Eigen::Map<const Eigen::VectorXd>(states[i] + nv, nv));
        a.push_back(Eigen::Map<const Eigen::VectorXd>(states[i] + 2 * nv, nv));
    }
    double best = 1e9;
    for (int round = 0; round < %(rounds)d; ++round) {
        const double start = now();
        for (int i = 0; i < rows; ++i) {
            rnea(model, data, q[i], v[i], a[i]);
            computeJointJacobians(model, data);
            Eigen::Matrix<double, 6, 1> sum = data.tau.segment<6>(plate);
            int motor = 0;
            for (const Leg &leg : legs) {
                const Eigen::Vector3d p = data.oMi[leg.last].act(leg.tip);
                Small A(leg.rows, leg.count), B(leg.rows, 6);
                for (int k = 0; k < leg.count; ++k) {
                    const auto c = data.J.col(leg.first + k);
                    A.col(k).head<3>() = c.head<3>() + c.tail<3>().cross(p);
                    if (leg.rows == 6) A.col(k).tail<3>() = c.tail<3>();
                }
                for (int k = 0; k < 6; ++k) {
                    const auto c = data.J.col(plate + k);
                    B.col(k).head<3>() = c.head<3>() + c.tail<3>().cross(p);
                    if (leg.rows == 6) B.col(k).tail<3>() = c.tail<3>();
                }
                const Small G = A.partialPivLu().solve(B);
                sum.noalias() += G.transpose() * data.tau.segment(leg.first, leg.count);
                for (; motor < (int)motors.size() && motors[motor] < leg.first + leg.count; ++motor)
                    K.row(motor) = G.row(motors[motor] - leg.first);
            }
            force.col(i) = K.transpose().partialPivLu().solve(sum);
        }
        const double us = (now() - start) / rows;
        best = us < best ? us : best;
    }
    std::printf("%%.17g\\n", best);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < 6; ++k) std::printf("%%.17g\\n", force(k, i));
    return 0;
}
"""


def missing() -> str:
    """What is not here to build it, or nothing."""
    if not EIGEN.is_dir():
        return "Eigen (Debian: libeigen3-dev)"
    return "" if prefix() is not None else "Pinocchio's headers (pip: pin)"


def prefix() -> Path | None:
    """Where the wheel has its headers."""
    try:
        import cmeel
    except ImportError:
        return None
    found = Path(cmeel.__file__).parents[1] / "cmeel.prefix"
    return found if (found / "include" / "pinocchio").is_dir() else None


def measured(robot, x, xd, xdd, folder: Path, flags: list[str], rounds: int) -> tuple[float, np.ndarray]:
    """Least microseconds per call, and (N, 6) forces, at samples (N, 6) of a robot with six coordinates."""
    import pinocchio as pin

    from benchmarks.peers.pinocchio_model import add_leg, add_platform, suited
    from gough.kinematics import inverse_kinematics

    model = pin.Model()
    model.gravity.linear = np.array(robot.gravity)
    ids = [add_leg(model, leg, None, False, leg.name) for leg in robot.legs]
    plate = add_platform(model, robot)
    legs = []
    for leg, own in zip(robot.legs, ids, strict=True):
        turn = suited(np.array(leg.joints[leg.end.joint].axis))[0].inverse()
        tip = turn.act(np.array(leg.end.point))
        rows = 6 if leg.end.kind == "rigid" else 3
        legs.append(f"{{{model.joints[own[0]].idx_v}, {len(own)}, {own[-1]}, {rows}, {_vector(tip)}}}")
    actuated = [
        i for leg, own in zip(robot.legs, ids, strict=True) for i, j in zip(own, leg.joints, strict=True) if j.actuated
    ]
    found = inverse_kinematics(robot, x, xd, xdd)
    joints = [found.joint_q, found.joint_qd, found.joint_qdd]
    states = np.hstack([np.hstack([own, given]) for own, given in zip(joints, (x, xd, xdd), strict=True)])
    body = ",\n".join("{" + ", ".join(map(repr, row.tolist())) + "}" for row in states)
    (folder / "rows.h").write_text(f"static const double states[{len(x)}][{states.shape[1]}] = {{{body}}};\n")
    text = PROGRAM % {
        "model": _model(model),
        "legs": ", ".join(legs),
        "motors": ", ".join(str(model.joints[i].idx_v) for i in actuated),
        "plate": plate,
        "rows": len(x),
        "rounds": rounds,
    }
    (folder / "pinocchio.cpp").write_text(text)
    at = prefix()
    assert at is not None
    include = [f"-I{folder}", "-isystem", str(at / "include"), "-isystem", str(EIGEN)]
    link = [f"-L{at / 'lib'}", f"-Wl,-rpath,{at / 'lib'}"]
    program = folder / "pinocchio"
    command = [
        "g++",
        "-std=c++17",
        *DEFINED,
        *flags,
        *include,
        str(folder / "pinocchio.cpp"),
        "-o",
        str(program),
        *link,
    ]
    subprocess.run(command, check=True)
    best, *forces = map(float, subprocess.run([program], capture_output=True, check=True, text=True).stdout.split())
    return best, np.array(forces).reshape(len(x), 6)


def _model(model) -> str:
    lines = [f"    model.gravity.linear() = {_vector(model.gravity.linear)};"]
    for i in range(1, model.njoints):
        at, Y = model.jointPlacements[i], model.inertias[i]
        kind = model.joints[i].shortname()
        where = ", ".join(f"{v:.17g}" for v in (*at.rotation.ravel(), *at.translation))
        lines.append(f'    model.addJoint({model.parents[i]}, {kind}(), place({where}), "j{i}");')
        I = Y.inertia
        six = ", ".join(f"{v:.17g}" for v in (I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]))
        lines.append(f"    model.inertias[{i}] = Inertia({Y.mass:.17g}, {_vector(Y.lever)}, Symmetric3({six}));")
    return "\n".join(lines)


def _vector(v) -> str:
    return f"Eigen::Vector3d({', '.join(f'{e:.17g}' for e in v)})"
