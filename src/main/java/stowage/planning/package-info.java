/**
 * What the command line, the benchmarks and the experiments share: every planner by name ({@link
 * stowage.planning.PlannerCatalogue}), the user's own included, and one run of chosen planners from
 * a problem to its incumbent ({@link stowage.planning.PlannerRun}).
 *
 * <p>Programs that embed the planner take {@code stowage.Stowage}; this package may change.
 */
package stowage.planning;
