/**
 * The door for programs that embed the planner: {@link stowage.Stowage} plans, {@link
 * stowage.PlanOptions} says how, {@link stowage.PlanTask} is a run in the background.
 *
 * <p>This package and {@code stowage.packing} are stable: what they have keeps its name and meaning
 * until the next major version. Every other package may change with any version.
 */
package stowage;
