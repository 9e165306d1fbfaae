package stowage.compiler.openvino;

import java.util.Locale;

/** Where OpenVINO's GPU plugin puts an allocation. */
public enum AllocationType {
  /** OpenCL's own memory objects, where there is no unified shared memory. */
  CL_MEM,
  /** In the host's memory, read by the device in place. */
  USM_HOST,
  /** Moved between host and device as needed; the plugin of today reports it as unsupported. */
  USM_SHARED,
  /** In the device's memory. */
  USM_DEVICE;

  /** The name in the plugin's log, such as {@code usm_device}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
