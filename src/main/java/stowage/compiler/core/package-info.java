/**
 * What the planners of real systems share: the planner's interface, rectangles, reused objects,
 * arenas, implicit dependencies.
 */
package stowage.compiler.core;
