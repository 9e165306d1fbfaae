/**
 * Exact planning: the portfolio, which runs heuristics and engines side by side on one problem
 * until a plan is proven or time is up. The packages below have engines and bounds.
 */
package stowage.exact;
