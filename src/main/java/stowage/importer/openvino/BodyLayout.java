package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.network.ElementType;
import stowage.network.Tensor;

/**
 * Layout of the code inside of a TensorIterator, Loop or If before the layer itself: an op {@code
 * <type>.enter} that makes what goes into the code and what is collected turn by turn ({@code
 * #growing}); the code's layers, those of the second of two alternatives after an op {@code
 * <type>.call}; then the layer, which reads the code's results and, if it may run it repeatedly,
 * what went in.
 *
 * <p>Since version 10 Parameter and Result layers inside represent what goes in and comes out. In
 * older versions ports inside do: those without an edge take what the port map or a back edge
 * brings, and outputs that the port map or a back edge names are results.
 */
final class BodyLayout {
  private final IrLayout layout;
  private final Path file;
  private final IrGraph.Layer layer;
  private final List<IrValue> reads;
  private final Map<Integer, List<Long>> extents = new HashMap<>();
  private final Set<Integer> collected = new LinkedHashSet<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> alsoRead = new LinkedHashSet<>();

  /** Where a body's ops begin, and what goes into it. */
  private record Entry(int at, List<String> parameters) {}

  BodyLayout(IrLayout layout, Path file, IrGraph.Layer layer, List<IrValue> reads) {
    this.layout = layout;
    this.file = file;
    this.layer = layer;
    this.reads = reads;
  }

  /** Lays out the layers of all bodies; {@code names} are what the layer reads. */
  void layOut(List<String> names) {
    boolean once = layer.type().equals("If");
    for (IrGraph.Body body : layer.bodies()) {
      IrScope scope = new IrScope(file, body.graph());
      int at = layout.ops.size();
      List<String> parameters = new ArrayList<>(enter(body, scope));
      layout.layOut(scope);
      leave(body, scope);
      parameters.addAll(scope.given);
      entries.add(new Entry(at, parameters));
      alsoRead.addAll(scope.results);
      if (!once) {
        alsoRead.addAll(parameters);
      }
    }
    alsoRead.removeAll(names);
  }

  /** The extents of the layer's output, as far as the code says; null when it does not at all. */
  List<Long> extents(int port) {
    return extents.get(port);
  }

  /** Adds the ops that enter the code, by what the layer reads and makes; gives what it reads. */
  Set<String> finish(List<String> names, Map<Integer, IrValue> made) {
    List<String> growing = new ArrayList<>();
    for (int port : collected) {
      IrValue whole = made.get(port);
      if (whole != null) {
        Tensor like = whole.tensor();
        String name = like.name() + "#growing";
        growing.add(layout.name(layout.activation(name, like.shape(), like.type(), whole.known())));
      }
    }
    for (int k = entries.size() - 1; k >= 0; k--) {
      List<String> entered = new ArrayList<>(entries.get(k).parameters());
      if (k == 0) {
        entered.addAll(growing);
      }
      boolean alternative = layer.type().equals("If");
      if (alternative || !entered.isEmpty()) {
        String kind = alternative && k > 0 ? ".call" : ".enter";
        String name = layer.label() + kind;
        layout.addOp(name, layer.type() + kind, Map.of(), names, entered, entries.get(k).at());
      }
    }
    alsoRead.addAll(growing);
    return alsoRead;
  }

  /** Prepares what goes into a body; gives the names of what ports inside take. */
  private List<String> enter(IrGraph.Body body, IrScope scope) {
    List<String> parameters = new ArrayList<>();
    Map<IrScope.Place, IrGraph.Mapping> places = new HashMap<>();
    for (IrGraph.Mapping input : body.inputs()) {
      IrGraph.Layer inner = inner(scope, input.layer());
      List<Long> outer = outer(input);
      if (inner.inputs().isEmpty()) {
        if (outer != null) {
          scope.around.put(inner.id(), outer);
        }
      } else if (places.put(new IrScope.Place(inner.id(), input.port()), input) == null) {
        parameters.add(feed(scope, inner, input.port(), outer, input));
      }
    }
    for (IrGraph.Edge edge : body.backEdges()) {
      IrGraph.Layer inner = inner(scope, edge.toLayer());
      IrScope.Place place = new IrScope.Place(inner.id(), edge.toPort());
      boolean missing =
          !inner.inputs().isEmpty()
              && !places.containsKey(place)
              && !scope.hasEdge(inner.id(), edge.toPort());
      if (missing) {
        places.put(place, null);
        parameters.add(feed(scope, inner, edge.toPort(), null, null));
      }
    }
    return parameters;
  }

  /** A tensor for a port inside that has no edge. */
  private String feed(
      IrScope scope, IrGraph.Layer inner, int port, List<Long> outer, IrGraph.Mapping input) {
    IrGraph.Port found =
        inner.inputs().stream()
            .filter(candidate -> candidate.id() == port)
            .findFirst()
            .orElse(null);
    if (found == null || scope.hasEdge(inner.id(), port)) {
      String what = "its code's layer \"%s\" has no free input port %s, which the port map names";
      throw fault(what, inner.name(), port);
    }
    List<Long> shape = new ArrayList<>(found.dims());
    boolean known = true;
    for (int axis = 0; axis < shape.size(); axis++) {
      if (shape.get(axis) < 0) {
        boolean given = outer != null && outer.size() == shape.size() && outer.get(axis) >= 0;
        shape.set(axis, given ? outer.get(axis) : 1L);
        known &= given;
      }
    }
    if (!known && (input == null || external(input) == null || external(input).known())) {
      throw fault(
          ("input port %s of its code's layer \"%s\" has shape %s, whose extents should be"
                  + " known")
              .formatted(port, inner.name(), found.dims()));
    }
    IrValue source = input == null ? null : external(input);
    ElementType type = source == null ? null : source.tensor().type();
    if (type == null) {
      type = IrGraph.type(inner.precision().isEmpty() ? layer.precision() : inner.precision());
    }
    IrValue value =
        layout.activation(
            layer.label() + "/" + inner.label() + "." + port,
            shape,
            type == null ? ElementType.F32 : type,
            known);
    scope.feed(inner.id(), port, value);
    return layout.name(value);
  }

  /** Collects what comes out of a body, and what that describes the layer's outputs. */
  private void leave(IrGraph.Body body, IrScope scope) {
    for (IrGraph.Mapping output : body.outputs()) {
      IrGraph.Layer inner = inner(scope, output.layer());
      IrValue value = comingOut(scope, inner, output.port());
      if (value == null) {
        throw fault("its code has no output port %s of \"%s\"", output.port(), inner.name());
      }
      scope.results.addAll(layout.read(value).subList(0, 1));
      if (output.isSliced()) {
        collected.add(output.externalPort());
      }
      List<Long> shape = new ArrayList<>(value.tensor().shape());
      if (value.known() && output.isSliced() && output.axis() < shape.size()) {
        long turns = turns(body);
        shape.set(output.axis(), turns < 0 ? IrGraph.OPEN : turns * shape.get(output.axis()));
      }
      if (value.known()) {
        extents.putIfAbsent(output.externalPort(), shape);
      }
    }
    for (IrGraph.Edge edge : body.backEdges()) {
      IrValue value = comingOut(scope, inner(scope, edge.fromLayer()), edge.fromPort());
      if (value != null && !value.constant()) {
        scope.results.add(layout.name(value));
      }
    }
  }

  private static IrValue comingOut(IrScope scope, IrGraph.Layer inner, int port) {
    return inner.type().equals("Result")
        ? scope.reads(inner).get(0)
        : scope.value(inner.id(), port);
  }

  /** How often the code runs, by the inputs it takes apart; -1 when that is not known. */
  private long turns(IrGraph.Body body) {
    for (IrGraph.Mapping input : body.inputs()) {
      IrValue whole = external(input);
      if (input.isSliced() && whole != null && input.axis() < whole.tensor().rank()) {
        return whole.known() ? whole.tensor().extent(input.axis()) / Math.max(1, input.part()) : -1;
      }
    }
    return -1;
  }

  /** The extents of what goes into the code, one part of it where it is taken apart. */
  private List<Long> outer(IrGraph.Mapping input) {
    IrValue whole = external(input);
    if (whole == null) {
      return null;
    }
    List<Long> shape = new ArrayList<>(whole.tensor().shape());
    if (!whole.known()) {
      shape.replaceAll(extent -> IrGraph.OPEN);
    } else if (input.isSliced() && input.axis() < shape.size()) {
      shape.set(input.axis(), input.part());
    }
    return shape;
  }

  private IrValue external(IrGraph.Mapping input) {
    int k = layer.inputs().stream().map(IrGraph.Port::id).toList().indexOf(input.externalPort());
    return k < 0 ? null : reads.get(k);
  }

  private IrGraph.Layer inner(IrScope scope, int id) {
    IrGraph.Layer inner = scope.find(id);
    if (inner == null) {
      throw fault("its port map or a back edge names layer %s inside, which does not exist", id);
    }
    return inner;
  }

  private InputException fault(String what, Object... arguments) {
    return layer.fault(file, what, arguments);
  }
}
