"""What the page asks of the browser itself, where Gradio has no word for it."""

from __future__ import annotations

# What is sent, and what comes of it, is followed at the end of the talk.
FRESH_KEY = """(key, ...rest) => {
  const talk = document.querySelector('#chat [role=log]');
  if (talk) talk.scrollTop = talk.scrollHeight;
  return [Array.from(crypto.getRandomValues(new Uint32Array(4)), n => n.toString(16)).join('-'), ...rest];
}"""

# The address names what is shown, so that it can be kept, and reloaded.
NAME_SESSION = """(shown) => {
  const address = new URL(location);
  if (shown) { address.searchParams.set('session', shown); address.searchParams.delete('new'); }
  else address.searchParams.delete('session');
  if (address.href !== location.href) history.replaceState(null, '', address);
}"""

# The time goes on without asking the server: that would count as use, and nobody who left a page open would ever be signed out.
# Says it in the words of ``Status.time``.
COUNT_TIME = """() => {
  const time = document.querySelector('#status [data-seconds]');
  if (!time) return;
  const {seconds, planned} = time.dataset;
  if (time.counted !== seconds) Object.assign(time, {counted: seconds, since: Date.now() - 1000 * seconds});
  const gone = Math.floor((Date.now() - time.since) / 60_000);
  time.textContent = gone <= planned ? `${gone} of ${planned} min` : `${gone} min, ${gone - planned} more than planned`;
  document.querySelector('#status progress').value = gone;
}"""

# Gradio scrolls to the end of the talk; of an answer taller than the window one wants to read the beginning. Who can type goes on
# typing; who was led to the report begins at its head.
LOOK_AT_ANSWER = """() => setTimeout(() => {
  const talk = document.querySelector('#chat [role=log]');
  const last = talk && [...talk.querySelectorAll('.message.bot')].at(-1);
  if (last) talk.scrollTop = talk.scrollHeight;
  if (last && last.offsetHeight > talk.clientHeight)
    talk.scrollTop += last.getBoundingClientRect().top - talk.getBoundingClientRect().top - 16;
  const answer = document.querySelector('#answer textarea');
  const free = document.activeElement === document.body || document.activeElement.tagName === 'BUTTON';
  if (free && matchMedia('(pointer: fine)').matches && answer?.offsetParent) answer.focus({preventScroll: true});
  const report = document.querySelector('#report h1');
  if (report?.offsetParent && document.activeElement === document.body) {
    report.tabIndex = -1;
    report.focus();
  }
}, 250)"""

# One key press begins. Gradio's groups of choices have neither a name for a screen reader nor one that makes the arrow keys move
# within them.
LOOK_AT_START = """() => {
  setTimeout(() => {
    document.querySelector('#begin')?.focus({preventScroll: true});
    document.querySelectorAll('#start fieldset').forEach((group, number) => {
      const name = group.querySelector('[data-testid=block-info]');
      name.id = `choice-${number}`;
      group.setAttribute('aria-labelledby', name.id);
      group.querySelectorAll('input[type=radio]').forEach((radio) => { radio.name = name.id; });
    });
  }, 150);
}"""

# Runs before Gradio puts anything on the page, so that no part of it is ever without what is given here.
HEAD = """<script>
(() => {
  // The editor's colours in the light scheme are too faint to be read on white.
  const done = new WeakMap();
  const darken = () => {
    const dark = document.body.classList.contains('dark');
    for (const {sheet} of document.querySelectorAll('style')) {
      if (!sheet || done.get(sheet) === dark) continue;
      done.set(sheet, dark);
      for (const rule of sheet.cssRules) {
        if (!/^\\.ͼ\\w+$/.test(rule.selectorText ?? '') || !rule.style.color) continue;
        const was = rule.style.getPropertyValue('--was') || rule.style.color;
        rule.style.setProperty('--was', was);
        rule.style.color = dark ? was : `rgb(${was.match(/\\d+/g).slice(0, 3).map((part) => Math.round(part * 0.55)).join()})`;
      }
    }
  };
  // What is wider than its place has to be within reach of the keyboard to be scrolled.
  const wide = '#room pre:not([tabindex]), #editor .cm-content:not([tabindex])';
  const mend = () => {
    document.querySelectorAll(wide).forEach((each) => { each.tabIndex = 0; });
    if (document.querySelector('#editor')) darken();
  };
  new MutationObserver(mend).observe(document.body, {childList: true, subtree: true});
  new MutationObserver(mend).observe(document.body, {attributeFilter: ['class']});
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !event.target.closest?.('#editor')) return;
    event.preventDefault();
    event.stopPropagation();
    document.querySelector(event.shiftKey ? '#submit' : '#run')?.click();
  }, {capture: true});
})();
</script>"""

# A button that was pressed and disabled has lost the focus; it gets it back.
LOOK_AT_RUN = """() => setTimeout(() => {
  if (document.activeElement === document.body) document.querySelector('#run')?.focus({preventScroll: true});
}, 100)"""
