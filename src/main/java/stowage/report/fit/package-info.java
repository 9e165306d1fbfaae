/** Answers of {@code stowage fit}: text, JSON, pictures. */
package stowage.report.fit;
