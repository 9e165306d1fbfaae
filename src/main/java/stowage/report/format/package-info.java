/** Text and JSON fragments shared by reports: byte counts, names, tables, certificates. */
package stowage.report.format;
