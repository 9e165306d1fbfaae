/** SVG and PNG building blocks: writer, axes, marks, rasters. */
package stowage.report.svg;
