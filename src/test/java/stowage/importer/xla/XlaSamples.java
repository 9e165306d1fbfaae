package stowage.importer.xla;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Writes small dumps of XLA for tests, field by field. */
public final class XlaSamples {
  private static final List<String> EVENTS = List.of("alloc", "free", "share");

  /** Numbers of an allocation's fields that say what it is for. */
  static final int THREAD_LOCAL = 3;

  static final int PARAMETER = 5;
  static final int LIVE_OUT = 7;
  static final int CONSTANT = 12;

  private XlaSamples() {}

  /** A message of numbered fields: integers, flags, texts, messages, and lists of messages. */
  static byte[] message(Object... fields) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      for (int k = 0; k < fields.length; k += 2) {
        int number = (int) fields[k];
        List<?> values = fields[k + 1] instanceof List<?> list ? list : List.of(fields[k + 1]);
        for (Object value : values) {
          if (value instanceof byte[] message) {
            out.writeByteArray(number, message);
          } else if (value instanceof String text) {
            out.writeString(number, text);
          } else if (value instanceof Boolean flag) {
            out.writeBool(number, flag);
          } else {
            out.writeInt64(number, ((Number) value).longValue());
          }
        }
      }
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** An allocation of {@code buffer@offset+bytes}; a use of 0 is a temporary one's. */
  static byte[] allocation(long index, long bytes, int use, String assigned) {
    List<byte[]> buffers = new ArrayList<>();
    for (String one : assigned.split(" ")) {
      long[] figures = Stream.of(one.split("[@+]")).mapToLong(Long::parseLong).toArray();
      buffers.add(message(1, figures[0], 2, figures[1], 3, figures[2]));
    }
    Object used = use == 0 ? List.of() : true;
    return message(1, index, 2, bytes, use, used, 9, buffers);
  }

  /** A trace of events: kind, buffer and, for one that shares, the other buffer. */
  static byte[] trace(String events) {
    List<byte[]> made = new ArrayList<>();
    for (String written : events.split(", ")) {
      String[] event = written.split(" ");
      int kind = EVENTS.indexOf(event[0]);
      long buffer = Long.parseLong(event[1]);
      Object other = event.length < 3 ? List.of() : Long.valueOf(event[2]);
      String op = "op" + buffer;
      made.add(message(1, kind < 0 ? 3 : kind, 2, buffer, 3, "main", 4, op, 5, other));
    }
    return message(1, made, 2, true, 3, 1);
  }

  /** An HloProto of a module with some logical buffers. */
  static byte[] hlo(String name, int buffers, List<byte[]> allocations, byte[]... traces) {
    List<byte[]> logical = LongStream.range(0, buffers).mapToObj(k -> message(1, k)).toList();
    byte[] assignment = message(1, logical, 3, allocations, 4, List.of(traces));
    return message(1, message(1, name, 2, "main"), 3, assignment);
  }

  /** A profile: a plane of a device, then one with a HloProto for each module. */
  static byte[] profile(List<String> events, List<byte[]> hlos) {
    List<byte[]> modules = new ArrayList<>();
    for (int k = 0; k < hlos.size(); k++) {
      byte[] value = message(2, events.get(k), 5, message(1, 1, 6, hlos.get(k)));
      modules.add(message(2, value));
    }
    byte[] device = message(1, 1, 2, "/device:GPU:0", 3, new byte[] {8, 1});
    return message(1, device, 1, message(2, "/host:metadata", 4, modules));
  }

  /**
   * A module with every kind of allocation. Buffers 1, 2 and 3 are in the heap, 4 takes the place
   * of 1, 5 is a tuple before the heap that no trace names.
   */
  static byte[] everything(String name) {
    return hlo(
        name,
        10,
        List.of(
            allocation(0, 64, PARAMETER, "6@0+64"),
            allocation(1, 64, LIVE_OUT, "7@0+64"),
            allocation(2, 64, CONSTANT, "8@0+64"),
            allocation(3, 64, THREAD_LOCAL, "9@0+64"),
            allocation(4, 1024, 0, "5@0+16 1@256+200 2@512+256 3@768+256 4@256+250")),
        trace("alloc 1, alloc 2, share 4 1, free 1, free 2, alloc 3, free 4, free 3"));
  }

  /** A module whose temporaries no trace names. */
  public static byte[] untraced() {
    return hlo("jit_idle", 1, List.of(allocation(0, 8, 0, "1@0+8")));
  }

  /** The same module's heap as text. */
  static String text() {
    return """
    BufferAssignment:
    allocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:
     value: <6 p0 @0> (size=64,offset=0): f32[16]{0}
    allocation 4: size 1024, preallocated-temp:
     value: <5 tuple{} @0> (size=16,offset=0): (f32[1]{0})
     value: <1 op1 @0> (size=200,offset=256): f32[50]{0}
     value: <4 op4{1} @0> (size=250,offset=256): s8[250]{0}
     value: <2 op2 (phi) @0> (size=256,offset=512): f32[64]{0}
     value: <3 op3 @0> (size=256,offset=768): f32[64]{0}

    Total bytes used: 1088 (1.1KiB)

    HloLiveRange (max 7):
      InstructionSequence:
        0:p0
      BufferLiveRange:
        p0{}:0-7
        op1{}:0-2
        op2{}:1-3
        op4{1}:2-5
        op3{}:5-6
      Live ranges at 2 (peak):
        op2{}: 256 bytes (cumulative: 256 bytes)
    """;
  }

  /** Files to be damaged. */
  public static List<byte[]> protobufs() {
    byte[] both =
        profile(List.of("jit_f(1)", "jit_g(2)"), List.of(everything("f"), everything("g")));
    return List.of(everything("jit_f"), both);
  }

  /** Texts to be damaged. */
  public static List<byte[]> texts() {
    return List.of(text().getBytes(StandardCharsets.UTF_8));
  }
}
