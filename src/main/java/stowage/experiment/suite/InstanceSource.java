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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonDocument;

/**
 * An entry of a suite's list of instances, and how it comes to instances: a path, a pattern, a
 * pattern within the folder of public data, or a generator whose parameters may be lists, of which
 * all combinations are taken.
 */
sealed interface InstanceSource {
  /** The instances in a fixed order; the folder of public data is null when none was named. */
  List<Instance> instances(Path data);

  /**
   * Files that match a pattern.
   *
   * @param place where the entry is in the suite, for messages
   * @param root what the pattern starts from; null for the folder of public data
   * @param pattern a path with {@code *}, {@code **}, {@code ?} and {@code {a,b}} in it
   * @param family what they are summed up with, or null for the name of their folder
   */
  record FilePattern(JsonDocument.Value place, Path root, String pattern, String family)
      implements InstanceSource {

    @Override
    public List<Instance> instances(Path data) {
      if (root == null && data == null) {
        return List.of(); // the suite's own instances do without the public sets
      }
      Path from = (root == null ? data : root).toAbsolutePath().normalize();
      List<Instance> found = new ArrayList<>();
      for (Path file : matching(from)) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        String own = String.valueOf(file.toAbsolutePath().getParent().getFileName());
        found.add(
            Instance.ofBuffers(
                dot > 0 ? name.substring(0, dot) : name,
                family == null ? own : family,
                file.toString(),
                null,
                null,
                Digests.of(InputFiles.readAllBytes(file))));
      }
      return found;
    }

    private List<Path> matching(Path from) {
      Path start = from;
      String rest = pattern;
      while (rest.indexOf('/') > 0
          && !rest.substring(0, rest.indexOf('/')).matches(".*[*?{\\[].*")) {
        start = start.resolve(rest.substring(0, rest.indexOf('/'))).normalize();
        rest = rest.substring(rest.indexOf('/') + 1);
      }
      if (!rest.matches(".*[*?{\\[].*")) {
        Path file = start.resolve(rest).normalize();
        if (!Files.isRegularFile(file)) {
          throw place.fault("there is no file " + file);
        }
        return List.of(file);
      }
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + rest);
      Path top = start;
      List<Path> found = List.of();
      if (Files.isDirectory(start)) {
        try (Stream<Path> files = Files.walk(start)) {
          found =
              files
                  .filter(
                      file -> Files.isRegularFile(file) && matcher.matches(top.relativize(file)))
                  .sorted()
                  .toList();
        } catch (IOException failure) {
          throw InputFiles.unreadable(start, failure);
        }
      }
      if (found.isEmpty()) {
        throw place.fault("no file in " + start + " matches \"" + rest + "\"");
      }
      return found;
    }
  }

  /** Networks, each in several ways: grouped for tasks, or in other orders of their ops. */
  record Varied(InstanceSource networks, List<UnaryOperator<Instance>> ways)
      implements InstanceSource {

    @Override
    public List<Instance> instances(Path data) {
      return networks.instances(data).stream()
          .flatMap(network -> ways.stream().map(way -> way.apply(network)))
          .toList();
    }
  }

  /**
   * A generator of problems or of networks.
   *
   * @param place where the entry is in the suite, for messages
   * @param parameters values by name; a list means all its elements
   * @param family what they are summed up with, or null for the generator's name
   */
  record Generated(
      JsonDocument.Value place, String generator, Map<String, Object> parameters, String family)
      implements InstanceSource {

    @Override
    public List<Instance> instances(Path data) {
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
      return combinations.stream().map(this::instance).toList();
    }

    private Instance instance(Map<String, Object> values) {
      StringBuilder name = new StringBuilder(generator);
      values.forEach(
          (key, value) -> {
            if (!key.equals("seed")) {
              name.append('-').append(value instanceof String ? "" : key).append(value);
            }
          });
      name.append("-s").append(values.getOrDefault("seed", 1L));
      return Instance.ofBuffers(
          name.toString(),
          family == null ? generator : family,
          null,
          generator,
          values,
          Digests.of(generator + new TreeMap<>(values)));
    }
  }
}
