package stowage.importer.inductor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;

/**
 * The Python that PyTorch Inductor generates: {@code output_code.py} of its debug trace, or what
 * {@code TORCH_LOGS=output_code} prints, without the log's prefix. It tells every allocation, its
 * size, who writes and reads it, and what is reused or lies in a pool.
 *
 * <p>Source of the forms: torch/_inductor/codegen/wrapper.py and memory_planning.py. The C++
 * wrapper is not read.
 */
public final class OutputCodeFormat extends InputFormat {
  private static final Pattern CALL = Pattern.compile("(\\s*)def call\\((self, )?args\\):.*");

  public OutputCodeFormat() {
    super("wrapper code of PyTorch Inductor as Python", Set.of(Feature.DIMENSIONS), ".py");
  }

  @Override
  public Input read(Path file, Options options) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    List<String> lines = text.lines().toList();
    int start = 0;
    while (start < lines.size() && !CALL.matcher(lines.get(start)).matches()) {
      start++;
    }
    if (start == lines.size()) {
      throw new InputException(
          file,
          "",
          "has no function call(args); output_code.py of PyTorch Inductor's debug trace has one");
    }
    int indent = indent(lines.get(start));
    List<String> body = new ArrayList<>();
    for (int k = start + 1; k < lines.size(); k++) {
      if (!lines.get(k).isBlank() && indent(lines.get(k)) <= indent) {
        break;
      }
      body.add(lines.get(k));
    }
    return new WrapperCode(file, text, options.dimensions())
        .read(body, start + 2, InputFiles.stem(file));
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
