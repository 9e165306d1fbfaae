package stowage.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Template of a part of a page: a resource with places {@code @name@}, filled in one pass. */
public final class PageTemplate {
  private static final Pattern PLACE = Pattern.compile("@([a-z]+)@");

  private PageTemplate() {}

  /**
   * The filled template. Text that is filled in is not searched for places.
   *
   * @param template a resource of this package
   * @param parts by place; HTML is escaped already
   * @throws IllegalStateException when a resource or a part is missing
   */
  public static String fill(String template, Map<String, String> parts) {
    StringBuilder page = new StringBuilder();
    Matcher place = PLACE.matcher(resource(template));
    while (place.find()) {
      String part = parts.get(place.group(1));
      if (part == null) {
        throw new IllegalStateException(template + " has no part " + place.group(1));
      }
      place.appendReplacement(page, Matcher.quoteReplacement(part));
    }
    return place.appendTail(page).toString();
  }

  static String script(String... files) {
    StringBuilder script =
        new StringBuilder("'use strict';\n(() => {\n").append(resource("page.js"));
    for (String file : files) {
      script.append(resource(file));
    }
    return script.append("})();\n").toString();
  }

  /** The text of a resource of this package. */
  public static String resource(String name) {
    try (InputStream in = PageTemplate.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource stowage/report/page/" + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
