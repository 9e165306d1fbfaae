package stowage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keeps the arrows between the packages, as the table in docs/architecture.md draws them. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("stowage");

  /** Which packages of ours each package may import besides itself. */
  private static final Map<String, List<String>> MAY_IMPORT = mayImport();

  private static Map<String, List<String>> mayImport() {
    Map<String, List<String>> arrows = new LinkedHashMap<>();
    arrows.put("natives", List.of());
    arrows.put("packing", List.of());
    arrows.put("network", List.of());
    arrows.put("importer", List.of("network", "packing", "natives"));
    arrows.put("liveness", List.of("network", "packing"));
    arrows.put("heuristic", List.of("packing"));
    arrows.put("schedule", List.of("network", "liveness", "packing", "heuristic"));
    arrows.put("compiler", List.of("heuristic", "liveness", "network", "packing"));
    arrows.put("exact", List.of("packing", "heuristic", "natives"));
    arrows.put(
        "residency", List.of("network", "packing", "liveness", "heuristic", "exact", "schedule"));
    arrows.put("onchip", List.of("network", "packing", "liveness", "exact"));
    arrows.put("report", List.of("packing", "network", "onchip", "residency"));
    arrows.put(
        "planning",
        List.of(
            "packing",
            "network",
            "importer",
            "liveness",
            "heuristic",
            "schedule",
            "compiler",
            "exact"));
    arrows.put(
        "experiment",
        List.of(
            "planning",
            "natives",
            "packing",
            "network",
            "importer",
            "liveness",
            "heuristic",
            "compiler",
            "exact",
            "onchip",
            "report"));
    return arrows;
  }

  @Test
  void packagesImportOnlyWhatTheTableAllows() {
    MAY_IMPORT.forEach(
        (from, allowed) -> {
          List<String> forbidden = new ArrayList<>();
          for (String other : MAY_IMPORT.keySet()) {
            if (!other.equals(from) && !allowed.contains(other)) {
              forbidden.add("stowage." + other + "..");
            }
          }
          forbidden.add("stowage.cli..");
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
    slices().matching("stowage.(**)").should().beFreeOfCycles().check(CLASSES);
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
                    MAY_IMPORT.containsKey(parts[1]) || parts[1].equals("cli"),
                    "package stowage." + parts[1] + " is not in the table"));
  }
}
