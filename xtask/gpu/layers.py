"""The layers that are predicted one by one: PyTorch's modules and functions at the sizes that common networks have.

Each is a function that gives a module, or a function of tensors, and its arguments. Of those in TRAINED, gradients are asked for,
too: of all parameters and floating-point arguments, given that of the result.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch._export.utils import _get_decomp_for_cia
from torch._decomp import get_decompositions
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

import models


def x(*shape):
    return torch.randn(shape)


def below(n, *shape):
    return torch.randint(0, n, shape)


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def attention(**options):
    return lambda q, k, v, *mask: F.scaled_dot_product_attention(q, k, v, *mask, **options)


def rotated(q, cos, sin):
    return models.turned(q, cos, sin)


class Gated(nn.Module):
    """A product with two columns for each result, one of which goes through an activation."""

    def __init__(self, width, inner, activation):
        super().__init__()
        self.up, self.down, self.activation = nn.Linear(width, 2 * inner, bias=False), nn.Linear(inner, width, bias=False), activation

    def forward(self, x):
        value, gate = self.up(x).chunk(2, -1)
        return self.down(value * self.activation(gate))


def conv(*args, **options):
    return nn.Conv2d(*args, **options)


class Cell(nn.Module):
    """A step of a recurrent layer."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x, *state):
        return self.cell(x, state if len(state) > 1 else state[0])


def sgd(w, g, m):
    m = 0.9 * m + g
    return w - 0.1 * m, m


def adam(w, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return w - 1e-3 * (m / 0.19) / (torch.sqrt(v / 0.002) + 1e-8), m, v


def adamw(w, g, m, v):
    w, m, v = adam(w * (1 - 1e-5), g, m, v)
    return w, m, v


def quantized(x):
    scale = x.abs().amax(-1, keepdim=True) / 127
    return torch.round(x / scale).clamp(-127, 127).to(torch.int8), scale


def of_8_bits(x, w, scale):
    return F.linear(x, w.to(x.dtype) * scale)


def of_4_bits(x, w, scale):
    parts = torch.stack((w & 15, w >> 4), -1).view(w.shape[0], -1, 128).to(x.dtype) - 8
    return F.linear(x, (parts * scale[:, :, None]).view(w.shape[0], -1))


def far(scores):
    """Scores of attention with what ALiBi takes off them by distance."""
    heads, length = scores.shape[1], scores.shape[-1]
    places = torch.arange(length)
    slopes = 2.0 ** (-8 / heads * torch.arange(1, heads + 1))
    return scores - ((places[:, None] - places).abs() * slopes[:, None, None]).to(scores.dtype)


def overlaps(a, b):
    """Intersections of boxes over their unions."""
    area = lambda box: (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    low, high = torch.maximum(a[:, None, :2], b[None, :, :2]), torch.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clamp(min=0).prod(-1)
    return both / (area(a)[:, None] + area(b)[None] - both)


def gate(x, w):
    """The experts of each word in a mixture of these, and how much each of them says."""
    scores, which = torch.topk(F.linear(x, w), 2, -1)
    return torch.softmax(scores, -1), which


def without_records(norm):
    """A norm of what it is given, as in training."""
    norm.track_running_stats, norm.running_mean, norm.running_var, norm.num_batches_tracked = False, None, None, None
    return norm


IMAGE, DEEP, HEADS = (8, 64, 56, 56), (8, 256, 28, 28), (4, 12, 512, 64)

TRAINED = {
    "layer norm 4096x768": lambda: (nn.LayerNorm(768), x(4096, 768)),
    "layer norm 512x8192": lambda: (nn.LayerNorm(8192), x(512, 8192)),
    "rms norm 2048x4096": lambda: (models.RmsNorm(4096), x(2048, 4096)),
    "group norm 4x320x64x64": lambda: (nn.GroupNorm(32, 320), x(4, 320, 64, 64)),
    "batch norm 32x64x56x56": lambda: (without_records(nn.BatchNorm2d(64)), x(32, 64, 56, 56)),
    "batch norm 4096x1024": lambda: (without_records(nn.BatchNorm1d(1024)), x(4096, 1024)),
    "instance norm 8x64x128x128": lambda: (nn.InstanceNorm2d(64, affine=True), x(8, 64, 128, 128)),
    "softmax 4096x1024": lambda: (nn.Softmax(-1), x(4096, 1024)),
    "log softmax 2048x32000": lambda: (nn.LogSoftmax(-1), x(2048, 32000)),
    "linear 512x4096x4096": lambda: (nn.Linear(4096, 4096), x(512, 4096)),
    "mlp 1024x768x3072": lambda: (nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768)), x(1024, 768)),
    "gelu 4096x3072": lambda: (nn.GELU(), x(4096, 3072)),
    "gelu tanh 4096x3072": lambda: (nn.GELU("tanh"), x(4096, 3072)),
    "silu 4096x3072": lambda: (nn.SiLU(), x(4096, 3072)),
    "swiglu 1024x1024x2816": lambda: (Gated(1024, 2816, F.silu), x(1024, 1024)),
    "geglu 1024x640x2560": lambda: (Gated(640, 2560, F.gelu), x(1024, 640)),
    "attention 4x12x512x64": lambda: (Call(attention()), x(*HEADS), x(*HEADS), x(*HEADS)),
    "attention causal 1x16x1024x64": lambda: (Call(attention(is_causal=True)), *(x(1, 16, 1024, 64) for _ in range(3))),
    "conv1d 8x256x1024 k3": lambda: (nn.Conv1d(256, 256, 3, padding=1), x(8, 256, 1024)),
    "conv 8x64x56x56 k3": lambda: (conv(64, 64, 3, padding=1), x(*IMAGE)),
    "conv 8x256x28x28 k1": lambda: (conv(256, 512, 1), x(*DEEP)),
    "conv 8x64x56x56 k3 stride 2": lambda: (conv(64, 128, 3, stride=2, padding=1), x(*IMAGE)),
    "conv 8x3x224x224 k7 stride 2": lambda: (conv(3, 64, 7, stride=2, padding=3), x(8, 3, 224, 224)),
    "conv depthwise 8x96x56x56 k7": lambda: (conv(96, 96, 7, padding=3, groups=96), x(8, 96, 56, 56)),
    "conv depthwise 8x240x28x28 k3": lambda: (conv(240, 240, 3, padding=1, groups=240), x(8, 240, 28, 28)),
    "conv grouped 8x128x56x56 g32": lambda: (conv(128, 128, 3, padding=1, groups=32), x(8, 128, 56, 56)),
    "conv transposed 8x128x28x28 k4": lambda: (nn.ConvTranspose2d(128, 64, 4, stride=2, padding=1), x(8, 128, 28, 28)),
    "max pool 8x64x112x112 k3": lambda: (nn.MaxPool2d(3, 2, 1), x(8, 64, 112, 112)),
    "average pool 8x256x28x28 k2": lambda: (nn.AvgPool2d(2), x(*DEEP)),
    "average pool to 1 32x2048x7x7": lambda: (nn.AdaptiveAvgPool2d(1), x(32, 2048, 7, 7)),
    "nearest 8x256x28x28 to 56": lambda: (nn.Upsample(scale_factor=2), x(*DEEP)),
    "bilinear 8x64x56x56 to 112": lambda: (nn.Upsample(scale_factor=2, mode="bilinear"), x(*IMAGE)),
    "pixel shuffle 8x256x56x56": lambda: (nn.PixelShuffle(2), x(8, 256, 56, 56)),
    "embedding 30522x768 of 4096": lambda: (nn.Embedding(30522, 768), below(30522, 8, 512)),
    "cross entropy 4096x32000": lambda: (nn.CrossEntropyLoss(), x(4096, 32000), below(32000, 4096)),
    "kl divergence 4096x1000": lambda: (nn.KLDivLoss(reduction="batchmean"), x(4096, 1000), x(4096, 1000).softmax(-1)),
    "mse 4096x1024": lambda: (nn.MSELoss(), x(4096, 1024), x(4096, 1024)),
    "huber 4096x1024": lambda: (nn.HuberLoss(), x(4096, 1024), x(4096, 1024)),
    "bce with logits 4096x1024": lambda: (nn.BCEWithLogitsLoss(), x(4096, 1024), x(4096, 1024).sigmoid()),
    "cosine similarity 4096x1024": lambda: (nn.CosineSimilarity(-1), x(4096, 1024), x(4096, 1024)),
    "std 4096x1024": lambda: (Call(lambda x: x.std(-1)), x(4096, 1024)),
    "logsumexp 4096x1024": lambda: (Call(lambda x: x.logsumexp(-1)), x(4096, 1024)),
    "rotary 1x32x2048x128": lambda: (Call(rotated), x(1, 32, 2048, 128), x(2048, 128), x(2048, 128)),
    "einsum bhid,bhjd->bhij": lambda: (Call(lambda a, b: torch.einsum("bhid,bhjd->bhij", a, b)), x(*HEADS), x(*HEADS)),
    "lstm cell 64x1024": lambda: (Cell(nn.LSTMCell(1024, 1024)), *(x(64, 1024) for _ in range(3))),
}

OTHERS = {
    "softmax 32x197x197": lambda: (nn.Softmax(-1), x(32 * 12, 197, 197)),
    "softmax 3816x192": lambda: (nn.Softmax(-1), x(3816, 192)),
    "softmax 64x50257": lambda: (nn.Softmax(-1), x(64, 50257)),
    "softmax of columns 1024x4096": lambda: (nn.Softmax(0), x(1024, 4096)),
    "softmax of columns 8x21x256x256": lambda: (nn.Softmax(1), x(8, 21, 256, 256)),
    "log softmax 4096x50": lambda: (nn.LogSoftmax(-1), x(4096, 50)),
    "batch norm eval 32x64x56x56": lambda: (nn.BatchNorm2d(64), x(32, 64, 56, 56)),
    "group norm 1x128x512x512": lambda: (nn.GroupNorm(32, 128), x(1, 128, 512, 512)),
    "layer norm of channels 8x96x56x56": lambda: (Call(lambda x: F.layer_norm(x.permute(0, 2, 3, 1), (96,)).permute(0, 3, 1, 2)), x(8, 96, 56, 56)),
    "l2 normalize 4096x512": lambda: (Call(lambda x: F.normalize(x, dim=-1)), x(4096, 512)),
    "linear 8x4096x11008": lambda: (nn.Linear(4096, 11008, bias=False), x(8, 4096)),
    "linear 4096x768x768": lambda: (nn.Linear(768, 768), x(4096, 768)),
    "matmul batched 96x512x64": lambda: (Call(torch.bmm), x(96, 512, 64), x(96, 64, 512)),
    "bilinear form 512x256x256": lambda: (nn.Bilinear(256, 256, 64), x(512, 256), x(512, 256)),
    "attention masked 4x12x512x64": lambda: (Call(attention()), *(x(*HEADS) for _ in range(3)), x(4, 1, 512, 512)),
    "attention gqa 1x32x1024x128": lambda: (Call(attention(is_causal=True, enable_gqa=True)), x(1, 32, 1024, 128), *(x(1, 8, 1024, 128) for _ in range(2))),
    "attention cross 4x8x4096x40": lambda: (Call(attention()), x(4, 8, 4096, 40), *(x(4, 8, 77, 40) for _ in range(2))),
    "attention of one 1x32x1x128": lambda: (Call(attention()), x(8, 32, 1, 128), *(x(8, 32, 2048, 128) for _ in range(2))),
    "alibi 2x16x512x512": lambda: (Call(lambda x: far(x).softmax(-1)), x(2, 16, 512, 512)),
    "conv 8x128x28x28 k3 dilated": lambda: (conv(128, 128, 3, padding=2, dilation=2), x(8, 128, 28, 28)),
    "conv 8x3x224x224 k16 stride 16": lambda: (conv(3, 768, 16, stride=16), x(8, 3, 224, 224)),
    "conv 1x512x64x64 k3": lambda: (conv(512, 512, 3, padding=1), x(1, 512, 64, 64)),
    "conv3d 2x32x16x56x56 k3": lambda: (nn.Conv3d(32, 32, 3, padding=1), x(2, 32, 16, 56, 56)),
    "conv1d depthwise 4x1536x2048 k4": lambda: (nn.Conv1d(1536, 1536, 4, padding=3, groups=1536), x(4, 1536, 2048)),
    "conv1d transposed 4x256x512 k16": lambda: (nn.ConvTranspose1d(256, 128, 16, stride=8, padding=4), x(4, 256, 512)),
    "average pool 3x3 8x64x56x56": lambda: (nn.AvgPool2d(3, 1, 1), x(*IMAGE)),
    "adaptive pool to 7 8x256x28x28": lambda: (nn.AdaptiveAvgPool2d(7), x(*DEEP)),
    "max pool to 1 32x2048x7x7": lambda: (nn.AdaptiveMaxPool2d(1), x(32, 2048, 7, 7)),
    "max pool 3d 2x32x16x56x56": lambda: (nn.MaxPool3d(2), x(2, 32, 16, 56, 56)),
    "bicubic 8x3x224x224 to 448": lambda: (nn.Upsample(scale_factor=2, mode="bicubic"), x(8, 3, 224, 224)),
    "pixel unshuffle 8x64x112x112": lambda: (nn.PixelUnshuffle(2), x(8, 64, 112, 112)),
    "channel shuffle 8x232x28x28": lambda: (nn.ChannelShuffle(2), x(8, 232, 28, 28)),
    "pad reflect 8x64x112x112": lambda: (nn.ReflectionPad2d(3), x(8, 64, 112, 112)),
    "pad replicate 8x64x112x112": lambda: (nn.ReplicationPad2d(3), x(8, 64, 112, 112)),
    "pad zeros 8x64x112x112": lambda: (nn.ZeroPad2d(3), x(8, 64, 112, 112)),
    "transpose 8x512x12x64": lambda: (Call(lambda x: x.transpose(1, 2).contiguous()), x(8, 512, 12, 64)),
    "concat 8x256x28x28": lambda: (Call(lambda a, b: torch.cat((a, b), 1)), x(*DEEP), x(*DEEP)),
    "embedding bag 100000x64 of 2048x32": lambda: (nn.EmbeddingBag(100000, 64, mode="sum"), below(100000, 2048, 32)),
    "gather 4096x1024": lambda: (Call(lambda x, at: x.gather(-1, at)), x(4096, 1024), below(1024, 4096, 64)),
    "index select 50000x256": lambda: (Call(lambda x, at: x.index_select(0, at)), x(50000, 256), below(50000, 20000)),
    "scatter add 50000x64": lambda: (Call(lambda x, at: torch.zeros(10000, 64, dtype=x.dtype).index_add(0, at, x)), x(50000, 64), below(10000, 50000)),
    "cumsum 4096x1024": lambda: (Call(lambda x: x.cumsum(-1)), x(4096, 1024)),
    "topk 64x50257 of 50": lambda: (Call(lambda x: x.topk(50)), x(64, 50257)),
    "topk 4096x64 of 2": lambda: (Call(lambda x: x.topk(2)), x(4096, 64)),
    "sort 1024x1024": lambda: (Call(lambda x: x.sort(-1)), x(1024, 1024)),
    "argmax 64x50257": lambda: (Call(lambda x: x.argmax(-1)), x(64, 50257)),
    "max with index 4096x4096": lambda: (Call(lambda x: torch.max(x, -1)), x(4096, 4096)),
    "max with index of columns 4096x4096": lambda: (Call(lambda x: torch.max(x, 0)), x(4096, 4096)),
    "nll 4096x1000": lambda: (nn.NLLLoss(), x(4096, 1000), below(1000, 4096)),
    "cdist 2048x2048x64": lambda: (Call(lambda a, b: ((a[:, None] - b[None]) ** 2).sum(-1).sqrt()), x(1024, 64), x(1024, 64)),
    "var of columns 4096x1024": lambda: (Call(lambda x: x.var(0)), x(4096, 1024)),
    "var and mean 4096x1024": lambda: (Call(lambda x: torch.var_mean(x, -1)), x(4096, 1024)),
    "sum 4096x4096": lambda: (Call(lambda x: x.sum()), x(4096, 4096)),
    "mean of places 32x197x768": lambda: (Call(lambda x: x.mean(1)), x(32, 197, 768)),
    "gru cell 64x1024": lambda: (Cell(nn.GRUCell(1024, 1024)), *(x(64, 1024) for _ in range(2))),
    "one hot 8192x256": lambda: (Call(lambda at: (at[:, None] == torch.arange(256)).half()), below(256, 8192)),
    "sgd 4096x4096": lambda: (Call(sgd), *(x(4096, 4096) for _ in range(3))),
    "adam 4096x4096": lambda: (Call(adam), *(x(4096, 4096) for _ in range(4))),
    "adamw 4096x4096": lambda: (Call(adamw), *(x(4096, 4096) for _ in range(4))),
    "gradient norm 4096x4096": lambda: (Call(lambda g: g * (1 / (g.square().sum().sqrt() + 1e-6)).clamp(max=1)), x(4096, 4096)),
    "quantize rows 2048x4096": lambda: (Call(quantized), x(2048, 4096)),
    "weights of 8 bits 8x4096x4096": lambda: (Call(of_8_bits), x(8, 4096), below(127, 4096, 4096).to(torch.int8), x(4096, 1)),
    "weights of 8 bits 512x4096x4096": lambda: (Call(of_8_bits), x(512, 4096), below(127, 4096, 4096).to(torch.int8), x(4096, 1)),
    "weights of 4 bits 8x4096x4096": lambda: (Call(of_4_bits), x(8, 4096), below(255, 4096, 2048).to(torch.uint8), x(4096, 32)),
    "residual layer norm 4096x768": lambda: (Call(lambda x, y, w, b: F.layer_norm(x + y, (768,), w, b)), x(4096, 768), x(4096, 768), x(768), x(768)),
    "overlaps of boxes 2000x2000": lambda: (Call(overlaps), x(2000, 4), x(2000, 4)),
    "gate of experts 4096x1024x8": lambda: (Call(gate), x(4096, 1024), x(8, 1024)),
    "grid sample 8x64x56x56": lambda: (Call(lambda x, at: F.grid_sample(x, at, align_corners=False)), x(*IMAGE), x(8, 56, 56, 2)),
    "squeeze and excite 8x240x28x28": lambda: (
        Call(lambda x, a, b: x * F.hardsigmoid(F.relu(x.mean((2, 3)) @ a) @ b)[:, :, None, None]), x(8, 240, 28, 28), x(240, 64), x(64, 240)),
    "where and masked fill 4096x1024": lambda: (Call(lambda x, y: torch.where(x > 0, x, y).masked_fill(y > 1, 0)), x(4096, 1024), x(4096, 1024)),
    "triangle 16x1024x1024": lambda: (Call(torch.tril), x(16, 1024, 1024)),
    "glu 4096x2048": lambda: (nn.GLU(-1), x(4096, 2048)),
    "prelu 8x64x56x56": lambda: (nn.PReLU(64), x(*IMAGE)),
}


BACKWARD = ", gradients"

# What torch-mlir has no words for, or none for f16, is written by other operations.
aten = torch.ops.aten
WRITTEN_OUT = {op.default: _get_decomp_for_cia(op.default) for op in (aten.lstm_cell, aten.gru_cell, aten.nll_loss_nd, aten.nll_loss, aten.cross_entropy_loss, aten.prelu)}
WRITTEN_OUT |= get_decompositions([
    aten.native_batch_norm_backward, aten.native_group_norm_backward, aten.logsumexp, aten.huber_loss, aten.huber_loss_backward, aten.nll_loss_forward,
    aten.nll_loss_backward, aten.mse_loss_backward, aten.xlogy, aten.upsample_bicubic2d, aten.index_add, aten._prelu_kernel,
])

NAMES = [*TRAINED, *OTHERS, *(name + BACKWARD for name in TRAINED)]


def layer(name, dtype):
    """A module of a floating-point type and its arguments; the gradients of a layer are named as such."""
    plain = name.removesuffix(BACKWARD)
    torch.manual_seed(0)
    module, *args = (TRAINED | OTHERS)[plain]()
    module = module.eval().to(dtype)
    args = [arg.to(dtype) if arg.is_floating_point() else arg for arg in args]
    return (module, args) if plain == name else gradients(module, args)


def gradients(module, args):
    """The gradients of a module's parameters and floating-point arguments, all of which are arguments, behind that of its result."""
    weights = dict(module.named_parameters())

    def function(given, *tensors):
        tensors = [tensor.detach().requires_grad_(tensor.is_floating_point()) for tensor in tensors]
        # Attention as one operation has no gradient that is written in others.
        with torch.enable_grad(), nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH):
            result = torch.func.functional_call(module, dict(zip(weights, tensors)), tuple(tensors[len(weights):]))
        result = result[0] if isinstance(result, tuple) else result
        return torch.autograd.grad(result, [tensor for tensor in tensors if tensor.requires_grad], given, allow_unused=True)

    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
        result = module(*args)
    result = result[0] if isinstance(result, tuple) else result
    tensors = [torch.ones(result.shape, dtype=result.dtype), *(weight.detach() for weight in weights.values()), *args]
    graph = make_fx(function, WRITTEN_OUT, tracing_mode="fake")(*tensors)
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return graph, tensors


def work(module, args):
    """The bytes of what a layer reads and gives, and the operations of its products."""
    if isinstance(module, torch.fx.GraphModule):
        places = module.graph.find_nodes(op="placeholder")
        read = [arg for node, arg in zip(places, args) if node.users]
    else:
        read = [*args, *module.parameters()]
    math_only = nn.attention.sdpa_kernel(nn.attention.SDPBackend.MATH)
    with FakeTensorMode(allow_non_fake_inputs=True), math_only, torch.no_grad(), FlopCounterMode(display=False) as products:
        given = module(*args)
    tensors = [*read, *(tensor for tensor in tree_leaves(given) if tensor is not None)]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors), products.get_total_flops()
