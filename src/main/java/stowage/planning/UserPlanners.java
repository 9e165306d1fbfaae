package stowage.planning;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import stowage.heuristic.Planner;
import stowage.importer.io.InputException;

/**
 * Planners of the user's own: classes that implement {@link Planner} and are named in a {@code
 * META-INF/services/stowage.heuristic.Planner}, looked for on the class path and in the jars and
 * folders that an environment variable lists.
 */
final class UserPlanners {
  private static ClassLoader loader;

  private UserPlanners() {}

  /** All of them, as found; fails on a missing jar or folder, or what is no planner. */
  static List<Planner> all() {
    try {
      List<Planner> found = new ArrayList<>();
      ServiceLoader.load(Planner.class, loader()).forEach(found::add);
      return found;
    } catch (ServiceConfigurationError unusable) {
      throw new InputException(
          Path.of("META-INF", "services", Planner.class.getName()),
          "",
          unusable.getMessage()
              + ": should name public classes with a public constructor without"
              + " parameters",
          unusable);
    }
  }

  /** Made when planners are first looked for, and kept: classes load through it later on. */
  private static synchronized ClassLoader loader() {
    if (loader == null) {
      loader = loader(System.getenv(PlannerCatalogue.PLUGINS_VARIABLE));
    }
    return loader;
  }

  /** The program's own classes and those of jars and folders on a path, which may be null. */
  static ClassLoader loader(String paths) {
    ClassLoader own = UserPlanners.class.getClassLoader();
    if (paths == null || paths.isBlank()) {
      return own;
    }
    List<URL> places = new ArrayList<>();
    for (String name : paths.split(File.pathSeparator)) {
      Path path = Path.of(name);
      if (!Files.exists(path)) {
        throw new InputException(
            path,
            "",
            "no such file; %s should list jars and folders of classes"
                .formatted(PlannerCatalogue.PLUGINS_VARIABLE));
      }
      try {
        places.add(path.toUri().toURL());
      } catch (MalformedURLException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    return new URLClassLoader(places.toArray(URL[]::new), own);
  }
}
