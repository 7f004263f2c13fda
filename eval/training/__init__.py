"""The training of the embedded judge's reader: what it is shown, how it is fitted, and the card that says how well it does."""
