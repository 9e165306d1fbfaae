package stowage.experiment.analysis;

/** Text within HTML. */
final class Html {
  private Html() {}

  /** The text with what HTML would take for markup written as entities. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
