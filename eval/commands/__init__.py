"""Commands of ``python -m eval`` that need more than a few lines: options in, figures and tables out."""
