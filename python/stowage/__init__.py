"""Plans where every buffer of a neural network lies in memory, with a proof; verified again here."""

from .client import InvalidPlanError, Plan, Planner, Problem, StowageError, Task, plan
from .relations import reuse_cost
from .verify import faults

__all__ = ["InvalidPlanError", "Plan", "Planner", "Problem", "StowageError", "Task", "faults", "plan", "reuse_cost"]
