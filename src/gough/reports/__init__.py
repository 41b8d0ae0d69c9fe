"""Reports: what a robot's model costs, how well its formulations agree, and the papers' figures and tables."""

from gough.reports.counts import OperationCounts, operation_counts
from gough.reports.verify import Certificate, verify

__all__ = ["Certificate", "OperationCounts", "operation_counts", "verify"]
