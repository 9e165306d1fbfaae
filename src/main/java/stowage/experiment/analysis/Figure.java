package stowage.experiment.analysis;

import org.jfree.chart.JFreeChart;

/**
 * A plot of a report.
 *
 * @param name of its file
 * @param title over it
 * @param caption what it shows
 * @param chart the plot, without a title of its own
 * @param width in SVG's units, of which a screen has 96 an inch
 * @param height the same
 */
record Figure(String name, String title, String caption, JFreeChart chart, int width, int height) {}
