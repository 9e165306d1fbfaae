package stowage.experiment.analysis;

import java.util.List;

/** A part of a report: one question to the results; the note may be empty. */
record Section(String title, List<Figure> figures, List<CaptionedTable> tables, String note) {
  /** A section without plots and tables. */
  static Section ofNote(String title, String note) {
    return new Section(title, List.of(), List.of(), note);
  }
}
