"""The operations of a recorded graph and the layout of a node.

A node is a flat tuple of integers `(op, *head, *operands)`. The head is what is not an operand: the slot of an input,
the bits of a constant, the size of a matrix, the number of an inner graph, the place of an item. Operands are indices
of earlier nodes, so a tape is always in topological order.
"""

from __future__ import annotations

Node = tuple[int, ...]

(
    INPUT,  # (slot): element `slot` of the flattened inputs; negative: the unknown of a root being recorded
    CONST,  # (bits): a float64, by its bits
    BOOL,  # (0 or 1)
    ADD,
    SUB,
    MUL,
    DIV,
    NEG,
    RECIP,
    SQRT,
    ABS,
    SIGN,
    FLOOR,
    MIN,
    MAX,
    LT,
    LE,
    EQ,
    NE,
    AND,
    OR,
    NOT,
    ISFINITE,
    SELECT,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    ATAN2,
    EXP,
    LOG,
    FACTOR,  # (n; n*n entries): LU with partial pivoting, a bundle
    FACTOR_SPD,  # (n; lower triangle by rows): LDL^T, a bundle
    SOLVE,  # (; factor, b...): a bundle of n items
    SOLVE_T,  # (; factor, b...): with the transposed matrix
    ROOT,  # (inner; start..., parameters...): a bundle of n + 2 items: solution, converged, residual
    LOOP,  # (inner; state..., parameters...): what a root becomes when it is expanded
    ITEM,  # (k; bundle)
    FMA,  # a b + c, rounded once: only in equations of elementary functions, where it has the bits of other operations
) = range(41)

NAMES = (
    "input const bool add sub mul div neg recip sqrt abs sign floor min max lt le eq ne and or not isfinite select "
    "sin cos tan asin acos atan atan2 exp log factor factor_spd solve solve_t root loop item fma"
).split()

COMPARISONS = frozenset((LT, LE, EQ, NE))
LOGIC = frozenset((AND, OR, NOT))
TRANSCENDENTAL = frozenset((SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2, EXP, LOG))
BUNDLES = frozenset((FACTOR, FACTOR_SPD, SOLVE, SOLVE_T, ROOT, LOOP))
BOOLEAN = frozenset((BOOL, LT, LE, EQ, NE, AND, OR, NOT, ISFINITE))
"""Operations whose value is a truth value. An item of a root may be one too: see `Tape.is_bool`."""

_HEADED = frozenset((INPUT, CONST, BOOL, FACTOR, FACTOR_SPD, ROOT, LOOP, ITEM))
FIRST_OPERAND = tuple(2 if op in _HEADED else 1 for op in range(len(NAMES)))


def operands(node: Node) -> Node:
    """Indices of the nodes that `node` reads."""
    return node[FIRST_OPERAND[node[0]] :]


def renumbered(node: Node, new: list[int]) -> Node:
    """The same operation on operands renumbered by `new`."""
    first = FIRST_OPERAND[node[0]]
    return node[:first] + tuple([new[i] for i in node[first:]])
