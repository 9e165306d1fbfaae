package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.help.JsonSchema;

/** Holds answers in JSON against their schemas; each schema of an answer has to be met with. */
final class AnswerSchemas {
  /** Commands whose answer says what file was written. */
  private static final Set<String> WRITING =
      Set.of("export", "convert", "generate", "generate-kernel");

  private final List<String> faults = new ArrayList<>();
  private final Set<String> seen = new TreeSet<>();

  /** Looks at what a command line printed, which must be one JSON value alone. */
  void look(List<String> words, Stowage run) {
    JsonNode answer = run.json();
    boolean error = answer.has("error");
    boolean groups = words.get(0).equals("bench") && words.get(1).equals("groups");
    String command = WRITING.contains(words.get(0)) ? "written" : words.get(0);
    command = groups ? "bench-groups" : command;
    String schema = error ? "error" : command;
    seen.add(schema);
    JsonSchema.named(schema).faults(answer).forEach(fault -> faults.add(words + ": " + fault));
    if (error) {
      assertEquals(run.code(), answer.at("/error/code").asInt(), words.toString());
      run.says(answer.at("/error/message").asText());
    }
  }

  /** What is wrong with the answers so far, and with those of plan in a folder. */
  List<String> faults(Path written) throws IOException {
    for (String name : List.of("/plan.json", "/memories.json", "/front.json")) {
      for (Path plan : FolderTest.files(written, name)) {
        JsonSchema.named("plan")
            .faults(JsonChecks.read(plan))
            .forEach(fault -> faults.add(written.relativize(plan) + ": " + fault));
      }
    }
    Set<String> answers = new TreeSet<>();
    for (File schema : new File("src/main/resources/stowage/schemas/answers").listFiles()) {
      answers.add(schema.getName().replace(".schema.json", ""));
    }
    answers.remove("serve"); // its lines are looked at where it is tested
    assertEquals(answers, seen);
    return faults;
  }
}
