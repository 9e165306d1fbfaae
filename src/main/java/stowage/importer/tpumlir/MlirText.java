package stowage.importer.tpumlir;

import java.util.List;
import java.util.Map;

/**
 * A parsed MLIR file.
 *
 * @param text the whole file
 * @param operations what is at its outermost level
 * @param locations the locations it defines by name, such as {@code #loc7}
 */
record MlirText(String text, List<MlirOperation> operations, Map<String, MlirLocation> locations) {

  /** The names in a location, one a result; fewer where the file says fewer. */
  List<String> names(MlirLocation location, int count) {
    return MlirLocation.names(location, locations, count);
  }
}
