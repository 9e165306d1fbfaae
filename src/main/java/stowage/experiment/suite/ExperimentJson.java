package stowage.experiment.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/** How the records of experiments are in JSON: their components, without those that are null. */
public final class ExperimentJson {
  /** Reads and writes records; fields that a later version added are passed over. */
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.USE_DEFAULTS))
          .build();

  private ExperimentJson() {}

  /**
   * Reads a record. No figure in one, except for seeds, is below 0 or no number.
   *
   * @throws IllegalArgumentException that says the field, and what is wrong there
   */
  public static <T extends Record> T read(byte[] json, Class<T> type) {
    try {
      T record = MAPPER.readValue(json, type);
      checkFigures(record, type.getSimpleName());
      return record;
    } catch (JsonMappingException wrong) {
      String field =
          wrong.getPath().stream()
              .map(at -> at.getFieldName() == null ? "" + at.getIndex() : at.getFieldName())
              .collect(Collectors.joining("."));
      String what =
          wrong.getCause() instanceof IllegalArgumentException refused
              ? refused.getMessage()
              : wrong
                  .getOriginalMessage()
                  .replaceAll("(java|stowage)[.][\\w.]*?(\\w+[$])?(?=[A-Z])", "");
      throw new IllegalArgumentException(
          field.isEmpty() ? what : "field \"" + field + "\": " + what, wrong);
    } catch (IOException malformed) {
      String what =
          malformed instanceof JsonProcessingException syntax
              ? syntax.getOriginalMessage()
              : malformed.getMessage();
      throw new IllegalArgumentException(what, malformed);
    }
  }

  /** The text of a file of records, one a line. */
  public static String text(List<? extends Record> records) {
    StringBuilder text = new StringBuilder();
    try {
      for (Record record : records) {
        text.append(MAPPER.writeValueAsString(record)).append('\n');
      }
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }

  /** Reads a file of records, one a line; a fault names the line, and says what it is to be. */
  public static <T extends Record> List<T> lines(Path file, Class<T> type, String what) {
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    List<T> records = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n")) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        records.add(read(line.getBytes(StandardCharsets.UTF_8), type));
        require("all", records.get(records.size() - 1));
      } catch (IllegalArgumentException malformed) {
        String fault = "is not " + what + ": " + malformed.getMessage();
        throw new InputException(file, "line " + number, fault, malformed);
      }
    }
    return records;
  }

  private static void checkFigures(Object value, String name) {
    if (value instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        try {
          Method accessor = component.getAccessor();
          accessor.setAccessible(true); // of records that only their package sees
          checkFigures(accessor.invoke(record), component.getName());
        } catch (ReflectiveOperationException impossible) {
          throw new IllegalStateException(impossible);
        }
      }
    } else if (value instanceof List<?> list) {
      list.forEach(one -> checkFigures(one, name));
    } else if (value instanceof Number number && !name.startsWith("seed")) {
      double figure = number.doubleValue();
      if (!(figure >= 0 && figure < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "field \"" + name + "\": " + number + " should be a number of 0 or more");
      }
    }
  }

  /**
   * Refuses a record without a component that it needs.
   *
   * @param names of components, with blanks between them
   * @param values theirs; none may be null
   */
  public static void require(String names, Object... values) {
    int missing = Arrays.asList(values).indexOf(null);
    if (missing >= 0) {
      throw new IllegalArgumentException(names.split(" ")[missing] + " missing");
    }
  }
}
