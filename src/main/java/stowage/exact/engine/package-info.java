/** Exact engines and the frame that runs them: stages of lowering, parts, options and reports. */
package stowage.exact.engine;
