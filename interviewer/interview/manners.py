"""How an interviewer talks: what is praise or agreement, what speaks of the grading, and which sentences state nothing.

Goes by the form of an English sentence in which ``A_QUOTE`` stands for words in quotation marks. A statement is let out only
where each of its clauses is of a known kind: what the candidate said, what the interviewer takes or does next, a courtesy.
"""

from __future__ import annotations

import re
from collections.abc import Set

from interviewer.interview.wording import stems

A_QUOTE = "“”"

_PRAISE = re.compile(
    r"^(?:(?:ok|okay|ah|oh|well|and|so)\W+)?(?:great|good|nice(?:ly)?|excellent|perfect(?:ly)?|exactly|correct|right|precisely|"
    r"absolutely|indeed|definitely|certainly|yes|yep|yeah|true|agreed|brilliant|awesome|fantastic|wonderful|lovely|bravo|super|"
    r"impressive|congrat\w+|solid|strong|fair point|fair,|of course)\b"
    r"|\b(?:well|nicely|beautifully|clearly|correctly|rightly|neatly) (?:done|put|said|spotted|explained|described|noted|argued|stated|identified|observed|pointed)\b"
    r"|\bspot[ -]on\b|\bon the right (?:track|lines|path)\b|\b(?:nailed|aced)\b|\bgot (?:it|that) right\b|\bkudos\b|\bimpress\w*"
    r"|\b(?:good|great|nice|excellent|solid|strong|perfect|brilliant|fantastic|wonderful|clever|smart|sharp|fair|valid|sound|clear|useful|helpful|important|right|correct|key)"
    r" (?:\w+ )?(?:point|start|answer|work|job|thinking|intuition|explanation|instinct|reasoning|observation|catch|grasp|insight|summary|"
    r"understanding|idea|description|picture|distinction|question)\b"
    r"|\b(?:you're|you are|you were|that's|that is|that was|this is|it's all|both are|which is)"
    r" (?:(?:\w+ly|quite|all|both|very|so|a|an|the) )*(?:right|correct|true|good|great|excellent|perfect|accurate|fine answer|sensible|reasonable|spot|it exactly|exactly)\b"
    r"|\b(?:makes|sounds) (?:\w+ )?(?:sense|right|good|great|reasonable|correct)\b|\bI(?:'d)? (?:\w+ )?(?:agree|love|like (?:that|how|your|the way))\b"
    r"|\byou (?:clearly|really|obviously) (?:know|understand|get)\b",
    re.IGNORECASE,
)
_ALWAYS_ABOUT_THE_GRADING = re.compile(
    r"\b(?:rubrics?|(?:full|extra|top|half) (?:marks?|credit|points?)|(?:marking|grading) scheme|checklist|answer key|system prompt|"
    r"(?:model|expected|reference|sample|ideal) answer|key points?|as an? (?:ai|assistant|language model|llm)|"
    r"I(?:'m| am) (?:an? )?(?:\w+ )?(?:ai|assistant|bot|model|llm|machine)\b|(?:my|the|these|your) instructions|planned follow-up|"
    r"one more point|missing points?|open points?|hints?)\b",
    re.IGNORECASE,
)
_MAYBE_ABOUT_THE_GRADING = re.compile(
    r"\b(scores?|scored|scoring|graded?|grades|grading|marks|credits?|points|prompts?|instructions?|judged?|candidate)\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:right|correct|yes|no|ok(?:ay)?|true|agreed|don't you (?:think|agree)|"
    r"(?:is|are|do|does|did|was|were|wo|would|ca|can|could|will|has|have|should)(?:n't)? (?:it|they|that|we|you|there|one))\s*\?$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:^|[,;:—–(]\s*|\s-\s|“”\s*|\b(?:and|so|but|then|or|now|exactly)\s+)"
    r"(?:(?:in|at|by|from|on|to|with|for|under|after|before|of|over|through|during|about|and|so|but|then|now|okay|well)\s+){0,2}"
    r"(?:what|how|why|which|when|where|who|whom|whose|do|does|did|is|are|was|were|can|could|would|will|should|has|have|had|may|might|must|"
    r"(?:do|does|did|is|are|was|were|would|wo|ca|could|should)n't)(?:'s|'d|'ll|'re)?\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:—–()]|\s-\s|\b(?:but|so|yet|while)\b")
_REASONING = re.compile(
    r"\b(?:because|since|therefore|thus|hence|means?|meaning|due to|in fact|actually|remember|note|recall|remind|keep in mind|"
    r"wrong|incorrect\w*|mistaken\w*|not quite|false|in other words|the reason)\b",
    re.IGNORECASE,
)
_SAYING = (
    r"(?:say|said|mention|mentioned|write|wrote|put|describe|described|bring|brought|name|named|call|called|tell|told|spoke|talk|talked|"
    r"stop|stopped|leave|left|touch|touched|start|started|end|ended|point|pointed|give|gave|given|raise|raised|list|listed|explain|explained|"
    r"skip|skipped|use|used|have not|haven't|did not|didn't|have|seem|sound|bring|keep|kept|reach|reached|claim|claimed|"
    r"saying|describing|talking|pointing|telling|calling|putting|not|argued?|wrote|propose|proposed|suggest|suggested|go|went|ask|asked|"
    r"look|looked|take|took|choose|chose|pick|picked|want|wanted|think|thought|mean|meant|plan|planned|compare|compared|focus|focused)"
)
_FRAMING = re.compile(
    r"^(?:(?:so|then|now|okay|ok|and|but|yet|still|first|also|well|alright|all right|here|earlier|before|just|only|next)(?:\s+|$))*"
    r"(?:$|I|I'm|I'd|I'll|I've|we'll|we'd|let's|let (?:me|us)|your (?:words?|answer|example|code|run|phrase|version|explanation|line|sentence|case)\b"
    rf"|(?:you|you've|you're|you'd) (?:(?:have|are|had|just|also|already|only|first|then|even|both|earlier) )*{_SAYING}"
    r"|thanks|thank you|fair enough|no (?:problem|worries|harm)|never mind|understood|got it|noted|not knowing|no shame|happens"
    r"|that's (?:fine|okay|ok|all right|alright|one|half|part|where|what|the part)|that is (?:fine|one|half|part|where|what|the part)"
    r"|(?:which is|that leaves|which leaves|which brings|that brings|that takes|which takes) (?:me|us|the part|where|what)"
    r"|stay|staying|sticking|going|coming|back|picking|taking|take|keep|keeping|imagine|suppose|say|picture|assume|look|try|forget|leave|set|put|"
    r"drop|start|move|turn|open|come|step|leaving|left|without"
    r"|(?:you|you'd|you'll|you've|you're)\b[^“]*“”|to “”"
    r"|(?:on|about|with|from|as for|by|after|for|in) (?:“”|your|what you|that|there|this)|not|never|nothing|rather"
    r"|“”(?:$| is (?:where|what|the part|one|worth|a place)| (?:tells|leaves|brings|takes) me| and “”| or “”)"
    r"|(?:the|your|my|this|that) run\b.*“”|it printed “”)(?!\w)",
    re.IGNORECASE,
)


def praise(own: str) -> str:
    """As "praise: words" where a sentence praises or agrees; empty where it doesn't."""
    found = _PRAISE.search(own)
    return f"praise: {found[0]}" if found else ""


def about_grading(own: str, asking: Set[str]) -> str:
    """As "grading: words" where it speaks of the grading, or of what the interviewer is. Words that may as well be the subject
    are that where they stand in what is asked; ``asking``: the stems of that."""
    if found := _ALWAYS_ABOUT_THE_GRADING.search(own):
        return f"grading: {found[0]}"
    for each in _MAYBE_ABOUT_THE_GRADING.finditer(own):
        if not stems(each[0]).keys() <= asking:
            return f"grading: {each[0]}"
    return ""


def bad_question(own: str) -> str:
    """Why a sentence that ends with a question mark is no question; empty where it is one."""
    if _TAG.search(own):
        return "states: a tag question"
    return "" if _ASKING.search(own) else "states: asks nothing"


def bad_statement(own: str) -> str:
    """As "states: words" where a clause may state something about the subject; empty where none does."""
    if found := _REASONING.search(own):
        return f"states: {found[0]}"
    clauses = [clause.strip(" .!") for clause in _CLAUSE.split(own)]
    return next((f"states: {clause}" for clause in clauses if not _FRAMING.match(clause)), "")
