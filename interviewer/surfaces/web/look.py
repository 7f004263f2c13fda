"""How the page looks: system fonts, both colour schemes, one column on a phone. Nothing is fetched from elsewhere."""

from __future__ import annotations

import gradio as gr

_SANS = ("system-ui", "Segoe UI", "Helvetica Neue", "Arial", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace")

THEME = gr.themes.Default(
    primary_hue="indigo", secondary_hue="indigo", neutral_hue="slate", radius_size="md", font=_SANS, font_mono=_MONO
)

CSS = """
.gradio-container { width: 100%; max-width: 54rem !important; margin: 0 auto !important; }
.gradio-container:has(#code) { max-width: 84rem !important; }
.gradio-container .main.fillable { padding: 0 !important; max-width: none !important; }
.gradio-container main.contain { padding: .75rem 1rem !important; }
footer { display: none !important; }

#top { align-items: baseline; justify-content: space-between; flex-wrap: wrap; gap: 0 1rem; }
#top > * { flex: 0 1 auto; min-width: 0; width: auto; }
#title h1 { font-size: 1.15rem; font-weight: 650; margin: 0; letter-spacing: -.01em; }
#status p { color: var(--body-text-color-subdued); font-variant-numeric: tabular-nums; }

/* The talk fills the window; the answer box grows upwards into it. */
#talk { height: calc(100dvh - 8rem); min-height: 24rem; gap: .6rem; }
#chat { flex: 1 1 0; height: auto !important; min-height: 0; border: 0; background: none; }
#chat .icon-button-wrapper.top-panel { display: none; }
#chat .bubble-wrap { background: none; padding: 0; }
#chat .message { font-size: .95rem; line-height: 1.55; }
#chat .bot .prose > ul { list-style: none; padding-left: .25rem; }
#chat .bot .prose > ul > li { margin: .15rem 0; padding-left: 1.6em; text-indent: -1.6em; }
#chat .bot .prose > ul > li > * { text-indent: 0; }
#say { align-items: flex-end; gap: .5rem; flex-wrap: nowrap; }
#say button { height: 2.75rem; }
#answer textarea { height: auto !important; min-height: 2.65rem; max-height: 14rem; field-sizing: content; }
#requests { gap: .4rem; }
#notice { border-left: 3px solid #d97706; padding: .1rem .75rem; }

#code { height: calc(100dvh - 8rem); min-height: 24rem; }
#editor { flex: 1 1 0; min-height: 0; display: flex; flex-direction: column; overflow: hidden !important; }
#editor > .wrap:last-child { flex: 1 1 0; min-height: 0; height: auto; }
#editor .cm-scroller { flex: 1; }
.gradio-container:has(#code) #write-code { display: none; }

#report h1 { font-size: 1.5rem; }
#report h2 { font-size: 1.1rem; line-height: 1.4; margin-top: 2rem; }
#download { align-self: flex-end; width: auto; }

@media (max-width: 640px) {
  .gradio-container main.contain { padding: .5rem .6rem !important; }
  #talk, #code { flex: 1 1 100%; min-width: 0 !important; }
  #talk { height: calc(100dvh - 9rem); }
  #code { height: 28rem; }
}
"""
