"""The models that are timed whole: PyTorch modules at the sizes of published ones, with few layers where all of them are alike.

Each is a function that gives a module and its arguments, the same numbers on every machine. Weights are random.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn


class EncoderLayer(nn.Module):
    """A layer of BERT: attention and two products with GELU, each followed by a norm."""

    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = (f(x).view(batch, length, self.heads, -1).transpose(1, 2) for f in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(*parts).transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.out(y))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    def __init__(self, layers=4, width=768, heads=12, inner=3072, words=30522, length=512):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(EncoderLayer(width, heads, inner) for _ in range(layers))

    def forward(self, ids):
        x = self.norm(self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device)))
        for layer in self.layers:
            x = layer(x)
        return x


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


def turned(x, cos, sin):
    """Rotary embedding: the second half of each row stands for the imaginary parts."""
    real, imaginary = x.chunk(2, -1)
    return x * cos + torch.cat((-imaginary, real), -1) * sin


class DecoderLayer(nn.Module):
    """A layer of Llama 3: attention of heads that share keys, and a gated product, each behind a norm."""

    def __init__(self, width, heads, shared, inner):
        super().__init__()
        self.heads, self.shared, self.depth = heads, shared, width // heads
        self.query = nn.Linear(width, width, bias=False)
        self.key, self.value = (nn.Linear(width, shared * self.depth, bias=False) for _ in range(2))
        self.out = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)

    def forward(self, x, cos, sin, past=None):
        batch, length, width = x.shape
        y = self.norm1(x)
        split = lambda z, heads: z.view(batch, length, heads, self.depth).transpose(1, 2)
        q = turned(split(self.query(y), self.heads), cos, sin)
        k, v = turned(split(self.key(y), self.shared), cos, sin), split(self.value(y), self.shared)
        new = k, v
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        each = lambda z: z[:, :, None].expand(-1, -1, self.heads // self.shared, -1, -1).reshape(batch, self.heads, -1, self.depth)
        y = F.scaled_dot_product_attention(q, each(k), each(v), is_causal=past is None)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), new


class Decoder(nn.Module):
    """Llama 3 8B with two layers, over a whole prompt, or for one word behind a cache of keys and values."""

    def __init__(self, layers=2, width=4096, heads=32, shared=8, inner=14336, words=32000):
        super().__init__()
        self.depth = width // heads
        self.words = nn.Embedding(words, width)
        self.layers = nn.ModuleList(DecoderLayer(width, heads, shared, inner) for _ in range(layers))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, ids, *cache):
        x = self.words(ids)
        past = cache[0].shape[2] if cache else 0
        places = torch.arange(past, past + ids.shape[1], device=ids.device, dtype=torch.float32)
        rates = 5e5 ** (torch.arange(0, self.depth, 2, device=ids.device, dtype=torch.float32) / -self.depth)
        angles = torch.outer(places, rates).repeat(1, 2)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        new = []
        for at, layer in enumerate(self.layers):
            x, kept = layer(x, cos, sin, cache[2 * at : 2 * at + 2] if cache else None)
            new += kept
        x = self.head(self.norm(x))
        return (x, *new) if cache else x


class Block(nn.Module):
    """A layer of GPT-2: attention of one product's query, key and value, and two products with GELU, each behind a norm."""

    def __init__(self, width, heads, causal=True):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.all, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.all(self.norm1(x)).split(width, -1)
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(y)
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Writer(nn.Module):
    def __init__(self, layers=4, width=768, heads=12, words=50257, length=1024):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.norm(x), self.words.weight)


class Quantized(nn.Module):
    """Two products with weights of 8 bits, which have a scale for each 128 of a row."""

    def __init__(self, width=4096, inner=11008):
        super().__init__()
        for name, rows, columns in (("up", inner, width), ("down", width, inner)):
            self.register_buffer(name, torch.randint(-127, 127, (rows, columns), dtype=torch.int8))
            self.register_buffer(f"{name}_scale", torch.randn(rows, columns // 128) * 0.01)

    def forward(self, x):
        weights = lambda w, scale: (w.view(w.shape[0], -1, 128).to(x.dtype) * scale[:, :, None]).view(w.shape)
        y = F.silu(F.linear(x, weights(self.up, self.up_scale)))
        return F.linear(y, weights(self.down, self.down_scale))


class Packed(nn.Module):
    """Two products with weights of 4 bits, two in a byte, which have a scale for each 128 of a row."""

    def __init__(self, width=4096, inner=11008):
        super().__init__()
        for name, rows, columns in (("up", inner, width), ("down", width, inner)):
            self.register_buffer(name, torch.randint(0, 255, (rows, columns // 2), dtype=torch.uint8))
            self.register_buffer(f"{name}_scale", torch.randn(rows, columns // 128) * 0.01)

    def forward(self, x):
        def weights(w, scale):
            parts = torch.stack((w & 15, w >> 4), -1).view(w.shape[0], -1, 128).to(x.dtype) - 8
            return (parts * scale[:, :, None]).view(w.shape[0], -1)

        y = F.silu(F.linear(x, weights(self.up, self.up_scale)))
        return F.linear(y, weights(self.down, self.down_scale))


class Distances(nn.Module):
    """T5's encoder: attention without a scale, to which a table adds what a distance is worth, and products without biases."""

    def __init__(self, layers=4, width=768, heads=12, inner=3072, words=32128, buckets=32):
        super().__init__()
        self.heads, self.buckets = heads, buckets
        self.words, self.table = nn.Embedding(words, width), nn.Embedding(buckets, heads)
        self.layers = nn.ModuleList()
        for _ in range(layers):
            layer = nn.Module()
            layer.query, layer.key, layer.value, layer.out = (nn.Linear(width, width, bias=False) for _ in range(4))
            layer.up, layer.down = nn.Linear(width, inner, bias=False), nn.Linear(inner, width, bias=False)
            layer.norm1, layer.norm2 = RmsNorm(width), RmsNorm(width)
            self.layers.append(layer)
        self.norm = RmsNorm(width)

    def bucket(self, length, device):
        """Near distances have buckets of their own, far ones share them by logarithm; half of all look ahead."""
        places = torch.arange(length, device=device)
        distance = places[None] - places[:, None]
        half, near = self.buckets // 2, self.buckets // 4
        ahead, distance = (distance > 0) * half, distance.abs()
        far = near + (torch.log(distance.float().clamp(min=1) / near) / math.log(128 / near) * (half - near)).long()
        return ahead + torch.where(distance < near, distance, far.clamp(max=half - 1))

    def forward(self, ids):
        x = self.words(ids)
        batch, length, width = x.shape
        bias = self.table(self.bucket(length, ids.device)).permute(2, 0, 1)[None]
        for layer in self.layers:
            y = layer.norm1(x)
            parts = (f(y).view(batch, length, self.heads, -1).transpose(1, 2) for f in (layer.query, layer.key, layer.value))
            y = F.scaled_dot_product_attention(*parts, attn_mask=bias.to(x.dtype), scale=1.0)
            x = x + layer.out(y.transpose(1, 2).reshape(batch, length, width))
            x = x + layer.down(F.relu(layer.up(layer.norm2(x))))
        return self.norm(x)


class Sounds(nn.Module):
    """Whisper's encoder: two convolutions along time, and layers like GPT-2's that look both ways."""

    def __init__(self, layers=4, width=768, heads=12, bands=80, length=1500):
        super().__init__()
        self.first, self.second = nn.Conv1d(bands, width, 3, padding=1), nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.places = nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.ModuleList(Block(width, heads, causal=False) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        x = F.gelu(self.second(F.gelu(self.first(x)))).transpose(1, 2) + self.places
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


class Level(nn.Module):
    """One level of Stable Diffusion's U-Net: a residual block, and a transformer that looks at the image and at a text."""

    def __init__(self, taken, width, heads=8, text=768, times=1280):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2, self.norm3 = nn.GroupNorm(32, taken), nn.GroupNorm(32, width), nn.GroupNorm(32, width)
        self.conv1, self.conv2 = nn.Conv2d(taken, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)
        self.time, self.skip = nn.Linear(times, width), nn.Conv2d(taken, width, 1)
        self.inward, self.outward = nn.Conv2d(width, width, 1), nn.Conv2d(width, width, 1)
        self.lines = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.own, self.other = (
            nn.ModuleList(nn.Linear(n, width, bias=at == 3) for at, n in enumerate((width, side, side, width))) for side in (width, text)
        )
        self.gated, self.down = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

    def attention(self, weights, x, side):
        query, key, value, out = weights
        split = lambda z: z.view(*z.shape[:2], self.heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(split(query(x)), split(key(side)), split(value(side)))
        return out(y.transpose(1, 2).reshape(x.shape))

    def forward(self, x, time, text):
        y = self.conv1(F.silu(self.norm1(x))) + self.time(F.silu(time))[:, :, None, None]
        x = self.skip(x) + self.conv2(F.silu(self.norm2(y)))
        batch, width, height, across = x.shape
        y = self.inward(self.norm3(x)).permute(0, 2, 3, 1).reshape(batch, height * across, width)
        z = self.lines[0](y)
        y = y + self.attention(self.own, z, z)
        y = y + self.attention(self.other, self.lines[1](y), text)
        value, gate = self.gated(self.lines[2](y)).chunk(2, -1)
        y = y + self.down(value * F.gelu(gate))
        return x + self.outward(y.view(batch, height, across, width).permute(0, 3, 1, 2))


class Levels(nn.Module):
    """The first three levels of Stable Diffusion's U-Net on its way down, each with one block, behind which images are halved."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(4, 320, 3, padding=1)
        self.levels = nn.ModuleList((Level(320, 320), Level(320, 640), Level(640, 1280)))
        self.halves = nn.ModuleList(nn.Conv2d(n, n, 3, stride=2, padding=1) for n in (320, 640))

    def forward(self, x, time, text):
        x = self.first(x)
        for at, level in enumerate(self.levels):
            x = level(x, time, text)
            if at < 2:
                x = self.halves[at](x)
        return x


def numbers(*shape, dtype=torch.float16):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)), device="cpu").to(dtype)


def words(*shape):
    return torch.randint(0, 30000, shape, generator=torch.Generator().manual_seed(1), device="cpu")


def vision(name, batch):
    import torchvision

    module = getattr(torchvision.models, name)(weights=None)
    for weight in module.parameters():
        # Heads are made of zeros, which would hide everything in front of them.
        if weight.dim() == 2 and not weight.any():
            nn.init.normal_(weight, std=0.02)
    images = numbers(batch, 3, 224, 224)
    norms = [part for part in module.modules() if isinstance(part, nn.BatchNorm2d)]
    for norm in norms:
        # What norms have seen decides how large numbers are: without it they vanish from layer to layer.
        norm.momentum = None
    if norms:
        with torch.no_grad():
            module(images.to(next(module.parameters())))
    return module, (images,)


MODELS = {
    "BERT base, 4 layers, 8 x 384 words": lambda: (Encoder(), (words(8, 384),)),
    "Llama 3 8B, 2 layers, 1024 words": lambda: (Decoder(), (words(1, 1024),)),
    "Llama 3 8B, 2 layers, one word behind 2047": lambda: (Decoder(), (words(1, 1), *(numbers(1, 8, 2047, 128) for _ in range(4)))),
    "GPT-2, 4 layers, 4 x 1024 words": lambda: (Writer(), (words(4, 1024),)),
    "ResNet-50, 8 images": lambda: vision("resnet50", 8),
    "ViT-B/16, 8 images": lambda: vision("vit_b_16", 8),
    "ConvNeXt-T, 8 images": lambda: vision("convnext_tiny", 8),
    "VGG-16, 8 images": lambda: vision("vgg16", 8),
    "RegNetY 1.6 GF, 8 images": lambda: vision("regnet_y_1_6gf", 8),
    "EfficientNet-B0, 8 images": lambda: vision("efficientnet_b0", 8),
    "Swin-T, 8 images": lambda: vision("swin_t", 8),
    "MobileNetV3-L, 8 images": lambda: vision("mobilenet_v3_large", 8),
    "T5 base encoder, 4 layers, 8 x 512 words": lambda: (Distances(), (words(8, 512),)),
    "Whisper small encoder, 4 layers, 2 x 3000 frames": lambda: (Sounds(), (numbers(2, 80, 3000),)),
    "U-Net of Stable Diffusion, 3 levels, 2 x 64 x 64": lambda: (Levels(), (numbers(2, 4, 64, 64), numbers(2, 1280), numbers(2, 77, 768))),
    "Weights of 8 bits, 8 rows": lambda: (Quantized(), (numbers(8, 4096),)),
    "Weights of 8 bits, 512 rows": lambda: (Quantized(), (numbers(512, 4096),)),
    "Weights of 4 bits, 8 rows": lambda: (Packed(), (numbers(8, 4096),)),
}


def model(name, device="cpu"):
    """The module in f16, and its arguments."""
    torch.manual_seed(0)
    with torch.device(device):
        module, args = MODELS[name]()
    return module.half().eval(), [tensor.to(device) for tensor in args]


def file_name(name):
    return "".join(c if c.isalnum() else "_" for c in name)
