#loc = loc(unknown)
module @small attributes {module.chip = "bm1684x", module.name = "small"} {
  module @small attributes {module.coeff_addr = 0 : i64, module.coeff_size = 8192 : i64, module.neuron_addr = 8192 : i64, module.neuron_size = 16384 : i64} {
    func.func @main(%arg0: tensor<1x4x8x8xf32> loc(unknown)) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) {
      %0 = "top.Input"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32, 8192 : i64> loc(#loc1)
      %1:2 = call @subfunc_0(%0) : (tensor<1x4x8x8xf32, 8192 : i64>) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) loc(#loc)
      return %1#0, %1#1 : tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64> loc(#loc)
    } loc(#loc)
    func.func @subfunc_0(%arg0: tensor<1x4x8x8xf32, 8192 : i64> loc("in \C3\A4")) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64>) attributes {id = 0 : i64, mode = #tpu<run_mode TPU_STATIC>, next_index = array<i32: -1>} {
      %0 = "top.None"() : () -> none loc(#loc)
      %1 = "top.Weight"() : () -> tensor<32x4x3x3xf32, 0 : i64> loc(#loc2)
      // the group yields what both ops computed
      %2:2 = "tpu.Group"(%arg0) ({
        %9 = "tpu.Load"(%arg0) {ginfo = #tpu.lg<out_addr = 0, out_size = 256, buffer_addr = 0, buffer_size = 0, eu_align = true, h_idx = [0, 4], h_slice = [5, 4], id = 0, stage = 0>} : (tensor<1x4x8x8xf32, 8192 : i64>) -> tensor<1x4x8x8xf32> loc(#loc4)
        %10 = "tpu.Load"(%1) {ginfo = #tpu.lg<out_addr = 2048, out_size = 144, buffer_addr = 0, buffer_size = 0, eu_align = false, id = 1, stage = 0>} : (tensor<32x4x3x3xf32, 0 : i64>) -> tensor<32x4x3x3xf32> loc(#loc4)
        %11 = "tpu.Conv2D"(%9, %10, %0) {ginfo = #tpu.lg<out_addr = 256, out_size = 16, buffer_addr = 1024, buffer_size = 77, eu_align = true, id = 2, stage = 1>, kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [4, 4]} : (tensor<1x4x8x8xf32>, tensor<32x4x3x3xf32>, none) -> tensor<1x32x2x2xf32> loc(#loc3)
        %12 = "tpu.Store"(%11, %0) {ginfo = #tpu.lg<out_addr = 256, out_size = 16, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 3, stage = 2>} : (tensor<1x32x2x2xf32>, none) -> tensor<1x32x2x2xf32, 12288 : i64> loc(#loc3)
        %13 = "tpu.MaxPool2D"(%9) {ginfo = #tpu.lg<out_addr = 768, out_size = 64, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 4, stage = 1>, kernel_shape = [2, 2], pads = [0, 0, 0, 0], strides = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc(#loc5)
        %14 = "tpu.Store"(%13, %0) {ginfo = #tpu.lg<out_addr = 768, out_size = 64, buffer_addr = 0, buffer_size = 0, eu_align = true, id = 5, stage = 2>} : (tensor<1x4x4x4xf32>, none) -> tensor<1x4x4x4xf32, 16384 : i64> loc(#loc5)
        "tpu.Yield"(%12, %14) : (tensor<1x32x2x2xf32, 12288 : i64>, tensor<1x4x4x4xf32, 16384 : i64>) -> () loc(#loc6)
      }) {flow = [-1, 3, -2, 2, 5, -3, 4, -4, 0, 1], hsecs = 2 : i64, nsecs = 1 : i64, swpipl_stage_num = 3 : i64} : (tensor<1x4x8x8xf32, 8192 : i64>) -> (tensor<1x32x2x2xf32, 12288 : i64>, tensor<1x4x4x4xf32, 16384 : i64>) loc(#loc6)
      %3 = "tpu.Reshape"(%2#1) {shape = [64], scale = -1.5e-1 : f64, "odd key" = dense<[1, 2]> : tensor<2xi64>} : (tensor<1x4x4x4xf32, 16384 : i64>) -> tensor<64xf32, 16384 : i64> loc(#loc7)
      return %2#0, %3 : tensor<1x32x2x2xf32, 12288 : i64>, tensor<64xf32, 16384 : i64> loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("in \C3\A4")
#loc2 = loc("filter")
#loc3 = loc("conv")
#loc4 = loc("load")
#loc5 = loc("part")
#loc6 = loc(fused[#loc3, #loc5])
#loc7 = loc("flat")
