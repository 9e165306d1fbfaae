package stowage.exact.cpsat;

import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of OR-Tools, from its jar: asking the library would load it. */
public final class Version {
  public static final String ORTOOLS = read();

  private Version() {}

  private static String read() {
    String file =
        "/META-INF/maven/com.google.ortools/ortools-"
            + Platform.RESOURCE_PREFIX
            + "/pom.properties";
    try (InputStream in = Version.class.getResourceAsStream(file)) {
      if (in == null) {
        return "of unknown version";
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "of unknown version");
    } catch (IOException unreadable) {
      return "of unknown version";
    }
  }
}
