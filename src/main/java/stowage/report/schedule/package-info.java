/** Reports on the order of a network's ops: tables, JSON, pictures. */
package stowage.report.schedule;
