/** The frame of all HTML pages: head, style sheet, pictures in two widths, data and scripts. */
package stowage.report.page;
