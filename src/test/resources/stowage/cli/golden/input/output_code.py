# AOT ID: ['0_inference']
from torch._inductor.async_compile import AsyncCompile
triton_make_0 = async_compile.triton('triton_make_0', '''
@triton.jit
def triton_make_0(in_ptr0, out_ptr0, xnumel, XBLOCK : tl.constexpr):
    pass
''', device_str='cuda')
triton_change_1 = async_compile.triton('triton_change_1', '''
@triton.jit
def triton_change_1(in_out_ptr0, in_ptr0, xnumel, XBLOCK : tl.constexpr):
    pass
''', device_str='cuda')
cpp_make_2 = async_compile.cpp_pybinding(['const float*', 'float*'], '''
#include <cmath>
extern "C" void kernel(const float* in_ptr0,
                       float* out_ptr0)
{
}
''')

def call(args):
    x, w = args
    args.clear()
    assert_size_stride(x, (4, 8), (8, 1))
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        buf0 = empty_strided_cuda((4, 16), (16, 1), torch.float32)
        # Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]
        extern_kernels.mm(x, w, out=buf0)
        del w
        buf1 = buf0; del buf0  # reuse
        stream0 = get_raw_stream(0)
        triton_change_1.run(buf1, x, 64, grid=grid(64), stream=stream0)
        buf2 = extern_kernels.convolution(buf1, x, stride=(1,), bias=None)
        assert_size_stride(buf2, (4, 16), (16, 1))
        buf3 = buf1; del buf1  # reuse
        triton_make_0[grid(64)](buf2, buf3, 64, stream=stream0)
        del buf2
        buf4 = empty_strided_cpu((4, 16), (16, 1), torch.float32)
        cpp_make_2(buf3, buf4)
    return (buf3, reinterpret_tensor(buf4, (64, ), (1, ), 0), )


def benchmark_compiled_module(times=10, repeat=10):
    from torch._dynamo.testing import rand_strided
    x = rand_strided((4, 8), (8, 1), device='cuda:0', dtype=torch.float32)
    w = rand_strided((8, 16), (16, 1), device='cuda:0', dtype=torch.float32)
    fn = lambda: call([x, w])
