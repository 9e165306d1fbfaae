/** Reports of peaks against limits: for terminals, scripts, Markdown and JUnit. */
package stowage.report.check;
