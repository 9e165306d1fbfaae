/** Comparisons of planners, orders and benchmarks as tables and pictures. */
package stowage.report.compare;
