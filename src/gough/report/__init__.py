"""Reports: what a robot's model costs, how well its formulations agree, and the papers' figures and tables."""

from gough.report.counts import OperationCounts, operation_counts
from gough.report.verify import Certificate, verify

__all__ = ["Certificate", "OperationCounts", "operation_counts", "verify"]
