package stowage.experiment.suite;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonDocument;

/**
 * Instances of an entry of a suite's list: files that match a pattern, or what a generator makes of
 * parameters that may be lists, of which all combinations are taken.
 */
final class InstanceSource {
  private static final String WILD = ".*[*?{\\[].*";

  private InstanceSource() {}

  /**
   * Files that match a pattern, in a fixed order.
   *
   * @param pattern a path with {@code *}, {@code **}, {@code ?} and {@code {a,b}} in it
   * @param root what the pattern starts from
   * @param family what they are summed up with, or null for the name of their folder
   */
  static List<Instance> files(JsonDocument.Value pattern, Path root, String family) {
    List<Instance> found = new ArrayList<>();
    for (Path file : matching(pattern, root.toAbsolutePath().normalize())) {
      String own = String.valueOf(file.toAbsolutePath().getParent().getFileName());
      String of = family == null ? own : family;
      String digest = Digests.of(InputFiles.readAllBytes(file));
      found.add(
          new Instance(InputFiles.stem(file), of, file.toString(), null, null, digest, null, null));
    }
    return found;
  }

  private static List<Path> matching(JsonDocument.Value pattern, Path root) {
    Path start = root;
    String rest = pattern.name();
    int cut = rest.indexOf('/');
    while (cut > 0 && !rest.substring(0, cut).matches(WILD)) {
      start = start.resolve(rest.substring(0, cut)).normalize();
      rest = rest.substring(cut + 1);
      cut = rest.indexOf('/');
    }
    if (!rest.matches(WILD)) {
      Path file = start.resolve(rest).normalize();
      if (!Files.isRegularFile(file)) {
        throw pattern.fault("there is no file " + file);
      }
      return List.of(file);
    }
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + rest);
    Path top = start;
    List<Path> found;
    try (Stream<Path> files = Files.isDirectory(top) ? Files.walk(top) : Stream.empty()) {
      found =
          files
              .filter(file -> Files.isRegularFile(file) && matcher.matches(top.relativize(file)))
              .sorted()
              .toList();
    } catch (IOException failure) {
      throw InputFiles.unreadable(top, failure);
    }
    if (found.isEmpty()) {
      throw pattern.fault("no file in " + top + " matches \"" + rest + "\"");
    }
    return found;
  }

  /**
   * What a generator of problems or of networks makes.
   *
   * @param parameters values by name; a list means all its elements
   * @param family what they are summed up with, or null for the generator's name
   */
  static List<Instance> generated(String generator, Map<String, Object> parameters, String family) {
    List<Map<String, Object>> combinations = new ArrayList<>();
    combinations.add(new LinkedHashMap<>());
    for (Map.Entry<String, Object> parameter : parameters.entrySet()) {
      List<?> values =
          parameter.getValue() instanceof List<?> list ? list : List.of(parameter.getValue());
      List<Map<String, Object>> longer = new ArrayList<>();
      for (Map<String, Object> start : combinations) {
        for (Object value : values) {
          Map<String, Object> one = new LinkedHashMap<>(start);
          one.put(parameter.getKey(), value);
          longer.add(one);
        }
      }
      combinations = longer;
    }
    String of = family == null ? generator : family;
    return combinations.stream().map(values -> instance(generator, values, of)).toList();
  }

  private static Instance instance(String generator, Map<String, Object> values, String family) {
    StringBuilder name = new StringBuilder(generator);
    values.forEach(
        (key, value) -> {
          if (!key.equals("seed")) {
            name.append('-').append(value instanceof String ? "" : key).append(value);
          }
        });
    name.append("-s").append(values.getOrDefault("seed", 1L));
    String digest = Digests.of(generator + new TreeMap<>(values));
    return new Instance(name.toString(), family, null, generator, values, digest, null, null);
  }
}
