"""The kernels of a program that XLA has optimized, with the bytes that each moves and the functions that it computes."""

import math

from course_utils.frameworks.xla_product_flops import most_product_flops
from course_utils.frameworks.xla_program import Kernel, kernels_in, label_of

PROGRAM = """HloModule a_inference_f_1, is_scheduled=true

%sum-reduction.1 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %add.2 = f32[] add(%a, %b)
}

%fused_computation (param_0: f32[8,1000], param_1: f32[8]) -> f32[8,1000] {
  %param_1 = f32[8]{0} parameter(1)
  %param_0 = f32[8,1000]{1,0} parameter(0)
  %spread = f32[8,1000]{1,0} broadcast(%param_1), dimensions={0}
  %minus = f32[8,1000]{1,0} subtract(%param_0, %spread)
  ROOT %exp.1 = f32[8,1000]{1,0} exponential(%minus), metadata={op_name="exp"}
}

%fused_computation.1 (table: f32[50,1000], rows: s32[8]) -> f32[8,1000] {
  %table = f32[50,1000]{1,0} parameter(0)
  %rows = s32[8]{0} parameter(1)
  ROOT %picked = f32[8,1000]{1,0} gather(%table, %rows), offset_dims={1}
}

ENTRY %a_inference_f_1 (x: f32[50,1000], rows: s32[8], low: f32[8]) -> (f32[8], pred[8]) {
  %x = f32[50,1000]{1,0} parameter(0)
  %rows.1 = s32[8]{0} parameter(1)
  %low = f32[8]{0} parameter(2)
  %zero = f32[] constant(0)
  %gather_fusion = f32[8,1000]{1,0} fusion(%x, %rows.1), kind=kLoop, calls=%fused_computation.1
  %subtract_exponential_fusion.2 = f32[8,1000]{1,0} fusion(%gather_fusion, %low), kind=kLoop, calls=%fused_computation
  %wrapped_reduce = f32[8]{0} reduce(%subtract_exponential_fusion.2, %zero), dimensions={1}, to_apply=%sum-reduction.1
  %check = pred[8]{0} compare(%wrapped_reduce, %low), direction=GT
  ROOT %result = (f32[8]{0}, pred[8]{0}) tuple(%wrapped_reduce, %check)
}
"""


def test_each_kernel_has_the_bytes_of_its_operands_and_its_result():
    kernels = {each.name: each for each in kernels_in(PROGRAM)}
    assert kernels["fused subtract_exponential"] == Kernel(
        "fused subtract_exponential", 32_032, 32_000, ("exp",), False
    )
    assert kernels["wrapped_reduce"][1:3] == (32_004, 32)
    assert kernels["check"][1:3] == (64, 8), "a truth value has one byte"


def test_a_gather_reads_what_it_picks():
    kernels = {each.name: each for each in kernels_in(PROGRAM)}
    assert kernels["fused gather"] == Kernel("fused gather", 32_032, 32_000, (), True)


def test_neither_the_inside_of_a_kernel_nor_a_tuple_is_a_kernel():
    assert len(kernels_in(PROGRAM)) == 4
    assert kernels_in("no program at all") == []


def test_a_kernel_has_the_label_of_all_its_numbered_copies():
    assert label_of("subtract_exponential_fusion.2.clone") == label_of("subtract_exponential_fusion.2.clone")
    assert {label_of("add_fusion"), label_of("add_fusion.3"), label_of("add_fusion.1.2")} == {"fused add"}


PRODUCTS = """HloModule products

%body (state: f32[8,8]) -> f32[8,8] {
  %state = f32[8,8]{1,0} parameter(0)
  ROOT %square = f32[8,8]{1,0} dot(%state, %state), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

%fused_computation (param_0: f32[4,8,8]) -> f32[4,8,8] {
  %param_0 = f32[4,8,8]{2,1,0} parameter(0)
  ROOT %dot.1 = f32[4,8,8]{2,1,0} dot(%param_0, %param_0), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
}

ENTRY %main (x: f32[8,8], batch: f32[4,8,8], images: f32[2,9,9,3], weights: f32[3,3,3,5]) -> f32[2,9,9,5] {
  %x = f32[8,8]{1,0} parameter(0)
  %batch = f32[4,8,8]{2,1,0} parameter(1)
  %images = f32[2,9,9,3]{3,2,1,0} parameter(2)
  %weights = f32[3,3,3,5]{3,2,1,0} parameter(3)
  %loop = f32[8,8]{1,0} while(%x), condition=%test, body=%body, backend_config={"known_trip_count":{"n":"7"}}
  %dot_fusion = f32[4,8,8]{2,1,0} fusion(%batch), kind=kLoop, calls=%fused_computation
  ROOT %conv = f32[2,9,9,5]{3,2,1,0} convolution(%images, %weights), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
}
"""


def test_the_flops_of_products_include_fused_ones_and_each_iteration_of_a_loop():
    products = 7 * 2 * 8**3 + 4 * 2 * 8**3
    assert most_product_flops(PRODUCTS) == products + 2 * (2 * 9 * 9 * 5) * (3 * 3 * 3)


def test_the_flops_of_a_program_that_does_not_show_them_are_unlimited():
    assert most_product_flops(PRODUCTS.replace("known_trip_count", "count")) == math.inf
    assert most_product_flops("no program at all") == math.inf
    library = '  %call = f32[8,8]{1,0} custom-call(%x), custom_call_target="__onednn$matmul"\n  ROOT %conv'
    assert most_product_flops(PRODUCTS.replace("  ROOT %conv", library)) == math.inf
