package stowage.exact.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import stowage.packing.LeftOut;

/**
 * Catalogue of the complete methods: the search, which is always there, and those that a {@code
 * META-INF/services/stowage.exact.engine.Engine} on the class path names. So nothing imports the
 * engines that need native code or libraries, and a program without these libraries does without
 * the engines.
 *
 * <p>Thread-safe.
 */
public final class Engines {
  private static final Map<String, Supplier<Engine>> KNOWN = find();

  private Engines() {}

  private static Map<String, Supplier<Engine>> find() {
    Map<String, Supplier<Engine>> found = new LinkedHashMap<>();
    found.put(SearchEngine.NAME, SearchEngine::new);
    Iterator<ServiceLoader.Provider<Engine>> providers =
        ServiceLoader.load(Engine.class, Engine.class.getClassLoader()).stream().iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return found;
        }
        ServiceLoader.Provider<Engine> provider = providers.next();
        Engine engine = provider.get();
        engine.version();
        found.putIfAbsent(engine.name(), provider);
      } catch (ServiceConfigurationError | LinkageError absent) {
        // The engine's library is not on the class path.
      }
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
