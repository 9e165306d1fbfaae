/**
 * Planners that need only the packing problem, one class each behind {@link
 * stowage.heuristic.Planner}; {@link stowage.heuristic.HeuristicPlanners} lists them all.
 */
package stowage.heuristic;
