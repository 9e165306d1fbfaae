/**
 * Exact engines and the frame that runs them: stages of lowering the peak, parts of a problem,
 * options and reports.
 */
package stowage.exact.engine;
