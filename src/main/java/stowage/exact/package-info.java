/**
 * Exact planning: the portfolio, which runs heuristics and engines side by side on one problem
 * until a plan is proven or time is up. Engines, presolving, bounds and searches are below.
 */
package stowage.exact;
