package stowage.importer.io;

import java.util.Collection;
import java.util.List;

/** What to say of free dimensions and of the option {@code --dim NAME=VALUE} that binds them. */
public final class DimOption {
  private DimOption() {}

  /** Names free dimensions, at least one, and shows the options that bind them. */
  public static String request(Collection<String> free) {
    List<String> options = free.stream().map(name -> "--dim " + quoted(name) + "=VALUE").toList();
    boolean one = free.size() == 1;
    return (one ? "the dimension " : "the dimensions ")
        + String.join(", ", free)
        + (one ? " is free; give it a value with " : " are free; give them values with ")
        + String.join(" ", options);
  }

  /** Says that no dimension has a name that was given, and which have one. */
  public static String unknown(String given, Collection<String> known) {
    return known.isEmpty()
        ? "the model has no free dimension"
        : "no dimension has that name" + Suggestion.advice(given, known);
  }

  private static String quoted(String name) {
    return name.matches("[\\w.:/-]+") ? name : "'" + name + "'";
  }
}
