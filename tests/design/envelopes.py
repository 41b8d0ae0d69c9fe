"""Envelopes to test with."""

from gough.design import envelope_of

TEXTS = {
    "delta": """
[pose]
x = [-0.2, 0.2]
y = [-0.2, 0.2]
z = [-0.95, -0.75]
[velocity]
x = 2
y = 2
z = 2
[acceleration]
shape = "ellipsoid"
x = 30
y = 30
z = 30
[payload]
mass = [0, 3]
mz = [-0.1, 0]
[wrench]
fz = [-20, 5]
""",
    "planar3rrr": """
[pose]
x = [-0.05, 0.05]
y = [-0.05, 0.05]
phi = [-10, 10]
[velocity]
x = 1.5
y = 1.5
phi = 200
[acceleration]
x = 10
y = 10
phi = 500
[wrench]
fx = [-30, 30]
mz = [-1, 2]
[units]
angle = "deg"
""",
    "spatial3": """
[pose]
y = [-0.05, 0.05]
z = [-0.1, 0.1]
theta = [-0.2, 0.2]
[velocity]
shape = "ellipsoid"
y = 0.8
z = 0.8
theta = 2
[acceleration]
y = 5
z = 5
theta = 20
[payload]
mass = 2
xx = [0, 0.05]
""",
    "stewart": """
[pose]
x = [-0.2, 0.2]
y = [-0.2, 0.2]
z = [1.9, 2.2]
psi = [-0.15, 0.15]
theta = [-0.15, 0.15]
phi = [-0.15, 0.15]
[velocity]
shape = "ellipsoid"
of = "twist"
vx = 0.5
vy = 0.5
vz = 0.5
wx = 0.5
wy = 0.5
wz = 0.5
[acceleration]
vx = 3
vy = 3
vz = 3
wx = 2
wy = 2
wz = 2
[payload]
mass = [0, 20]
""",
}


def envelope(robot, name=None):
    return envelope_of(robot, TEXTS[name or robot.name], "envelope.toml")
