"""The page: Gradio for the interview, plain pages of our own around it, one server, one address."""
