/**
 * Planners of real systems, each faithful to its source's order, rule and ties, behind {@link
 * stowage.compiler.core.SystemPlanner}; {@link stowage.compiler.CompilerPlanners} lists them all.
 *
 * <p>They take a {@link stowage.liveness.PlanningCase}, since some need the graph besides the
 * buffers. On a plain list of buffers they take one op a step, file order as execution order, each
 * buffer made at its start and last used just before its end.
 */
package stowage.compiler;
