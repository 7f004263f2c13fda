"""The topic of an imported question: that of the bank's question, or of the phrase, which it is nearest to.

Promises: deterministic for a bank. Each topic has a few phrases here as well, so that a topic without questions can
be found and a bank of few questions does not draw everything to its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from interviewer.bank.terms import without_framework
from interviewer.embedding import Matrix
from interviewer.models import Question, Topic

_PHRASES = {
    topic: tuple(part.strip() for part in phrases.split(","))
    for topic, phrases in {
        Topic.FUNDAMENTALS: "what is PyTorch, PyTorch and TensorFlow, features of deep learning frameworks, torchvision, "
        "advantages and disadvantages of a framework, common pitfalls, TorchText and TorchAudio libraries",
        Topic.TENSORS: "what is a tensor, tensors and NumPy arrays, creating tensors, element-wise tensor operations, "
        "torch.cat and torch.stack, broadcasting, view and reshape, in-place operations, sparse tensors, "
        "indexing and strides, dtype of a tensor, CPU and GPU tensors",
        Topic.AUTOGRAD: "autograd, automatic differentiation, computational graph, dynamic graphs, backpropagation, "
        "compute gradients, torch.no_grad, requires_grad, Variable, custom autograd.Function, autograd.grad, detach, "
        "gradient hooks",
        Topic.MODULES: "nn.Module, nn.Sequential, nn.Parameter, registered buffers, forward method, torch.nn.functional, "
        "define a neural network, hooks on layers, apply a function to all modules, freeze layers",
        Topic.DATA: "Dataset, DataLoader, collate_fn, load and preprocess data, data augmentation, imbalanced datasets, "
        "sampler, dataset that doesn't fit into memory, custom Dataset class",
        Topic.TRAINING: "training loop, loss functions, train and eval modes, model evaluation, transfer learning, "
        "fine-tuning a pre-trained model, CrossEntropyLoss, custom loss function, monitor training metrics, TensorBoard",
        Topic.OPTIMIZATION: "optimizer, SGD and Adam, learning rate scheduler, zero_grad, gradient clipping, "
        "weight initialization, momentum, gradient accumulation",
        Topic.REGULARIZATION: "overfitting, dropout, weight decay, batch normalization, early stopping, "
        "training loss decreases but validation loss increases, layer normalization",
        Topic.ARCHITECTURES: "convolutional layers, recurrent neural network, LSTM and GRU, transformer, attention, "
        "generative adversarial network, activation functions, variable sequence lengths, embeddings, feature maps",
        Topic.CHECKPOINTS: "save and load a model, state_dict, torch.save, torch.load, checkpoint to resume training",
        Topic.DEBUGGING: "debug a model, NaN loss, shape mismatch error, exploding gradients, vanishing gradients, "
        "the loss does not decrease",
        Topic.PERFORMANCE: "GPU acceleration, move a model to the GPU, mixed precision training, memory management, "
        "torch.cuda.empty_cache, profiling, torch.compile, CUDA streams, speed up training",
        Topic.DISTRIBUTED: "distributed training, DataParallel, DistributedDataParallel, multi-GPU training, FSDP, "
        "model parallelism, all-reduce",
        Topic.DEPLOYMENT: "deploy a model to production, TorchScript, torch.jit, ONNX export, quantization, "
        "serving with low latency, mobile inference",
    }.items()
}


def topics_of(
    questions: Sequence[str], corpus: Sequence[Question], encode: Callable[[Sequence[str]], Matrix]
) -> tuple[Topic, ...]:
    """The topic of each of ``questions``."""
    if not questions:
        return ()
    known = _known(corpus)
    similarity = encode([without_framework(q) for q in questions]) @ encode([text for _, text in known]).T
    return tuple(known[int(nearest)][0] for nearest in np.argmax(similarity, axis=1))


def topic_texts(corpus: Sequence[Question]) -> list[str]:
    """All that questions are held against."""
    return [text for _, text in _known(corpus)]


def _known(corpus: Sequence[Question]) -> list[tuple[Topic, str]]:
    phrases = [(topic, phrase) for topic, found in _PHRASES.items() for phrase in found]
    return [*phrases, *((q.topic, without_framework(q.question)) for q in corpus)]
