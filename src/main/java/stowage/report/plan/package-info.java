/** A plan as JSON, CSV, text, picture and page. */
package stowage.report.plan;
