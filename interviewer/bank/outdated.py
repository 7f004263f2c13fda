"""What was right in an older PyTorch and is not what one writes today.

A hand-kept list: each entry says how it looks, what is so today, and since when. It is about habits and names that the
installed torch doesn't complain of by itself; what it does complain of is found by looking (see names) and by running.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAST = re.compile(
    r"\b(?:deprecat\w+|obsolete|legacy|no longer|merged|replaced|removed|old(?:er)?|histor\w+|before|used to|instead of|"
    r"superseded|since (?:version|pytorch)|not recommended|discouraged)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Outdated:
    """``wrong``: it doesn't work any more, or never did what people think; else it works and is out of date."""

    looks: re.Pattern[str]
    today: str
    wrong: bool = False


def _entry(looks: str, today: str, *, wrong: bool = False) -> Outdated:
    return Outdated(re.compile(looks), today, wrong)


ENTRIES = (
    _entry(
        r"\bpretrained\s*=\s*(?:True|False)",
        "`pretrained=` was replaced by `weights=` in torchvision 0.13, as in `resnet18(weights=ResNet18_Weights.DEFAULT)`.",
    ),
    _entry(
        r"\btorch\.cuda\.amp\b",
        'torch.cuda.amp is deprecated since 2.4: `torch.amp.autocast("cuda")` and `torch.amp.GradScaler("cuda")`.',
    ),
    _entry(
        r"\bregister_backward_hook\b",
        "`register_backward_hook` gives wrong gradients for modules of several operations; "
        "`register_full_backward_hook` took its place in 1.8.",
        wrong=True,
    ),
    _entry(
        r"\b(?:torch\.autograd\.)?Variable\s*\(",
        "Variable was merged into Tensor in 0.4: `torch.ones(2, requires_grad=True)` is all that it takes.",
    ),
    _entry(r"\bvolatile\s*=\s*True", "`volatile=True` does nothing since 0.4: use torch.no_grad().", wrong=True),
    _entry(
        r"\btorch\.jit\.(?:script|trace|save|load|optimize_for_inference)\b|\bscripted_\w+\.save\(",
        "TorchScript is deprecated: torch.export (and AOTInductor where no Python may run) took its place.",
    ),
    _entry(
        r"\btorch\.(?:ao\.)?quantization\b|\bquantize_dynamic\b",
        "Quantization moved out of torch.ao.quantization, which is deprecated, into the package torchao (`quantize_`).",
    ),
    _entry(
        r"\bnn\.(?:parallel\.)?DataParallel\b(?!\s+is not)",
        "nn.DataParallel is kept but not recommended, on one machine either: DistributedDataParallel takes its place.",
    ),
    _entry(
        r"\bFullyShardedDataParallel\b",
        "FullyShardedDataParallel is deprecated in favour of `torch.distributed.fsdp.fully_shard`.",
    ),
    _entry(r"\btorch\.distributed\.launch\b", "`torch.distributed.launch` is deprecated: start with torchrun."),
    _entry(r"\b(?:size_average|reduce)\s*=\s*(?:True|False)", "`size_average=` and `reduce=` became `reduction=`."),
    _entry(r"\bclip_grad_norm\s*\(", "`clip_grad_norm` is deprecated: `clip_grad_norm_`, with the underscore."),
    _entry(
        r"\binit\.(?:xavier|kaiming)_(?:uniform|normal)\s*\(",
        "The initialisers without a trailing underscore are deprecated: `kaiming_uniform_`, `xavier_uniform_` and so on.",
    ),
    _entry(r"\btorch\.set_default_tensor_type\b", "Deprecated since 2.1: set_default_dtype and set_default_device."),
    _entry(r"\btorch\.range\s*\(", "`torch.range` is deprecated, and includes its end: use torch.arange."),
    _entry(
        r"\btorch\.(?:symeig|eig|lstsq|solve|qr|svd|cholesky|chain_matmul)\s*\(",
        "These moved to torch.linalg; several are gone from torch itself.",
        wrong=True,
    ),
    _entry(
        r"(?<!utils)(?<!torch)(?<!self)\.data\b(?![.\w]*(?:DataLoader|Dataset|loader))(?=\s*(?:$|[.)\],=\n]|\.fill_))",
        "`.data` hides changes from autograd, which then computes wrong gradients in silence: `detach()`, or torch.no_grad().",
    ),
)
WEIGHTS_ONLY = (
    "torch.load without a word on `weights_only`: it is True by default since 2.6, so whole pickled models don't load any "
    "more, and False runs whatever code the file holds."
)
_LOADS = re.compile(r"\btorch\.load\s*\(")


def outdated(text: str) -> list[tuple[str, Outdated]]:
    """What in ``text``, prose or code, looks old, with the words that do."""
    return [(match[0].strip(), entry) for entry in ENTRIES if (match := entry.looks.search(text))]


def of_the_past(text: str) -> bool:
    """Whether a sentence itself says that it speaks of how things were."""
    return "\n" not in text and bool(_PAST.search(text))


def loads_without_a_word(answer: str) -> bool:
    """Whether ``answer`` loads a file, and doesn't say what torch.load may do with it."""
    return bool(_LOADS.search(answer)) and "weights_only" not in answer
