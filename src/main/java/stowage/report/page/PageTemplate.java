package stowage.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Template of a page's part: a resource with places {@code @name@}, in small letters. */
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
    return PLACE
        .matcher(resource(template))
        .replaceAll(
            place -> {
              String part = parts.get(place.group(1));
              if (part == null) {
                throw new IllegalStateException(template + " has no part " + place.group());
              }
              return Matcher.quoteReplacement(part);
            });
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
