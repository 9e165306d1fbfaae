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
import java.util.Set;
import java.util.stream.Collectors;
import stowage.compiler.CompilerPlanners;
import stowage.compiler.core.SystemPlanner;
import stowage.exact.engine.Engine;
import stowage.exact.engine.Engines;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.Planner;
import stowage.importer.io.InputException;

/**
 * Every planner by name: those of buffers alone, those of real systems, the exact engines, the
 * portfolio of them, and planners of the user's own.
 *
 * <p>The user's are classes that implement {@link Planner}, in the jars and folders that the
 * environment variable {@code STOWAGE_PLANNERS} lists.
 */
public final class PlannerCatalogue {
  /** The name of the portfolio: all engines through one incumbent. */
  public static final String PORTFOLIO = "portfolio";

  /** Jars and folders with planners of the user's own, separated as in a class path. */
  public static final String PLUGINS_VARIABLE = "STOWAGE_PLANNERS";

  private PlannerCatalogue() {}

  /** A planner by the way it is run. */
  public sealed interface Choice {
    /** A planner that needs only the buffers. */
    record OfBuffers(Planner planner) implements Choice {}

    /** A planner of a real system, which takes the graph too. */
    record OfCase(SystemPlanner planner) implements Choice {}

    /** A complete method, alone; the object serves one run. */
    record Exact(Engine engine) implements Choice {}

    /** All exact engines through one incumbent, after the quick heuristics. */
    record Everything() implements Choice {}

    /** The bounds that need no search and the quick heuristics. */
    record Quick() implements Choice {}
  }

  /**
   * A planner as a user sees it.
   *
   * @param version of the real system that it follows, see {@link SystemPlanner#version}, or empty
   */
  public record Known(String name, Planner.Kind kind, String summary, String version) {
    Known(String name, Planner.Kind kind, String summary) {
      this(name, kind, summary, "");
    }
  }

  /** Every planner that can be named, the portfolio last. */
  public static List<Known> known() {
    List<Known> all = new ArrayList<>();
    for (Planner planner : ofBuffers()) {
      all.add(new Known(planner.name(), planner.kind(), planner.summary()));
    }
    for (SystemPlanner planner : CompilerPlanners.all()) {
      all.add(new Known(planner.name(), planner.kind(), planner.summary(), planner.version()));
    }
    for (Engine engine : Engines.all()) {
      all.add(new Known(engine.name(), Planner.Kind.EXACT, engine.summary()));
    }
    all.add(
        new Known(
            PORTFOLIO,
            Planner.Kind.EXACT,
            "Quick heuristics, then all exact engines through one incumbent"));
    return all;
  }

  /** The names of {@link #known()}. */
  public static List<String> names() {
    return known().stream().map(Known::name).toList();
  }

  /** The names of the planners of the user's own. */
  public static Set<String> ownNames() {
    return UserPlanners.all().stream().map(Planner::name).collect(Collectors.toSet());
  }

  /** The planner of a name, or null. */
  public static Choice named(String name) {
    if (name.equals(PORTFOLIO)) {
      return new Choice.Everything();
    }
    if (Engines.names().contains(name)) {
      return new Choice.Exact(Engines.named(List.of(name)).get(0));
    }
    SystemPlanner ofCase = CompilerPlanners.named(name);
    if (ofCase != null) {
      return new Choice.OfCase(ofCase);
    }
    return ofBuffers().stream()
        .filter(planner -> planner.name().equals(name))
        .findFirst()
        .map(Choice.OfBuffers::new)
        .orElse(null);
  }

  private static List<Planner> ofBuffers() {
    List<Planner> all = new ArrayList<>(HeuristicPlanners.all());
    all.addAll(UserPlanners.all());
    return all;
  }

  /**
   * Planners of the user's own: classes that implement {@link Planner} and are named in a {@code
   * META-INF/services/stowage.heuristic.Planner}, looked for on the class path and in the jars and
   * folders that an environment variable lists.
   */
  static final class UserPlanners {
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
}
