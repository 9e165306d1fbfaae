package stowage.importer.xla;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes small dumps of XLA for tests, field by field. */
public final class XlaSamples {
  private static final List<String> EVENTS = List.of("alloc", "free", "share");

  /** Numbers of an allocation's fields that say what it is for. */
  static final int THREAD_LOCAL = 3;

  static final int PARAMETER = 5;
  static final int LIVE_OUT = 7;
  static final int CONSTANT = 12;

  private XlaSamples() {}

  /** What is written into a message. */
  interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  static byte[] message(Fields fields) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** An allocation of {@code buffer@offset+bytes}; a use of 0 is a temporary one's. */
  static byte[] allocation(long index, long bytes, int use, String assigned) {
    return message(
        out -> {
          out.writeInt64(1, index);
          out.writeInt64(2, bytes);
          if (use != 0) {
            out.writeBool(use, true);
          }
          for (String one : assigned.split(" ")) {
            String[] figures = one.split("[@+]");
            byte[] buffer =
                message(
                    inner -> {
                      for (int k = 0; k < figures.length; k++) {
                        inner.writeInt64(1 + k, Long.parseLong(figures[k]));
                      }
                    });
            out.writeByteArray(9, buffer);
          }
        });
  }

  /** A trace of events: kind, buffer and, for one that shares, the other buffer. */
  static byte[] trace(String events) {
    return message(
        out -> {
          for (String written : events.split(", ")) {
            String[] event = written.split(" ");
            int kind = EVENTS.indexOf(event[0]);
            out.writeByteArray(
                1,
                message(
                    inner -> {
                      inner.writeEnum(1, kind < 0 ? 3 : kind);
                      inner.writeInt64(2, Long.parseLong(event[1]));
                      inner.writeString(3, "main");
                      inner.writeString(4, "op" + event[1]);
                      if (event.length > 2) {
                        inner.writeInt64(5, Long.parseLong(event[2]));
                      }
                    }));
          }
          out.writeBool(2, true);
          out.writeInt64(3, 1);
        });
  }

  /** An HloProto of a module with some logical buffers. */
  static byte[] hlo(String name, int buffers, List<byte[]> allocations, byte[]... traces) {
    byte[] assignment =
        message(
            out -> {
              for (int k = 0; k < buffers; k++) {
                long id = k;
                out.writeByteArray(1, message(inner -> inner.writeInt64(1, id)));
              }
              for (byte[] allocation : allocations) {
                out.writeByteArray(3, allocation);
              }
              for (byte[] trace : traces) {
                out.writeByteArray(4, trace);
              }
            });
    byte[] module =
        message(
            out -> {
              out.writeString(1, name);
              out.writeString(2, "main");
            });
    return message(
        out -> {
          out.writeByteArray(1, module);
          out.writeByteArray(3, assignment);
        });
  }

  /** A profile: a plane of a device, then one with a HloProto for each module. */
  static byte[] profile(List<String> events, List<byte[]> hlos) {
    byte[] device =
        message(
            out -> {
              out.writeInt64(1, 1);
              out.writeString(2, "/device:GPU:0");
              out.writeByteArray(3, new byte[] {8, 1});
            });
    byte[] metadata =
        message(
            out -> {
              out.writeString(2, "/host:metadata");
              for (int k = 0; k < hlos.size(); k++) {
                byte[] stat = stat(hlos.get(k));
                String event = events.get(k);
                byte[] value =
                    message(
                        inner -> {
                          inner.writeString(2, event);
                          inner.writeByteArray(5, stat);
                        });
                out.writeByteArray(4, message(inner -> inner.writeByteArray(2, value)));
              }
            });
    return message(
        out -> {
          out.writeByteArray(1, device);
          out.writeByteArray(1, metadata);
        });
  }

  private static byte[] stat(byte[] hlo) {
    return message(
        out -> {
          out.writeInt64(1, 1);
          out.writeByteArray(6, hlo);
        });
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
    List<byte[]> samples = new ArrayList<>();
    samples.add(everything("jit_f"));
    samples.add(
        profile(List.of("jit_f(1)", "jit_g(2)"), List.of(everything("f"), everything("g"))));
    return samples;
  }

  /** Texts to be damaged. */
  public static List<byte[]> texts() {
    return List.of(text().getBytes(StandardCharsets.UTF_8));
  }
}
