"""What a text says about code, run: the bank's own questions, and other people's documents."""
