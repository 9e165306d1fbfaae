/** Exact engines and what runs them: stages that lower the peak, parts, options and reports. */
package stowage.exact.engine;
