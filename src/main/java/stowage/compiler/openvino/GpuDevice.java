package stowage.compiler.openvino;

/**
 * What the plugin knows of a device.
 *
 * @param sharedMemory whether it has unified shared memory; without it all is {@code cl_mem}
 * @param globalBytes memory of the device (CL_DEVICE_GLOBAL_MEM_SIZE)
 * @param largestAllocation bytes that one allocation may have (CL_DEVICE_MAX_MEM_ALLOC_SIZE)
 * @param kernelSum what of a kernel must fit into the device's memory together
 * @param passes which passes keep nodes apart
 * @param lockable where goes what the host reads or writes too: {@link AllocationType#USM_HOST}, or
 *     {@link AllocationType#USM_SHARED} where the device reports it
 */
public record GpuDevice(
    boolean sharedMemory,
    long globalBytes,
    long largestAllocation,
    KernelSum kernelSum,
    Passes passes,
    AllocationType lockable) {

  /** Which passes are run: the code's all, or those alone that the queue needs. */
  public enum Passes {
    /** All three, as the plugin's code runs them. */
    ALL,
    /** Basic and skipped branch, for a queue that runs ops in order. */
    IN_ORDER,
    /** Basic and out of order, for a queue that may run ops side by side. */
    OUT_OF_ORDER
  }

  /** What of a kernel counts against the device's memory; what exceeds it goes to the host. */
  public enum KernelSum {
    /** Its operands and results, as the plugin's documentation says. */
    INPUTS_AND_OUTPUTS,
    /** Its operands alone, which is all that the plugin's code adds up. */
    INPUTS
  }

  public GpuDevice {
    if (globalBytes < 0 || largestAllocation < 0) {
      throw new IllegalArgumentException(
          "a device of %s bytes with allocations of up to %s; both should be 0 or more"
              .formatted(globalBytes, largestAllocation));
    }
    if (lockable != AllocationType.USM_HOST && lockable != AllocationType.USM_SHARED) {
      throw new IllegalArgumentException("the host cannot read " + lockable.label());
    }
  }

  /** A device with shared memory and without limits. */
  public static GpuDevice unlimited() {
    long any = Long.MAX_VALUE;
    KernelSum sum = KernelSum.INPUTS_AND_OUTPUTS;
    return new GpuDevice(true, any, any, sum, Passes.ALL, AllocationType.USM_HOST);
  }
}
