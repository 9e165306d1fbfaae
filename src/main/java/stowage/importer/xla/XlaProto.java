package stowage.importer.xla;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.UniqueNames;

/**
 * Reader of XLA's protobuf: an {@code HloProto}, or a profiler's {@code XSpace}, whose plane {@code
 * /host:metadata} carries an HloProto for each module that ran. Numbers of fields are those of
 * xla/service/hlo.proto (openxla/xla) and xplane.proto (openxla/xla, tsl/profiler/protobuf).
 */
final class XlaProto {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int LENGTH_DELIMITED = WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final Path file;
  private final ProtoFields fields;
  private final List<Found> found = new ArrayList<>();

  /** A module, and what the profile calls it; empty where there is no profile. */
  private record Found(XlaModule module, String event) {}

  private XlaProto(Path file, CodedInputStream in) {
    this.file = file;
    this.fields = new ProtoFields(file, in);
  }

  /** All modules of a file, by unique names. */
  static Map<String, XlaModule> read(Path file) {
    boolean profile = isProfile(file);
    List<Found> found =
        open(
            file,
            in -> {
              XlaProto proto = new XlaProto(file, in);
              if (profile) {
                proto.fields.each(
                    (n, type) -> n == 1 && proto.fields.message(type, proto.new Plane()::take));
              } else {
                proto.fields.each(proto.new Hlo("")::take);
              }
              return proto.found;
            });
    if (found.isEmpty()) {
      String what =
          profile
              ? "is a profile without HloProtos in a plane \"/host:metadata\""
              : "is no HloProto with a buffer assignment (XLA's --xla_dump_hlo_as_proto writes one)"
                  + " and no profile";
      throw new InputException(file, "", what);
    }
    Map<String, Integer> labels = new HashMap<>();
    found.forEach(one -> labels.merge(one.module.name(), 1, Integer::sum));
    Map<String, XlaModule> named = new LinkedHashMap<>();
    UniqueNames names = new UniqueNames();
    for (Found one : found) {
      boolean alone = labels.get(one.module.name()) == 1 || one.event.isEmpty();
      named.put(names.of(alone ? one.module.name() : one.event), one.module);
    }
    return named;
  }

  /** What is read from the stream of a file. */
  private interface Reading<T> {
    T from(CodedInputStream in) throws IOException;
  }

  private static <T> T open(Path file, Reading<T> reading) {
    try (InputStream in = new BufferedInputStream(InputFiles.open(file), BUFFER_BYTES)) {
      CodedInputStream coded = CodedInputStream.newInstance(in, BUFFER_BYTES);
      coded.setSizeLimit(Integer.MAX_VALUE);
      return reading.from(coded);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }

  /**
   * Whether a file is a profile: the first field of both kinds is a message, and the second field
   * of a profile's plane is a name that begins with a slash, which no HLO computation's does.
   */
  private static boolean isProfile(Path file) {
    boolean[] profile = new boolean[1];
    open(
        file,
        in -> {
          ProtoFields fields = new ProtoFields(file, in);
          fields.each(
              (number, type) ->
                  number == 1
                      && fields.message(
                          type,
                          (inner, innerType) -> {
                            boolean named = inner == 2 && innerType == LENGTH_DELIMITED;
                            if (named) {
                              profile[0] = fields.text(innerType).startsWith("/");
                              fields.stop();
                            }
                            return named;
                          }));
          return null;
        });
    return profile[0];
  }

  /** {@code XPlane}: its name comes before its events. */
  private final class Plane {
    private boolean metadata;

    boolean take(int number, int type) throws IOException {
      if (number == 2) {
        metadata = fields.text(type).equals("/host:metadata");
        return true;
      }
      // An entry of the map event_metadata; its value is an XEventMetadata.
      return number == 4
          && metadata
          && fields.message(type, (n, t) -> n == 2 && fields.message(t, new EventMetadata()::take));
    }
  }

  /** {@code XEventMetadata}: a module's name as the profiler has it, and its HloProto as a stat. */
  private final class EventMetadata {
    private String name = "";

    boolean take(int number, int type) throws IOException {
      if (number == 2) {
        name = fields.text(type);
        return true;
      }
      return number == 5
          && fields.message(type, (n, t) -> n == 6 && fields.message(t, new Hlo(name)::take));
    }
  }

  /** {@code HloProto}. */
  private final class Hlo {
    private final String event;
    private String module = "";

    Hlo(String event) {
      this.event = event;
    }

    boolean take(int number, int type) throws IOException {
      if (number == 1) {
        return fields.message(
            type,
            (n, t) -> {
              if (n == 1) {
                module = fields.text(t);
              }
              return n == 1;
            });
      }
      if (number != 3) {
        return false;
      }
      AssignmentProto assignment =
          new AssignmentProto(file, fields, module.isEmpty() ? "module" : module);
      fields.message(type, assignment::take);
      found.add(new Found(assignment.build(), event));
      return true;
    }
  }
}
