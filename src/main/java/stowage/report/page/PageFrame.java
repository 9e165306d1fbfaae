package stowage.report.page;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import stowage.report.format.Table;
import stowage.report.svg.Markup;

/**
 * Frame of every HTML page: a head with name, status and one sentence, the button for dark and
 * light, and below it the page's parts in the order in which they are added. A page is one file
 * that loads nothing, works from 360 pixels of width on, in dark and light, and on paper.
 *
 * <p>Text is escaped here; what is called HTML is escaped by the caller.
 */
public final class PageFrame {
  private static final int WIDE = 900;
  private static final int NARROW = 372;

  private final String name;
  private String title;
  private String status = "";
  private String sentence = "";
  private String data = "{}";
  private String script = PageTemplate.script();
  private final StringBuilder body = new StringBuilder();

  private PageFrame(String name) {
    this.name = name;
    this.title = name;
  }

  /** A page whose heading is a name. */
  public static PageFrame of(String name) {
    return new PageFrame(name);
  }

  /** Sets the title in the browser's tab; the name unless set. */
  public PageFrame title(String text) {
    title = text;
    return this;
  }

  /** Sets the word next to the name, such as OPTIMAL, which also decides its colour. */
  public PageFrame status(String word) {
    status = word;
    return this;
  }

  /** Sets the sentence below the name: the answer in plain words. */
  public PageFrame sentence(String text) {
    sentence = text;
    return this;
  }

  public PageFrame warning(String text) {
    return html("<p class=\"warning\">" + Markup.escape(text) + "</p>\n");
  }

  /** Adds HTML as it is. */
  public PageFrame html(String html) {
    body.append(html);
    return this;
  }

  public PageFrame section(String heading, String html) {
    return html("<section>\n<h2>" + Markup.escape(heading) + "</h2>\n" + html + "\n</section>\n");
  }

  /** Adds a section of text as a terminal shows it, folded until it is opened. */
  public PageFrame text(String heading, String text) {
    String inner = Markup.escape(heading) + "</summary>\n<pre>";
    String shown = text.lines().map(Markup::escape).collect(Collectors.joining("\n"));
    return html("<details><summary>" + inner + shown + "</pre>\n</details>\n");
  }

  /** A table, all of whose columns are for readers. */
  public static String table(Table table) {
    List<Table.Column> columns = table.columns();
    StringBuilder html =
        new StringBuilder("<div class=\"across\"><table class=\"grid\"><thead><tr>");
    columns.forEach(column -> cell(html, "th", column, column.heading()));
    html.append("</tr></thead><tbody>\n");
    for (List<Table.Cell> row : table.rows()) {
      html.append("<tr>");
      for (int c = 0; c < row.size(); c++) {
        cell(html, "td", columns.get(c), row.get(c).text());
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>").toString();
  }

  private static void cell(StringBuilder html, String tag, Table.Column column, String text) {
    html.append('<').append(tag).append(column.figures() ? " class=\"number\">" : ">");
    html.append(Markup.escape(text)).append("</").append(tag).append('>');
  }

  /** The choice of one of several memories, or of all; empty for a single one. */
  public static String choice(List<String> memories) {
    if (memories.size() < 2) {
      return "";
    }
    StringBuilder html = new StringBuilder("<label>memory <select id=\"memory\">");
    html.append("<option value=\"-1\">all</option>");
    for (int m = 0; m < memories.size(); m++) {
      html.append("<option value=\"").append(m).append("\">");
      html.append(Markup.escape(memories.get(m))).append("</option>");
    }
    return html.append("</select></label>\n").toString();
  }

  /** A picture in two widths, drawn in pixels each, of which the page shows the one that fits. */
  public static String picture(IntFunction<String> drawn) {
    String wide = "<div class=\"picture wide\">" + drawn.apply(WIDE) + "</div>\n";
    return wide + "<div class=\"picture narrow\">" + drawn.apply(NARROW) + "</div>";
  }

  /** Sets what the scripts read as JSON, and the scripts, which follow {@code page.js}. */
  public PageFrame view(String json, String... scripts) {
    data = Markup.scriptSafe(json);
    script = PageTemplate.script(scripts);
    return this;
  }

  public String page() {
    return PageTemplate.fill(
        "page.html",
        Map.of(
            "title", Markup.escape(title),
            "style", PageTemplate.resource("page.css"),
            "name", Markup.escape(name),
            "status", Markup.escape(status),
            "sentence", Markup.escape(sentence),
            "body", body.toString(),
            "data", data,
            "script", script));
  }
}
