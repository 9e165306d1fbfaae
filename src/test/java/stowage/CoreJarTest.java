package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What the core jar holds, by the list in pom.xml: it must be enough, and hold nothing foreign. */
class CoreJarTest {
  private static final Path CLASSES = Path.of("target", "classes");

  @TempDir static Path core;
  @TempDir Path client;

  @BeforeAll
  static void assemble() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("pom.xml").toFile());
    List<PathMatcher> included = matchers(pom, "include");
    List<PathMatcher> excluded = matchers(pom, "exclude");
    for (Path file : FolderTest.files(CLASSES, "")) {
      Path name = CLASSES.relativize(file);
      if (included.stream().anyMatch(pattern -> pattern.matches(name))
          && excluded.stream().noneMatch(pattern -> pattern.matches(name))) {
        Path copy = core.resolve(name.toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  /** The patterns of the jar whose entries begin in {@code stowage/}. */
  private static List<PathMatcher> matchers(Document pom, String element) {
    List<PathMatcher> matchers = new ArrayList<>();
    NodeList found = pom.getElementsByTagName(element);
    for (int i = 0; i < found.getLength(); i++) {
      String pattern = found.item(i).getTextContent().strip();
      if (pattern.startsWith("stowage/")) {
        matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + pattern));
        if (pattern.contains("/**/")) { // stands for no folder too, in Maven's patterns
          String direct = pattern.replaceFirst("/\\*\\*/", "/");
          matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + direct));
        }
      }
    }
    assertTrue(matchers.size() > 1, element);
    return matchers;
  }

  @Test
  void itNeedsNothingButJavaAndItself() {
    JavaClasses classes = new ClassFileImporter().importPath(core);
    assertTrue(classes.size() > 100, "only " + classes.size() + " classes");
    List<String> foreign = new ArrayList<>();
    for (JavaClass type : classes) {
      for (Dependency arrow : type.getDirectDependenciesFromSelf()) {
        JavaClass target = arrow.getTargetClass().getBaseComponentType();
        if (!target.isPrimitive()
            && !target.getPackageName().startsWith("java.")
            && !classes.contain(target.getFullName())) {
          foreign.add(arrow.getDescription());
        }
      }
    }
    assertEquals(List.of(), foreign);
  }

  @Test
  void theExampleOfTheReadmeRunsOnItAlone() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("```java\n", readme.indexOf("## As a library")) + 8;
    String printed = output(readme.substring(begin, readme.indexOf("```", begin)));
    assertTrue(printed.startsWith("OPTIMAL 14336 14336 "), printed);
  }

  @Test
  void aRunIsCancelledQuietly() throws Exception {
    String source =
        """
        import java.time.Duration;
        import java.util.Random;
        import stowage.*;
        import stowage.packing.*;
        public class Example {
          public static void main(String[] arguments) throws Exception {
            var builder = PackingProblem.builder("hard");
            Random random = new Random(3);
            for (int i = 0; i < 300; i++) {
              int start = random.nextInt(200);
              builder.buffer(1 + random.nextInt(9999), start, start + 1 + random.nextInt(50));
            }
            PlanTask task =
                Stowage.submit(builder.build(), PlanOptions.within(Duration.ofSeconds(50)));
            while (task.best().isEmpty()) {
              Thread.sleep(10);
            }
            task.cancel();
            Plan plan = task.await(Duration.ofSeconds(20));
            System.out.println(task.isDone() + " " + Verifier.isValid(plan.problem(), plan.placement()));
          }
        }
        """;
    assertEquals("true true\n", output(source));
  }

  /** Compiles and runs a class {@code Example} with the core alone; what it prints. */
  private String output(String source) throws IOException, InterruptedException {
    Path file = Files.writeString(client.resolve("Example.java"), source);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                errors,
                "-cp",
                core.toString(),
                "-d",
                client.toString(),
                file.toString());
    assertEquals(0, failed, errors::toString);
    String path = core + File.pathSeparator + client;
    return Programs.output(Programs.JAVA, "-XX:+UseSerialGC", "-cp", path, "Example")
        .replace("\r", "");
  }
}
