package stowage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Keeps the arrows between the packages, as the table in docs/architecture.md draws them. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = imported();

  /** Our classes alone: of those of libraries their names are enough, which take no reading. */
  private static JavaClasses imported() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPath("target/classes");
  }

  /** Which packages of ours each package may import besides itself, by the table of the page. */
  private static final Map<String, List<String>> MAY_IMPORT = mayImport();

  private static Map<String, List<String>> mayImport() {
    Map<String, List<String>> arrows = new LinkedHashMap<>();
    try {
      List<String> page = Files.readAllLines(Path.of("docs/architecture.md"));
      int row = page.indexOf("| package | holds | may import |") + 2;
      for (; page.get(row).startsWith("|"); row++) {
        String[] cells = page.get(row).split(" *\\| *");
        arrows.put(cells[1].replace("`", ""), List.of(cells[3].split(", *")));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    arrows.remove("stowage"); // the package above all; theRoomsOfTheCoreImportNoLibrary holds it
    return arrows;
  }

  @Test
  void theTableNamesPackagesAlone() {
    assertTrue(MAY_IMPORT.size() > 10, MAY_IMPORT.toString());
    MAY_IMPORT.forEach(
        (from, allowed) -> {
          if (!allowed.equals(List.of("all")) && !allowed.equals(List.of("nothing of ours"))) {
            assertTrue(MAY_IMPORT.keySet().containsAll(allowed), from + ": " + allowed);
          }
        });
  }

  @Test
  void packagesImportOnlyWhatTheTableAllows() {
    MAY_IMPORT.forEach(
        (from, allowed) -> {
          if (allowed.contains("all")) {
            return;
          }
          List<String> forbidden = new ArrayList<>();
          for (String other : MAY_IMPORT.keySet()) {
            if (!other.equals(from) && !allowed.contains(other)) {
              forbidden.add("stowage." + other + "..");
            }
          }
          noClasses()
              .that()
              .resideInAPackage("stowage." + from + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.toArray(String[]::new))
              .allowEmptyShould(true)
              .check(CLASSES);
        });
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getPackageName();
        if (to.startsWith("stowage") && !to.equals(type.getPackageName())) {
          uses.computeIfAbsent(type.getPackageName(), from -> new TreeSet<>()).add(to);
        }
      }
    }
    assertTrue(uses.size() > 50, uses.size() + " packages that use others");
    boolean fewer = true;
    while (fewer) { // packages that use none of those left are in no cycle
      fewer = uses.values().removeIf(others -> others.stream().noneMatch(uses::containsKey));
    }
    assertEquals(Map.of(), uses, "packages in cycles, or that use some that are");
  }

  /**
   * The arrows within a package, by {@code rooms.txt}: a room imports only the rooms listed there.
   */
  @Test
  void roomsImportOnlyTheRoomsListed() throws IOException {
    try (InputStream in = ArchitectureTest.class.getResourceAsStream("rooms.txt")) {
      Map<String, Set<String>> listed = new LinkedHashMap<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (!line.startsWith("#")) {
          String[] sides = line.split(":", 2);
          listed.put(
              "stowage." + sides[0],
              Set.of(sides[1].isBlank() ? new String[0] : sides[1].trim().split(" ")));
        }
      }
      Set<String> wrong = new TreeSet<>();
      for (JavaClass type : CLASSES) {
        String from = type.getPackageName();
        String top = from.split("\\.").length > 1 ? from.split("\\.")[1] : "";
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String to = dependency.getTargetClass().getPackageName();
          boolean within = to.equals("stowage." + top) || to.startsWith("stowage." + top + ".");
          if (listed.containsKey(from)
              && within
              && !to.equals(from)
              && !listed.get(from).contains(to.substring("stowage.".length()))) {
            wrong.add(from + " -> " + to);
          }
        }
      }
      assertEquals(Set.of(), wrong, "arrows that rooms.txt does not list");
    }
  }

  @Test
  void solversAreImportedOnlyWhereTheyBelong() {
    outside("stowage..cpsat..", "com.google.ortools..");
    outside("stowage..choco..", "org.chocosolver..");
    outside("stowage.importer..", "ai.onnxruntime..");
    outside("stowage.importer..", "com.google.flatbuffers..");
  }

  /** CoreJarTest checks the same of the jar's list of classes. */
  @Test
  void theRoomsOfTheCoreImportNoLibrary() {
    classes()
        .that()
        .resideInAnyPackage(
            "stowage", "stowage.packing..", "stowage.heuristic..", "stowage.exact..")
        .and()
        .resideOutsideOfPackages("..cpsat..", "..choco..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "stowage", "stowage.packing..", "stowage.heuristic..", "stowage.exact..")
        .check(CLASSES);
  }

  private static void outside(String home, String library) {
    noClasses()
        .that()
        .resideInAPackage("stowage..")
        .and()
        .resideOutsideOfPackage(home)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(CLASSES);
  }

  @Test
  void everyPackageStandsInTheTable() {
    CLASSES.stream()
        .map(type -> type.getPackageName().split("\\."))
        .filter(parts -> parts.length > 1)
        .forEach(
            parts ->
                assertTrue(
                    MAY_IMPORT.containsKey(parts[1]),
                    "package stowage." + parts[1] + " is not in the table"));
  }
}
