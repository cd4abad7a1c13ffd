"""What kind of work an operation does and which memory it touches, by the names that torch and TensorFlow give it.

An operation on a list of tensors, an in-place operation and a gradient have the kind of the basic operation:

>>> kind_of("_foreach_mul_"), kind_of("AddV2"), kind_of("tanh_backward")
('cheap', 'cheap', 'math')
"""

from __future__ import annotations

from functools import cache

# Operations that read only the elements of their first argument that indices or a mask select.
_GATHERS = """
    index index_select gather embedding take take_along_dim gatherv2 gathernd resourcegather
"""
# Operations that check a mask element by element; the first one stands for ``x[mask]``, too.
_MASKED_GATHERS = "masked_select nonzero"
# Operations that write only the elements that indices select; the second group adds to these elements.
_SCATTERS = """
    index_put index_put_impl index_copy index_fill scatter scatternd tensorscatterupdate
"""
_ACCUMULATIONS = """
    index_add scatter_add scatter_reduce embedding_dense_backward tensorscatteradd unsortedsegmentsum resourcescatteradd
"""
_KINDS = {
    # Matrix products and convolutions, whose flops are counted.
    "product": """
        mm addmm bmm baddbmm mv addmv dot vdot convolution conv1d conv2d conv3d matmul batchmatmulv2 einsum conv2dbackpropinput
        conv2dbackpropfilter depthwiseconv2dnative scaled_dot_product_flash_attention_for_cpu
        scaled_dot_product_flash_attention scaled_dot_product_efficient_attention fusedmatmul fusedconv2d conv1d_backward
        conv3d_backward linear linear_pointwise convolution_pointwise packed_linear batchmatmul batchmatmulv3 conv3d
        depthwiseconv2dnativebackpropinput depthwiseconv2dnativebackpropfilter conv3dbackpropinputv2 conv3dbackpropfilterv2
        outer addr ger int_mm thnn_fused_lstm_cell transformer_encoder_layer_fwd native_multi_head_attention
    """,
    # These operations move bytes and compute nothing.
    "copy": """
        copy clone to_copy identity fill zero zeros ones full zeros_like zeroslike ones_like oneslike full_like new_zeros new_ones assignvariableop readvariableop
        new_full copyvariable cat concatv2 stack pack lift_fresh eye arange range empty empty_like new_empty cast
    """,
    # These operations move bytes in another order than they have in memory, and compute nothing.
    "reorder": """
        transpose reverse reversev2 reversesequence flip roll tile repeat repeat_interleave pad padv2 mirrorpad constant_pad_nd
        slice slice_scatter select_scatter stridedslice split splitv unpack broadcastto im2col extractimagepatches
        spacetodepth depthtospace spacetobatchnd batchtospacend matrixbandpart matrixdiagv3 onehot diag_embed
        stridedslicegrad tensorlistfromtensor tensorliststack tensorlistgather tensorlistconcatv2 tensorlistscatterv2 dynamicpartition
        dynamicstitch paralleldynamicstitch spacetobatch batchtospace matrixdiagpartv3 matrixsetdiagv3 concat sparsereshape
        sparseconcat sparsetodense
    """,
    # These operations move single values or rows by an index or a mask.
    "pick": f"{_GATHERS} {_SCATTERS} masked_scatter embedding_bag embedding_bag_forward_only",
    # These operations add values at positions that indices or overlapping windows select: only a trial shows whether
    # arithmetic or memory takes the time.
    "accumulate": f"{_ACCUMULATIONS} segmentsum sparse_mm sparse_addmm unfold_backward col2im",
    # One or two instructions per element: memory decides how long they take.
    "cheap": """
        add addv2 addn sub rsub mul div realdiv neg abs relu biasadd clamp clamp_min clamp_max clipbyvalue where select selectv2
        maximum minimum gt lt ge le eq ne greater greaterequal less lessequal equal notequal sum mean amax amin max min addcmul
        addcdiv lerp square sqrt sgn sign floor ceil round logical_and logical_or logical_not bitwise_and bitwise_or bitwise_not
        any all threshold masked_fill triu tril native_layer_norm native_group_norm native_batch_norm var_mean var std
        linalg_vector_norm norm nan_to_num isnan isinf isfinite aminmax prod nansum count_nonzero leaky_relu prelu hardtanh
        hardswish hardsigmoid softshrink hardshrink mse_loss smooth_l1_loss huber_loss nll_loss_forward squareddifference l2loss
        assignaddvariableop assignsubvariableop resourceapplygradientdescent resourceapplymomentum resourceapplyadam
        fmod remainder floordiv floormod mod divnonan floor_divide trunc frac fmax fmin logical_xor bitwise_xor sign relu6 leakyrelu
        batch_norm_legit fusedbatchnormv3 fused_rms_norm masked_select_backward l1_loss nll_loss2d_forward heaviside copysign
        nansum trace diagonal_copy isin cross linalg_cross logicaland logicalor logicalnot isnan adaptive_avg_pool1d
    """,
    # Many instructions per element: elementary functions, random numbers, decompositions, parsed text, recurrent layers.
    "math": """
        exp exp2 expm1 log log2 log10 log1p pow tanh sigmoid erf erfc erfinv gelu silu mish softplus elu softmax softmax_data
        log_softmax log_softmax_data logsoftmax log_sigmoid logsigmoid sin cos tan asin acos atan atan2 sinh cosh asinh acosh
        atanh sinc lgamma digamma polygamma i0 special_i0 special_i0e special_i1 special_i1e special_erfcx special_ndtri
        special_zeta igamma logsumexp logaddexp logit normal uniform random bernoulli exponential rand randn randint randperm rand_like randn_like
        randint_like multinomial native_dropout randomstandardnormal randomuniform statelessrandomnormalv2 statelessrandomuniformv2 fft_c2c
        fft_r2c fft_c2r linalg_svd linalg_qr linalg_eigh linalg_cholesky_ex linalg_inv_ex linalg_solve_ex linalg_lu_factor_ex
        softmaxcrossentropywithlogits sparsesoftmaxcrossentropywithlogits rsqrt polar angle hypot complex_abs complexabs rnn_layer xlogy special_ndtr
        special_log_ndtr special_entr cholesky_solve cholesky_inverse triangular_solve linalg_solve_triangular linalg_lu_solve
        linalg_householder_product linalg_lstsq linalg_eig linalg_matrix_exp geqrf ormqr stringsplitv2 stringtonumber
        stringjoin stringlower stringupper substr regexreplace staticregexreplace regexfullmatch decodecsv parseexamplev2 decodejpeg
        decodepng decoderaw stringtohashbucketfast linalg_det linalg_slogdet linalg_eigvals
        linalg_eigvalsh linalg_pinv linalg_cholesky log_sigmoid_forward binary_cross_entropy binary_cross_entropy_with_logits
        celu selu glu ctc_loss euclidean_dist cholesky matrixinverse matrixsolve matrixtriangularsolve matrixdeterminant selfadjointeigv2 svd qr lu
        fft ifft rfft irfft fft2d ifft2d rfft2d irfft2d randomuniformint randomshuffle statelessmultinomial truncatednormal
        statelesstruncatednormalv2 statelessrandomuniformintv2 sparse_softmax erfcinv ndtri igammac betainc xdivy xlog1py pdist_forward adjusthue adjustsaturation rgbtohsv hsvtorgb bincount
        decodeandcropjpeg decodeimage decodebmp decodegif encodejpeg encodepng decodewav parsesingleexample decodeprotov2 stft
        fft3d ifft3d rfft3d irfft3d selfadjointeig logmatrixdeterminant matrixexponential lrn ctclossv2 lstmblockcell blocklstm
        grublockcell batchfft erfinv besseli0e besseli1e invert statelessmultinomialv2 randomgammav3 randomstandardnormalv2
        standard_gamma sample_dirichlet poisson binomial geometric cauchy log_normal randompoissonv2 statelessrandombinomial
        statelessrandomgammav3 statelessrandompoisson
    """,
    "read": "local_scalar_dense",  # reads one value, as ``item`` does
    # These operations only mark a point for a profiler.
    "mark": "record_function_enter record_function_enter_new record_function_exit",
    # These operations compare or add values in sequence, so few of the processor's units work at once.
    "search": f"""
        {_MASKED_GATHERS} sort topk topkv2 argmax argmin argsort kthvalue median nanmedian mode unique unique2 unique_dim searchsorted bucketize
        cumsum cumprod cummax cummin logcumsumexp histc bincount cdist cdist_forward max_pool2d_with_indices avg_pool2d
        max_pool1d adaptive_avg_pool2d maxpool avgpool upsample_bilinear2d upsample_nearest2d grid_sampler_2d cummax_helper cummin_helper
        unique_consecutive uniquev2 densebincount histogram adaptive_max_pool2d max_pool3d_with_indices avg_pool3d
        upsample_bicubic2d upsample_linear1d upsample_nearest1d upsample_trilinear3d resizebilinear resizenearestneighbor
        resizebicubic avgpool3d maxpool3d intopkv2 sparse_segment segment_reduce segmentmax segmentmin segmentprod unsortedsegmentmax unsortedsegmentmin unsortedsegmentprod
        sparsesegmentsum sparsesegmentmean sparsesegmentsqrtn uniquewithcounts uniquewithcountsv2 resizearea cropandresize
        scaleandtranslate imageprojectivetransformv3 imageprojectivetransformv2 nonmaxsuppressionv3 nonmaxsuppressionv4
        nonmaxsuppressionv5 combinednonmaxsuppression sparsebincount raggedbincount lowerbound upperbound dilation2d
        adjustcontrastv2 nthelement lookuptablefindv2 listdiff sparsereorder sparsefillemptyrows sparsetensordensematmul
    """,
}
_KIND = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_SUFFIXES = ("_backward", "_backward_data", "_out", "grad")

FROM_HOST = ("tensor", "as_tensor", "asarray")
"""torch's functions that create a tensor from values in Python."""

SLICES = ("Slice", "StridedSlice", "BooleanMask")
"""TensorFlow's operations that read only a part of their first argument; torch's slices are views."""

CUTS = ("Unpack", "Split", "SplitV", "DynamicPartition")
"""TensorFlow's operations that return a list of pieces of their first argument, as ``tf.unstack`` does."""

SHARED_SLICE, SHARED_CUT = "SharedSlice", "SharedCut"
SHARED = dict.fromkeys(SLICES, SHARED_SLICE) | dict.fromkeys(CUTS, SHARED_CUT)
"""TensorFlow's operation → its name in a count if the pieces that it returns share the memory of the whole."""

SHAPE_READ = "Shape"
"""TensorFlow's operation that returns what is known of a tensor without its elements."""

VIEWS = (
    "Identity",
    "IdentityN",
    "Reshape",
    "ExpandDims",
    "Squeeze",
    "StopGradient",
    "ReadVariableOp",
    SHAPE_READ,
    SHARED_SLICE,
    SHARED_CUT,
)
"""TensorFlow's operations whose result shares the memory of their first argument, or that read no element."""

VARIABLE_GATHERS = "ResourceGather"
"""Prefix of TensorFlow's operations that read selected values of a variable."""

PART_ACCESSES = ("ResourceStridedSliceAssign", "ResourceScatter", VARIABLE_GATHERS)
"""Prefixes of TensorFlow's operations that read or write a part of a variable; later reads of the whole variable copy it."""

VARIABLE_UPDATES = ("Assign", "ResourceApply", "ResourceScatter")
"""Prefixes of TensorFlow's operations that write into a variable."""

PYTHON_IN_GRAPH = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
"""TensorFlow's operations that call a Python function."""

READS_PIPELINE = (
    "IteratorGetNext", "IteratorGetNextAsOptional", "IteratorGetNextSync", "DatasetToSingleElement", "ReduceDataset",
)  # fmt: skip
"""TensorFlow's operations that read a `tf.data` pipeline, whose functions run in threads of its own."""

HIDES_WORK = (*READS_PIPELINE, "RemoteCall", *PYTHON_IN_GRAPH)
"""Suffixes of TensorFlow's operations that run other code: a pipeline's functions, Python inside a graph."""

OVERWRITES = (
    "copy_", "fill_", "zero_", "normal_", "uniform_", "random_", "bernoulli_", "exponential_", "_foreach_copy_",
    "_foreach_zero_",
)  # fmt: skip
"""torch's in-place operations that don't read the tensor that they write."""

NO_TRAFFIC = (
    "empty",
    "empty_like",
    "empty_strided",
    "new_empty",
    "new_empty_strided",
    "lift_fresh",
    "_local_scalar_dense",
)
"""torch's operations that read and write next to nothing, even if they return new memory."""

FILLS = (
    "new_full", "new_zeros", "new_ones", "full_like", "zeros_like", "ones_like", "rand_like", "randn_like", "randint_like",
)  # fmt: skip
"""torch's operations that take only shape and dtype from their argument."""


@cache
def kind_of(name: str) -> str:
    """Return the kind of the operation called ``name``: a key of ``_KINDS``, or "" if it is unknown."""
    if name == "Where":
        return "search"  # TensorFlow's operation that finds the positions of true values; torch's ``where`` selects values.
    plain = _plain(name)
    while plain not in _KIND:
        suffix = next((each for each in _SUFFIXES if plain.endswith(each)), None)
        if suffix is None:
            return ""
        plain = plain.removesuffix(suffix).strip("_")
    return _KIND[plain]


@cache
def computes(name: str) -> bool:
    """Return whether an operation of torch does more than allocate, copy or move values.

    >>> computes("mul"), computes("clone"), computes("empty_strided")
    (True, False, False)
    """
    return name not in NO_TRAFFIC and kind_of(name) not in ("copy", "reorder", "pick")


@cache
def chooses(name: str) -> bool:
    """Return whether an operation chooses one of two values for each element: a choice that a processor may predict.

    >>> chooses("where"), chooses("masked_fill_"), chooses("SelectV2"), chooses("maximum")
    (True, True, True, False)
    """
    return name != "Where" and _plain(name) in ("where", "masked_fill", "select", "selectv2")


@cache
def is_gather(name: str) -> bool:
    """Return whether an operation reads only the selected elements of its first argument.

    >>> is_gather("index_select"), is_gather("GatherV2"), is_gather("index_put_")
    (True, True, False)
    """
    return _plain(name) in (*_GATHERS.split(), "masked_select")


@cache
def is_scatter(name: str) -> bool:
    """Return whether an operation writes only the selected elements."""
    return _plain(name) in (*_SCATTERS.split(), *_ACCUMULATIONS.split())


def _plain(name: str) -> str:
    plain = name.removeprefix("_foreach_").removeprefix("_fused_").strip("_").lower()
    return plain.removeprefix("mkldnn_").removeprefix("mklnative").removeprefix("mkl").strip("_")
