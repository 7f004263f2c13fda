"""Names by which people introduce themselves and sign.

Finds names after "my name is", "I'm", "I am", "call me" and "I go by", where these begin a line or a sentence or follow a
greeting or a comma; after "this is" at the beginning of a line; in "Hello, Ada here"; in "Name: Ada Lovelace", of two words at
least, on a line of its own; and after "Best,", "Thanks," and their like where the name ends its line. A name is up to five words
with capital letters, initials and particles (van, de, bin) included; after "my name is" its first word may be written small.

Does not find a name without such words around it, a name that is mentioned again, the names of others, or a name in small or
only in capital letters elsewhere. After "this is" a single word counts only after a greeting or before "here", "speaking" or
"from", and a longer name only where none of its words is technical. Words that PyTorch or its literature has taken (Adam, Xavier,
Kaiming, Linear) are elsewhere left where they are all there is: "I'm Adam" stays, "I'm Adam Smith" and "my name is Adam" don't.
"""

from __future__ import annotations

import re

from interviewer.llm.found import Found, Kind

_TECHNICAL = frozenset(
    """
    adaboost adadelta adagrad adam adamax adamw adafactor asgd lamb lars lbfgs muon nadam radam rmsprop rprop
    sgd xavier kaiming glorot he lecun nesterov newton adaptive momentum normal uniform orthogonal
    torch pytorch python cuda triton inductor dynamo aten autograd autocast amp apex numpy jax flax keras tensorflow onnx
    lightning ignite gloo nccl mpi slurm horovod megatron deepspeed hugging face transformers docker linux windows
    mac kubernetes google amazon microsoft meta openai anthropic nvidia amd intel apple github gitlab slack
    tensor tensors module modules parameter parameters buffer buffers dataset dataloader sampler loader worker workers
    linear bilinear conv convolution convolutional transposed embedding embeddings layer layers batch group instance norm
    normalization normalisation dropout pooling pool min mean average global attention self cross multi head
    heads query key value flash scaled dot product transformer encoder decoder recurrent residual skip connection network
    networks neural deep learning machine model models residual stochastic depth gradient gradients accumulation clipping
    checkpoint checkpointing activation activations backward forward pass hook hooks graph graphs loss losses cross-entropy
    entropy softmax sigmoid tanh relu gelu silu swish mish focal dice huber hinge cosine triplet contrastive negative log
    likelihood kullback leibler divergence jensen shannon gauss gaussian laplace bernoulli poisson cauchy dirichlet fisher
    hessian jacobian jacobi taylor fourier euler newton lipschitz wasserstein markov monte carlo bayes bayesian nash
    hadamard kronecker frobenius einstein cholesky schmidt householder lagrange hilbert banach bellman
    mixed precision half float double brain integer quantization quantisation pruning distillation sparse dense strided
    stride broadcast broadcasting view reshape contiguous memory format channels last first shape size dtype device cpu gpu
    tpu tensor cores core mixed data model pipeline parallel parallelism distributed fully sharded zero ring all reduce
    gather scatter learning rate scheduler schedule warmup decay weight weights bias optimizer optimiser optimizers
    step steps epoch epochs training train evaluation eval inference serving compile compiled eager script scripted tracing
    random seed search tree forest support vector vectors matrix matrices multiplication transpose inverse identity
    low high rank adaptation mixture experts variational auto autoencoder generative adversarial diffusion reinforcement
    supervised unsupervised transfer fine tuning early stopping overfitting underfitting regularization regularisation
    resnet alexnet vgg inception mobilenet efficientnet unet bert gpt llama mistral qwen gemma gemini whisper clip
    vision language large small pre post layernorm batchnorm groupnorm rmsnorm lstm gru rnn cnn mlp
    amdahl moore occam simpson goodhart hooke ohm murphy dijkstra einsum vanishing exploding image net imagenet
    """.split()
)
_ENGLISH = frozenset(
    """
    i a an the and but or so if as at by in is it its of on to we you he she they this that these those there here what when
    where which while who why how yes no not now then than thus very too also just still even only quite rather really
    actually basically certainly clearly definitely probably perhaps maybe usually generally typically exactly totally
    completely absolutely sure unsure certain uncertain confident sorry afraid aware unaware familiar happy glad pleased
    delighted excited curious keen fine good great well okay ok done ready back new able unable available used ashamed
    interested convinced correct right wrong true false because since although however therefore wait after before with
    without for from about all any both each every some most more less much many none nothing something everything
    later anytime anyway one two three first second last next let please thanks thank hi hello hey dear welcome regards best
    senior junior principal staff lead chief engineer developer researcher scientist student professor doctor manager
    candidate interviewer everyone everybody team sir madam guys folks friend
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december
    """.split()
) - frozenset({"may", "june", "april", "august"})
_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le el al bin ibn ben ter ten zu zur af av y e".split()
)

_NO_FIRST_WORD = re.compile(r"\w{2,}(?:ing|tion|sion|ness|ism)", re.IGNORECASE)

_WORD = r"(?:[^\W\d_]\.|[^\W\d_](?:[^\W_]|['’-](?=[^\W\d_]))*)"
_WORDS = rf"(?P<it>{_WORD}(?:[ \t]{{1,2}}{_WORD}){{0,4}})(?!\w)"
_BEGINS = r"(?:^|(?<=[.!?…,;:>\"'“(*#–—-]))[ \t]*"
_GREETING = r"(?:hi|hello|hey|hallo|good (?:morning|day|afternoon|evening)|greetings)(?: (?:there|all|everyone|team))?"
_GREETED = rf"(?:{_GREETING}[ \t]{{0,2}}[,.!:–—-]{{0,3}}[ \t]{{0,2}}(?:and )?)"
_FLAGS = re.MULTILINE | re.IGNORECASE

_MY_NAME = re.compile(rf"\bmy (?:full |first |last )?name(?:[ \t]+is|['’]s)[ \t]+{_WORDS}", _FLAGS)
_I_AM = re.compile(rf"{_BEGINS}{_GREETED}?(?:I['’]m|I am|(?:you can |please )?call me|I go by)[ \t]+{_WORDS}", _FLAGS)
_THIS_IS = re.compile(rf"^[ \t]*(?P<greeting>{_GREETED})?this is[ \t]+{_WORDS}", _FLAGS)
_HERE = re.compile(rf"^[ \t]*{_GREETED}{_WORDS}[ \t]+(?:here|speaking)\b", _FLAGS)
_FIELD = re.compile(rf"^[ \t]*(?:full |my |candidate )?name[ \t]*[:=][ \t]*{_WORDS}[ \t]*$", _FLAGS)
_SIGNED = re.compile(
    r"(?:^|(?<=[.!?…]))[ \t]*(?:(?:all the |my )?best(?: regards| wishes)?|(?:(?:kind(?:est)?|warm(?:est)?|with best) )?regards|cheers|"
    r"(?:many )?thanks(?: again| so much| a lot)?|thank you(?: very much)?|(?:yours )?(?:sincerely|faithfully|truly)|yours)"
    rf"[ \t]*[,!.–—-][ \t]*(?:\r?\n[ \t]*){{0,2}}{_WORDS}[ \t]*[.!]?[ \t]*$",
    _FLAGS,
)
_AFTER_THIS_IS = re.compile(r"[ \t]+(?:here|speaking|from)\b|[ \t]*(?:[,.!;]|$)", re.MULTILINE)
_SPEAKING = re.compile(r"[ \t]+(?:here|speaking|from)\b")


def names_in(text: str) -> list[Found]:
    """Where they stand, without the words that introduce them."""
    spans = [_span(match["it"], match.start("it"), small=True) for match in _MY_NAME.finditer(text)]
    for pattern in (_I_AM, _HERE):
        spans += [_untaken(text, _span(match["it"], match.start("it"))) for match in pattern.finditer(text)]
    spans += [_this_is(text, match) for match in _THIS_IS.finditer(text)]
    spans += [_untaken(text, _whole(match)) for match in _FIELD.finditer(text) if " " in match["it"]]
    spans += [_untaken(text, _whole(match)) for match in _SIGNED.finditer(text)]
    return [Found(Kind.NAME, *span) for span in spans if span]


def _span(words: str, start: int, *, small: bool = False) -> tuple[int, int] | None:
    """The name that ``words`` begins with. ``small``: its first word may be."""
    end = 0
    for match in re.finditer(_WORD, words):
        word = match[0]
        if word.lower() in _ENGLISH or (not end and _NO_FIRST_WORD.fullmatch(word)):
            break
        if _has_a_names_form(word) or (small and not end):
            end = match.end()
        elif not end or word not in _PARTICLES:
            break
    return (start, start + end) if end else None


def _has_a_names_form(word: str) -> bool:
    """A capital letter, and no others but after a hyphen, an apostrophe or Mc: neither GPU nor BatchNorm."""
    if len(word.rstrip(".")) == 1:
        return word[0].isupper()
    parts = re.split("['’-]", re.sub("^(?:Mc|Mac|De|Di|La|Le|Van|Fitz)(?=[A-Z])", "", word))
    return word[0].isupper() and all(part[1:] == part[1:].lower() for part in parts)


def _untaken(text: str, span: tuple[int, int] | None) -> tuple[int, int] | None:
    return span if span and not all(_technical(text[slice(*span)])) else None


def _whole(match: re.Match[str]) -> tuple[int, int] | None:
    span = _span(match["it"], match.start("it"))
    return span if span == match.span("it") else None


def _this_is(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    span = _span(match["it"], match.start("it"))
    if not span or any(technical := _technical(text[slice(*span)])):
        return None
    if match["greeting"] or _SPEAKING.match(text, span[1]):
        return span
    return span if len(technical) > 1 and _AFTER_THIS_IS.match(text, span[1]) else None


def _technical(name: str) -> list[bool]:
    """Of each of its words, whether it is one of ours."""
    return [word.lower() in _TECHNICAL for word in re.findall(r"[^\W\d_]+", name)]
