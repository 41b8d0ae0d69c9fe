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
    "hexapod": """
[pose]
x = [-40, 40]
y = [-40, 40]
z = [580, 630]
a1 = [-8, 8]
a2 = [-8, 8]
a3 = [-8, 8]
[velocity]
shape = "ellipsoid"
x = 300
y = 300
z = 300
a1 = 60
a2 = 60
a3 = 60
[acceleration]
shape = "ellipsoid"
x = 4000
y = 4000
z = 4000
[wrench]
fz = [-50, 50]
[units]
length = "mm"
angle = "deg"
""",
    "rotary": """
[pose]
x = [-0.005, 0.005]
y = [-0.005, 0.005]
z = [0.113, 0.118]
yaw = [-0.05, 0.05]
pitch = [-0.05, 0.05]
roll = [-0.05, 0.05]
[velocity]
x = 0.2
z = 0.2
roll = 2
[acceleration]
x = 3
y = 3
z = 3
[payload]
mass = [0, 0.2]
""",
    "sru": """
[pose]
x = [-0.05, 0.05]
y = [-0.05, 0.05]
z = [0.58, 0.66]
psi = [-0.1, 0.1]
theta = [-0.1, 0.1]
phi = [-0.1, 0.1]
[velocity]
of = "twist"
vx = 0.4
vz = 0.4
wz = 1
[acceleration]
vx = 5
vy = 5
vz = 5
wx = 10
wy = 10
wz = 10
""",
}


def envelope(robot, name=None):
    return envelope_of(robot, TEXTS[name or robot.name], "envelope.toml")
