package stowage.importer.inductor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.UniqueNames;
import stowage.network.Baseline;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * The function {@code call} of a wrapper that PyTorch Inductor generates, line by line.
 *
 * <p>Every allocation is a <em>storage</em>: {@code empty_strided_*}, what an external kernel
 * returns, a piece of a pool ({@code alloc_from_pool}), a graph input. A name is a storage, and
 * {@code b = a; del a # reuse} gives it another one. A tensor of the network is what a kernel
 * writes into a storage; where a storage is written again ({@code out_ptr}), that is the next
 * tensor in the same place. A kernel that changes its argument ({@code in_out_ptr}), and one that
 * writes a part of a storage through {@code reinterpret_tensor} while its name is in use, write to
 * the tensor that is there: it is read, and a mark of no bytes keeps later readers behind.
 *
 * <p>The plan that the code carries is where its storages are: pools as they are, all end to end.
 */
final class WrapperCode {
  private static final Pattern EMPTY = Pattern.compile("empty_strided(?:_(\\w+))?\\((.*)\\)");
  private static final Pattern PIECE = Pattern.compile("alloc_from_pool\\((\\w+),(.*)\\)");
  private static final Pattern VIEW =
      Pattern.compile("(?:reinterpret_tensor|as_strided)\\((\\w+),.*\\)");
  private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+) = (.*)");
  private static final Pattern CALL = Pattern.compile("([\\w.]+?)(?:\\.run|\\[.*?\\])?\\((.*)\\)");
  private static final Pattern PICK = Pattern.compile("(\\w+)\\[(\\d+)\\]");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern GUARD =
      Pattern.compile("with torch\\.(\\w+)\\._DeviceGuard\\((\\d+)\\).*");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?m)^\\h+(\\w++) = rand_strided\\((.*), device='([^']*)', dtype=torch\\.(\\w+)\\)");
  private static final Map<String, ElementType> TYPES =
      ElementType.words(
          """
          float64=F64 double=F64 float32=F32 float=F32 float16=F16 half=F16 bfloat16=BF16 int64=I64
          long=I64 uint64=U64 int32=I32 int=I32 uint32=U32 int16=I16 uint16=U16 int8=I8 uint8=U8
          bool=BOOL complex64=C64 complex128=C128
          """);
  private static final long ALIGNMENT = 64;
  private static final String MARK = "#written";

  private final Path file;
  private final Map<String, Long> dimensions;
  private final KernelSignatures kernels;
  private final Map<String, Sample> samples = new HashMap<>();
  private final Map<String, Storage> storages = new LinkedHashMap<>();
  private final List<Storage> all = new ArrayList<>();
  private final Set<String> picked = new HashSet<>();
  private final Set<String> pieces = new LinkedHashSet<>();
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, Storage> storageOf = new LinkedHashMap<>();
  private final List<Draft> ops = new ArrayList<>();
  private final UniqueNames opNames = new UniqueNames();
  private final UniqueNames tensorNames = new UniqueNames();
  private final Set<String> free = new TreeSet<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private String guard = "";
  private int line;

  /** An argument as the file's own benchmark makes it. */
  private record Sample(String shape, String device, String type) {}

  /** An op whose results may not be known yet. */
  record Draft(String name, String type, String device, Set<String> reads, List<String> makes) {}

  WrapperCode(Path file, String text, Map<String, Long> dimensions) {
    this.file = file;
    this.dimensions = dimensions;
    this.kernels = new KernelSignatures(text);
    Matcher sample = SAMPLE.matcher(text);
    while (sample.find()) {
      samples.put(sample.group(1), new Sample(sample.group(2), sample.group(3), sample.group(4)));
    }
  }

  /** Reads the function's lines, of which {@code first} is the first one's number in the file. */
  Input.Graph read(List<String> lines, int first, String name) {
    for (int k = 0; k < lines.size(); k++) {
      line = first + k;
      String code = lines.get(k).strip();
      int comment = code.indexOf("  #");
      code = comment >= 0 ? code.substring(0, comment).strip() : code;
      if (!code.isEmpty() && !code.startsWith("#")) {
        statement(code);
      }
    }
    if (!free.isEmpty()) {
      throw new InputException(
          file,
          "",
          "leaves the dimensions " + String.join(", ", free) + " free; --dim NAME=VALUE binds one");
    }
    return graph(name);
  }

  private void statement(String code) {
    Matcher guarded = GUARD.matcher(code);
    if (guarded.matches()) {
      guard = guarded.group(1) + ":" + guarded.group(2);
    } else if (code.endsWith("= args")) {
      PythonSizes.split(code.substring(0, code.length() - "= args".length()).strip())
          .forEach(this::input);
    } else if (code.startsWith("assert_size_stride(")) {
      List<String> parts = arguments(code);
      Storage storage = parts.isEmpty() ? null : storages.get(parts.get(0));
      if (storage != null && parts.size() >= 3 && storage.bytes < 0) {
        storage.bytes = bytes(parts.get(1), parts.get(2), storage.type);
      }
    } else if (code.startsWith("del ")) {
      return;
    } else if (code.startsWith("return ")) {
      returned(code.substring("return ".length()));
    } else {
      int next = code.indexOf("; del ");
      Matcher assignment = ASSIGNMENT.matcher(next < 0 ? code : code.substring(0, next));
      if (assignment.matches()) {
        assigned(assignment.group(1), assignment.group(2), next >= 0);
      } else {
        call(code, null);
      }
    }
  }

  private void input(String name) {
    Sample sample = samples.get(name);
    if (sample == null) {
      return; // a number, such as a free dimension
    }
    Storage storage = new Storage(name, sample.device(), type(sample.type()));
    List<String> shape = PythonSizes.split(sample.shape());
    if (shape.size() < 2) {
      throw fault("the sample of " + name + " should give a shape and strides");
    }
    storage.bytes = bytes(shape.get(0), shape.get(1), storage.type);
    storage.tensor = tensorNames.of(name);
    storageOf.put(storage.tensor, storage);
    storages.put(name, storage);
    all.add(storage);
    inputs.add(storage.tensor);
  }

  private void assigned(String name, String value, boolean moved) {
    Matcher empty = EMPTY.matcher(value);
    Matcher piece = PIECE.matcher(value);
    Matcher view = VIEW.matcher(value);
    Matcher pick = PICK.matcher(value);
    if (empty.matches()) {
      allocated(name, empty.group(1), PythonSizes.split(empty.group(2)));
    } else if (piece.matches()) {
      fromPool(name, piece.group(1), PythonSizes.split(piece.group(2)));
    } else if (view.matches() && storages.containsKey(view.group(1))) {
      storages.put(name, storages.get(view.group(1)));
      if (!moved || pieces.contains(view.group(1))) {
        pieces.add(name);
      }
    } else if (storages.containsKey(value)) {
      storages.put(name, storages.get(value));
      if (pieces.contains(value)) {
        pieces.add(name);
      }
    } else if (pick.matches() && storages.containsKey(pick.group(1))) {
      Storage whole = storages.get(pick.group(1));
      result(name, whole.maker, whole.type, whole.device);
      picked.add(pick.group(1));
    } else if (value.contains("(") && !value.startsWith("get_raw_stream")) {
      call(value, name);
    }
  }

  private void allocated(String name, String device, List<String> parts) {
    String type = null;
    String where = device;
    for (String part : parts) {
      if (part.startsWith("device='")) {
        where = part.replace("device=", "").replace("'", "");
      } else if (part.contains("torch.")) {
        type = part.substring(part.indexOf("torch.") + "torch.".length());
      }
    }
    if (parts.size() < 3 || type == null) {
      throw fault(
          "should give a shape, strides and a type: empty_strided_cuda((4, 8), (8, 1), ..)");
    }
    Storage storage = new Storage(name, place(where), type(type));
    storage.bytes = bytes(parts.get(0), parts.get(1), storage.type);
    storages.put(name, storage);
    all.add(storage);
  }

  /** A device with its number where a guard says it. */
  private String place(String device) {
    return device == null ? guard : guard.startsWith(device + ":") ? guard : device;
  }

  private void fromPool(String name, String pool, List<String> parts) {
    Storage whole = storages.get(pool);
    if (whole == null || parts.size() < 4) {
      throw fault("should take an offset, a type, a shape and strides from a pool made before");
    }
    String type = parts.get(1).replace("torch.", "");
    Storage storage = new Storage(name, whole.device, type(type));
    storage.pool = whole;
    storage.offset = checked(() -> PythonSizes.of(parts.get(0), dimensions, free));
    storage.bytes = bytes(parts.get(2), parts.get(3), storage.type);
    storages.put(name, storage);
    all.add(storage);
  }

  private static List<String> arguments(String code) {
    int open = code.indexOf('(');
    return PythonSizes.split(code.substring(open + 1, Math.max(open + 1, code.lastIndexOf(')'))));
  }

  private void call(String code, String result) {
    Matcher call = CALL.matcher(code);
    if (!call.matches()) {
      return;
    }
    String kernel = call.group(1);
    List<String> arguments = PythonSizes.split(call.group(2));
    String own = kernel.substring(kernel.lastIndexOf('.') + 1);
    Set<String> reads = new LinkedHashSet<>();
    List<String> written = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    for (int k = 0; k < arguments.size(); k++) {
      boolean out = arguments.get(k).startsWith("out=");
      KernelSignatures.Use use = out ? KernelSignatures.Use.WRITTEN : kernels.of(own, k);
      for (String name : namesIn(arguments.get(k))) {
        Storage storage = storages.get(name);
        boolean first = storage.tensor == null;
        boolean piece = pieces.contains(name) || VIEW.matcher(arguments.get(k)).matches();
        if (use == KernelSignatures.Use.WRITTEN && piece && !first) {
          changed.add(name);
        } else if (use == KernelSignatures.Use.WRITTEN
            || (first && use != KernelSignatures.Use.READ)) {
          written.add(name);
        } else if (use == KernelSignatures.Use.CHANGED) {
          changed.add(name);
        } else {
          read(storage, reads);
        }
      }
    }
    if (reads.isEmpty() && written.isEmpty() && changed.isEmpty() && result == null) {
      return; // nothing of the graph: a stream, a device, a benchmark
    }
    changed.forEach(name -> read(storages.get(name), reads));
    Draft draft = new Draft(opNames.of(own), kernel, guard, reads, new ArrayList<>());
    for (String name : written) {
      Storage storage = storages.get(name);
      storage.marks.clear();
      storage.tensor = tensorNames.of(pieces.contains(name) ? storage.name : name);
      storageOf.put(storage.tensor, storage);
      draft.makes().add(storage.tensor);
    }
    for (String name : changed) {
      Storage storage = storages.get(name);
      String mark = tensorNames.of(storage.tensor + MARK);
      storage.marks.add(mark);
      draft.makes().add(mark);
    }
    ops.add(draft);
    if (result != null) {
      Storage first = reads.isEmpty() ? null : storageOf.get(reads.iterator().next());
      result(
          result,
          draft,
          first == null ? ElementType.F32 : first.type,
          first == null ? guard : first.device);
    }
  }

  private void read(Storage storage, Set<String> reads) {
    if (storage.tensor != null) {
      reads.add(storage.tensor);
      reads.addAll(storage.marks);
    }
  }

  /** What comes out of a call: memory that the call allocates. */
  private void result(String name, Draft maker, ElementType type, String device) {
    Storage storage = new Storage(name, device, type);
    storage.maker = maker;
    storage.tensor = tensorNames.of(name);
    storageOf.put(storage.tensor, storage);
    maker.makes().add(storage.tensor);
    storages.put(name, storage);
    all.add(storage);
  }

  private List<String> namesIn(String argument) {
    List<String> names = new ArrayList<>();
    Matcher name = NAME.matcher(argument);
    while (name.find()) {
      boolean keyword =
          name.end() < argument.length() && argument.charAt(name.end()) == '=' && name.start() == 0;
      if (!keyword && storages.containsKey(name.group()) && !names.contains(name.group())) {
        names.add(name.group());
      }
    }
    return names;
  }

  private void returned(String values) {
    for (String name : namesIn(values)) {
      Storage storage = storages.get(name);
      if (storage.tensor != null && !outputs.contains(storage.tensor)) {
        outputs.add(storage.tensor);
      }
    }
  }

  private Input.Graph graph(String name) {
    for (Map.Entry<String, Storage> entry : storageOf.entrySet()) {
      Storage storage = entry.getValue();
      if (storage.bytes < 0 && !picked.contains(storage.name)) {
        throw new InputException(
            file,
            "buffer \"" + storage.name + "\"",
            "has no size; assert_size_stride should give one after the call that makes it");
      }
      long width = Math.max(8, storage.type.bits()) / 8;
      long bytes = Math.max(0, storage.bytes);
      boolean whole = bytes % width == 0;
      tensor(entry.getKey(), whole ? bytes / width : bytes, whole ? storage.type : ElementType.U8);
    }
    List<Op> finished = new ArrayList<>();
    for (Draft draft : ops) {
      draft.makes().stream()
          .filter(made -> !tensors.containsKey(made))
          .forEach(made -> tensor(made, 0, ElementType.U8));
      String device = deviceOf(draft);
      Map<String, Object> attributes = device.isEmpty() ? Map.of() : Map.of("device", device);
      List<String> reads = List.copyOf(draft.reads());
      finished.add(new Op(draft.name(), draft.type(), attributes, reads, draft.makes(), 0));
    }
    Network network =
        new Network(
            name,
            "inductor",
            tensors.values(),
            finished,
            inputs,
            outputs,
            List.of("allocations of the wrapper's own plan are laid end to end"));
    return new Input.Graph(network, Optional.of(plan()));
  }

  private void tensor(String name, long elements, ElementType type) {
    tensors.put(name, new Tensor(name, List.of(elements), type, Tensor.Kind.ACTIVATION));
  }

  private String deviceOf(Draft draft) {
    for (String made : draft.makes()) {
      Storage storage = storageOf.get(made);
      if (storage != null && !storage.device.isEmpty()) {
        return storage.device;
      }
    }
    return draft.device();
  }

  /** Where the storages are, all end to end; pools with the pieces that they have. */
  private Baseline plan() {
    Set<Storage> pools = all.stream().map(storage -> storage.pool).collect(Collectors.toSet());
    Map<Storage, Long> starts = new LinkedHashMap<>();
    long end = 0;
    for (Storage storage : all) {
      if (storage.pool == null && (storage.tensor != null || pools.contains(storage))) {
        starts.put(storage, end);
        end = Math.addExact(end, roundedUp(Math.max(0, storage.bytes)));
      }
    }
    Map<String, Long> offsets = new LinkedHashMap<>();
    storageOf.forEach(
        (tensor, storage) ->
            offsets.put(
                tensor,
                storage.pool == null
                    ? starts.get(storage)
                    : starts.get(storage.pool) + storage.offset));
    return new Baseline("PyTorch Inductor", offsets, end, 1, false);
  }

  private static long roundedUp(long bytes) {
    return Math.multiplyExact(Math.addExact(bytes, ALIGNMENT - 1) / ALIGNMENT, ALIGNMENT);
  }

  /** Bytes from the first to the last element. */
  private long bytes(String shape, String strides, ElementType type) {
    return checked(
        () ->
            Math.multiplyExact(
                PythonSizes.elements(shape, strides, dimensions, free),
                Math.max(8, type.bits()) / 8));
  }

  private long checked(LongSupplier number) {
    try {
      return number.getAsLong();
    } catch (ArithmeticException none) {
      throw fault(none.getMessage());
    }
  }

  private ElementType type(String name) {
    ElementType type = name.startsWith("float8") ? ElementType.F8 : TYPES.get(name);
    if (type == null) {
      throw fault("type torch." + name + " is not known");
    }
    return type;
  }

  private InputException fault(String what, Object... arguments) {
    return InputException.atLine(file, line, what, arguments);
  }
}
