/** Layer groups as JSON, CSV, tables, pictures and page. */
package stowage.report.group;
