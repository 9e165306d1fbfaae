package stowage.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.SparseTensorProto;
import stowage.importer.onnx.proto.StringStringEntryProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.network.ElementType;

/**
 * Check of constant data before anything relies on its sizes, and reading of what is in other
 * files.
 *
 * <p>Such a file must be in the model's folder or below: its path may not be absolute, lead out of
 * the folder or pass through a symbolic link that does.
 */
record TensorData(Path file) {
  private static final int EXTERNAL = 1;

  /** So many files are named where some are missing. */
  private static final int NAMED = 8;

  /** Whether the data is in a separate file. */
  static boolean external(TensorProto tensor) {
    return tensor.getDataLocation() == EXTERNAL;
  }

  /** Says which files of weights a model lacks where it is written to; empty for none. */
  static String missing(ModelProto model, Path source, Path target) {
    Path from = source.toAbsolutePath().normalize().getParent();
    List<String> files =
        from.equals(target.toAbsolutePath().normalize().getParent())
            ? List.of()
            : initializers(model.getGraph())
                .filter(TensorData::external)
                .map(tensor -> from.resolve(entry(tensor, "location", "")).toString())
                .distinct()
                .toList();
    if (files.isEmpty()) {
      return "";
    }
    String more = files.size() > NAMED ? " and " + (files.size() - NAMED) + " more" : "";
    return " Weights are in %s%s: copy %s to the folder of %s."
        .formatted(
            String.join(", ", files.subList(0, Math.min(NAMED, files.size()))),
            more,
            files.size() == 1 ? "that" : "these",
            target);
  }

  /** Those of a graph and of its nodes' bodies. */
  private static Stream<TensorProto> initializers(GraphProto graph) {
    return Stream.concat(
        graph.getInitializerList().stream(),
        graph.getNodeList().stream()
            .flatMap(node -> OnnxModel.bodies(node).stream())
            .flatMap(TensorData::initializers));
  }

  private static long[] dims(List<Long> dims) {
    return dims.stream().mapToLong(Long::longValue).toArray();
  }

  static ValueShape shape(TensorProto tensor) {
    return new ValueShape(tensor.getDataType(), dims(tensor.getDimsList()), false);
  }

  static ValueShape shape(SparseTensorProto sparse) {
    return new ValueShape(sparse.getValues().getDataType(), dims(sparse.getDimsList()), false);
  }

  /** Bytes that the data of a checked tensor takes. */
  static long bytes(TensorProto tensor) {
    ElementType type = OnnxTypes.of(tensor.getDataType());
    return (elements(tensor) * type.bits() + 7) / 8;
  }

  private static long elements(TensorProto tensor) {
    return LongStream.of(dims(tensor.getDimsList())).reduce(1, Math::multiplyExact);
  }

  /**
   * Makes sure that a tensor holds as much data as its extents say, or that a part of a file in the
   * model's folder does.
   */
  void check(TensorProto tensor, String what) {
    ElementType type = OnnxTypes.of(tensor.getDataType());
    if (type == null) {
      throw fault(what, "element type %s should be between 1 and 26", tensor.getDataType());
    }
    long elements;
    try {
      for (long extent : tensor.getDimsList()) {
        if (extent < 0) {
          throw fault(what, "extent %s should be 0 or more", extent);
        }
      }
      elements = elements(tensor);
      Math.multiplyExact(elements, 128);
    } catch (ArithmeticException overflow) {
      throw fault(what, "shape %s has more bytes than a long holds", tensor.getDimsList());
    }
    if (external(tensor)) {
      place(tensor, what);
      return;
    }
    long held = held(tensor, type);
    if (held != elements) {
      String fault = "holds %s; shape %s should have %s elements of %s";
      String holds = held < 0 ? tensor.getRawData().size() + " bytes" : held + " elements";
      throw fault(what, fault, holds, tensor.getDimsList(), elements, type.label());
    }
  }

  /** Elements a tensor holds; -1 when its bytes are no whole number of them. */
  private static long held(TensorProto tensor, ElementType type) {
    if (tensor.hasRawData() && type != ElementType.OPAQUE) {
      long elements = elements(tensor);
      long wanted = (elements * type.bits() + 7) / 8;
      return tensor.getRawData().size() == wanted ? elements : -1;
    }
    return switch (type) {
      case F32 -> tensor.getFloatDataCount();
      case C64 -> tensor.getFloatDataCount() / 2;
      case F64 -> tensor.getDoubleDataCount();
      case C128 -> tensor.getDoubleDataCount() / 2;
      case I64 -> tensor.getInt64DataCount();
      case U32, U64 -> tensor.getUint64DataCount();
      case OPAQUE -> tensor.getStringDataCount();
      case I4, U4, F4, I2, U2 -> {
        int each = 8 / type.bits();
        long elements = elements(tensor);
        yield (elements + each - 1) / each == tensor.getInt32DataCount() ? elements : -1;
      }
      default -> tensor.getInt32DataCount();
    };
  }

  /** Where external data is, in bytes of a file that need not exist. */
  record Place(Path path, long offset, long length) {}

  private Place place(TensorProto tensor, String what) {
    String location = entry(tensor, "location", "");
    Path folder = file.toAbsolutePath().normalize().getParent();
    Path path;
    try {
      Path relative = Path.of(location);
      path = folder.resolve(relative).normalize();
      if (location.isEmpty() || relative.isAbsolute() || !path.startsWith(folder)) {
        throw outside(what, location);
      }
      if (Files.exists(path) && !path.toRealPath().startsWith(folder.toRealPath())) {
        throw outside(what, location);
      }
    } catch (InvalidPathException malformed) {
      throw outside(what, location);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
    long bytes = bytes(tensor);
    long offset = number(tensor, "offset", 0, what);
    long length = number(tensor, "length", bytes, what);
    if (length != bytes && OnnxTypes.of(tensor.getDataType()) != ElementType.OPAQUE) {
      throw fault(what, "length %s of its external data should be %s", length, bytes);
    }
    return new Place(path, offset, length);
  }

  InputException fault(String where, String what, Object... arguments) {
    return new InputException(file, where, what, arguments);
  }

  private InputException outside(String what, String location) {
    String fault =
        "its data is in \"%s\"; that should be a file in the model's folder, given without leading"
            + " slash or \"..\"";
    return fault(what, fault, location);
  }

  private long number(TensorProto tensor, String key, long otherwise, String what) {
    String text = entry(tensor, key, Long.toString(otherwise));
    try {
      long value = Long.parseLong(text.strip());
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException malformed) {
      // said below
    }
    throw fault(what, "%s \"%s\" of its external data should be 0 or more", key, text);
  }

  private static String entry(TensorProto tensor, String key, String otherwise) {
    return tensor.getExternalDataList().stream()
        .filter(entry -> entry.getKey().equals(key))
        .map(StringStringEntryProto::getValue)
        .findFirst()
        .orElse(otherwise);
  }

  /** The tensor with its data in it; null when the data is in a file that does not exist. */
  TensorProto loaded(TensorProto tensor, String what) {
    if (!external(tensor)) {
      return tensor;
    }
    Place place = place(tensor, what);
    if (!Files.isRegularFile(place.path())) {
      return null;
    }
    ByteBuffer data;
    try (SeekableByteChannel channel = FileChannel.open(place.path())) {
      if (place.offset() > channel.size() - place.length()) {
        String fault = "its data should be %s bytes from %s on in %s, which has %s bytes";
        Path name = place.path().getFileName();
        throw fault(what, fault, place.length(), place.offset(), name, channel.size());
      }
      if (place.length() > Integer.MAX_VALUE - 8) {
        throw fault(what, "length %s of its external data is too large", place.length());
      }
      data = ByteBuffer.allocate((int) place.length());
      channel.position(place.offset());
      while (data.hasRemaining() && channel.read(data) >= 0) {
        continue;
      }
    } catch (IOException failure) {
      throw InputFiles.unreadable(place.path(), failure);
    }
    return tensor.toBuilder()
        .clearExternalData()
        .clearDataLocation()
        .setRawData(ByteString.copyFrom(data.array()))
        .build();
  }

  /** The integers of a tensor that holds its data; null when it holds none or is no such tensor. */
  static List<Long> integers(TensorProto tensor) {
    boolean wide = OnnxTypes.of(tensor.getDataType()) == ElementType.I64;
    if (external(tensor) || (!wide && OnnxTypes.of(tensor.getDataType()) != ElementType.I32)) {
      return null;
    }
    if (tensor.hasRawData()) {
      return wide
          ? raw(tensor, Long.BYTES, ByteBuffer::getLong)
          : raw(tensor, Integer.BYTES, data -> (long) data.getInt());
    }
    return wide
        ? tensor.getInt64DataList()
        : tensor.getInt32DataList().stream().map(Integer::longValue).toList();
  }

  /** The floats of a tensor that holds its data; null when it holds none or is no such tensor. */
  static List<Double> floats(TensorProto tensor) {
    if (external(tensor) || OnnxTypes.of(tensor.getDataType()) != ElementType.F32) {
      return null;
    }
    return tensor.hasRawData()
        ? raw(tensor, Float.BYTES, data -> (double) data.getFloat())
        : tensor.getFloatDataList().stream().map(Float::doubleValue).toList();
  }

  private static <T> List<T> raw(TensorProto tensor, int bytes, Function<ByteBuffer, T> next) {
    ByteBuffer data = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int count = data.remaining() / bytes;
    return IntStream.range(0, count).mapToObj(k -> next.apply(data)).toList();
  }
}
