package stowage.exact.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import stowage.packing.LeftOut;

/**
 * Catalogue of the complete methods: the search, which is always there, and those of {@link
 * #OTHERS} whose classes are on the class path. So nothing imports the engines that need native
 * code or libraries, and the core jar does without them. They are known by class names, since a
 * {@code ServiceLoader} opens every jar of the class path, a tenth of a short run.
 *
 * <p>Thread-safe.
 */
public final class Engines {
  private static final List<String> OTHERS =
      List.of(
          "stowage.exact.cpsat.CpSatEngine",
          "stowage.exact.choco.ChocoEngine",
          "stowage.exact.reuse.cpsat.PairEngine",
          "stowage.exact.reuse.cpsat.ReuseEngine");

  private static final Map<String, Supplier<Engine>> KNOWN = find();

  private Engines() {}

  private static Map<String, Supplier<Engine>> find() {
    Map<String, Supplier<Engine>> found = new LinkedHashMap<>();
    found.put(SearchEngine.NAME, SearchEngine::new);
    for (String name : OTHERS) {
      try {
        Class<?> type = Class.forName(name);
        found.put(made(type).name(), () -> made(type));
      } catch (ClassNotFoundException | LinkageError absent) {
        // The engine or its library is not on the class path.
      }
    }
    return found;
  }

  private static Engine made(Class<?> type) {
    try {
      return (Engine) type.getConstructor().newInstance();
    } catch (ReflectiveOperationException broken) {
      throw new IllegalStateException(broken);
    }
  }

  /** The engines' names, the one to be tried first at the front. */
  public static List<String> names() {
    return List.copyOf(KNOWN.keySet());
  }

  /** One of each engine, new, the one to be tried first at the front; without {@link LeftOut}. */
  public static List<Engine> all() {
    return named(names().stream().filter(name -> !LeftOut.has(name)).toList());
  }

  /** New engines by their names; fails on a name that is not known, with those that are. */
  public static List<Engine> named(List<String> names) {
    List<Engine> engines = new ArrayList<>();
    for (String name : names) {
      Supplier<Engine> maker = KNOWN.get(name);
      if (maker == null) {
        throw new IllegalArgumentException(
            "engine \"" + name + "\" is not known; known are " + String.join(", ", names()));
      }
      engines.add(maker.get());
    }
    return engines;
  }
}
