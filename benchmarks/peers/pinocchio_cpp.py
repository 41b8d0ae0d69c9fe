"""Pinocchio in C++ on a closed machine: recursive Newton-Euler of the cut tree, and its loops projected by hand.

Joint coordinates, rates and accelerations are made before the clock starts, in Pinocchio's favour. Each call computes
efforts of the tree (`rnea`), Jacobians (`computeJointJacobians`), for each leg the rates that the platform's give it,
and from these the actuators' forces. Headers come with Pinocchio's wheel, Eigen's with the system.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np

from gough import State

DEFINED = (
    "-DNDEBUG -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS "
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"
).split()
"""As Pinocchio's own build asks for."""
EIGEN = Path("/usr/include/eigen3")

PROGRAM = """
#include <ctime>
#include <iomanip>
#include <iostream>
#include <Eigen/LU>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
using namespace pinocchio;
typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> Small;
typedef Eigen::Matrix<double, 6, 1> Six;
struct Leg { int first, count, last, rows; Eigen::Vector3d tip; };
static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}
template <typename T> static T next()
{
    T value;
    std::cin >> value;
    return value;
}
template <typename M> static M filled(M to) /* row by row */
{
    for (int i = 0; i < to.rows(); ++i)
        for (int k = 0; k < to.cols(); ++k) to(i, k) = next<double>();
    return to;
}
static void add_joint(Model &model)
{
    const int parent = next<int>();
    const std::string kind = next<std::string>(), name = "j" + std::to_string(model.njoints);
    const Eigen::Matrix3d R = filled(Eigen::Matrix3d());
    const SE3 at(R, filled(Eigen::Vector3d()));
    int i = 0;
    if (kind == "JointModelRX") i = model.addJoint(parent, JointModelRX(), at, name);
    if (kind == "JointModelRY") i = model.addJoint(parent, JointModelRY(), at, name);
    if (kind == "JointModelRZ") i = model.addJoint(parent, JointModelRZ(), at, name);
    if (kind == "JointModelPX") i = model.addJoint(parent, JointModelPX(), at, name);
    if (kind == "JointModelPY") i = model.addJoint(parent, JointModelPY(), at, name);
    if (kind == "JointModelPZ") i = model.addJoint(parent, JointModelPZ(), at, name);
    if (i == 0) throw std::invalid_argument(kind);
    const double mass = next<double>();
    const Eigen::Vector3d lever = filled(Eigen::Vector3d());
    model.inertias[i] = Inertia(mass, lever, filled(Eigen::Matrix3d()));
}
int main()
{
    Model model;
    model.gravity.linear() = filled(Eigen::Vector3d());
    for (int n = next<int>(); n > 0; --n) add_joint(model);
    Data data(model);
    std::vector<Leg> legs(next<int>());
    for (Leg &leg : legs) {
        leg.first = next<int>(), leg.count = next<int>(), leg.last = next<int>(), leg.rows = next<int>();
        leg.tip = filled(Eigen::Vector3d());
    }
    std::vector<int> motors(next<int>());
    for (int &motor : motors) motor = next<int>();
    const int plate = next<int>(), rounds = next<int>(), rows = next<int>();
    std::vector<Eigen::VectorXd> q, v, a;
    for (int i = 0; i < rows; ++i)
        for (auto *to : {&q, &v, &a}) to->push_back(filled(Eigen::VectorXd(model.nv)));
    Eigen::Matrix<double, 6, 6> K;
    Eigen::MatrixXd force(6, rows);
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        const double start = now();
        for (int i = 0; i < rows; ++i) {
            rnea(model, data, q[i], v[i], a[i]);
            for (int j = 1; j < model.njoints; ++j) /* from what rnea left, instead of once more from q */
                data.oMi[j] = model.parents[j] ? data.oMi[model.parents[j]] * data.liMi[j] : data.liMi[j];
            computeJointJacobians(model, data);
            Six sum = data.tau.segment<6>(plate);
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
    std::cout << std::setprecision(17) << best << "\\n" << force.transpose() << "\\n";
    return 0;
}
"""


def missing() -> str:
    """What is not here to build it, or nothing."""
    if shutil.which("g++") is None:
        return "g++"
    if not EIGEN.is_dir():
        return "Eigen (Debian: libeigen3-dev)"
    return "" if prefix() is not None else "Pinocchio (pip: pin)"


def prefix() -> Path | None:
    """Where the wheel has its headers."""
    try:
        import cmeel
    except ImportError:
        return None
    found = Path(cmeel.__file__).parents[1] / "cmeel.prefix"
    return found if (found / "include" / "pinocchio").is_dir() else None


def built(folder: Path, flags: list[str]) -> Path:
    """The program, which reads a machine and its samples; it takes g++ over a minute."""
    at = prefix()
    assert at is not None
    source, program = folder / "pinocchio.cpp", folder / "pinocchio"
    source.write_text(PROGRAM)
    include = ["-isystem", str(at / "include"), "-isystem", str(EIGEN)]
    link = [f"-L{at / 'lib'}", f"-Wl,-rpath,{at / 'lib'}"]
    command = ["g++", "-std=c++17", "-w", *DEFINED, *flags, *include, str(source), "-o", str(program), *link]
    subprocess.run(command, check=True)
    return program


def measured(program: Path, robot, x, xd, xdd, rounds: int) -> tuple[float, np.ndarray]:
    """Least microseconds per call, and (N, 6) forces, at samples (N, 6) of a robot with six coordinates."""
    import pinocchio as pin

    from benchmarks.peers.pinocchio_model import add_leg, add_platform, suited
    from gough.kinematics import inverse_kinematics

    model = pin.Model()
    model.gravity.linear = np.array(robot.gravity)
    ids = [add_leg(model, leg, None, False, leg.name) for leg in robot.legs]
    plate = add_platform(model, robot)
    legs: list[object] = [len(ids)]
    for leg, own in zip(robot.legs, ids, strict=True):
        turn = suited(np.array(leg.joints[leg.end.joint].axis))[0].inverse()
        rows = 6 if leg.end.kind == "rigid" else 3
        legs += [model.joints[own[0]].idx_v, len(own), own[-1], rows, *turn.act(np.array(leg.end.point))]
    joints = [pair for leg, own in zip(robot.legs, ids, strict=True) for pair in zip(own, leg.joints, strict=True)]
    motors = [model.joints[i].idx_v for i, joint in joints if joint.actuated]
    found = inverse_kinematics(robot, State(x, xd, xdd))
    states = np.hstack([found.joint_q, x, found.joint_qd, xd, found.joint_qdd, xdd])
    given = [*_model(model), *legs, len(motors), *motors, plate, rounds, len(x), *states.ravel().tolist()]
    text = " ".join(map(str, given))
    done = subprocess.run([program], input=text, capture_output=True, check=True, text=True)
    best, *forces = map(float, done.stdout.split())
    return best, np.array(forces).reshape(len(x), 6)


def _model(model) -> list[object]:
    """Gravity and joints, as the program reads them."""
    found: list[object] = [*model.gravity.linear, model.njoints - 1]
    for i in range(1, model.njoints):
        at, Y = model.jointPlacements[i], model.inertias[i]
        found += [model.parents[i], model.joints[i].shortname(), *at.rotation.ravel(), *at.translation]
        found += [Y.mass, *Y.lever, *Y.inertia.ravel()]
    return found
