package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.Set;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;

/**
 * OpenVINO's IR as networks: the XML file alone, versions 1 to 7 with weights as blobs and
 * precision on the layer, 10 and 11 with constants as layers. The weights' file ({@code .bin}) is
 * not needed.
 */
public final class OpenVinoFormat extends InputFormat {
  public OpenVinoFormat() {
    super("a network as OpenVINO IR", Set.of(Feature.DIMENSIONS), ".xml");
  }

  @Override
  public Input.Graph read(Path file, Options options) {
    IrReader reader = new IrReader(file);
    IrGraph graph = reader.read();
    String name = reader.name().isEmpty() ? InputFiles.stem(file) : reader.name();
    return new Input.Graph(new IrLayout(file, options.dimensions()).network(name, graph));
  }
}
