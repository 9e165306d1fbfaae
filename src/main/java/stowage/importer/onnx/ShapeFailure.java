package stowage.importer.onnx;

/** Says why ONNX Runtime gave no shapes. */
final class ShapeFailure extends Exception {
  private static final long serialVersionUID = 1L;

  ShapeFailure(String message) {
    super(message);
  }
}
