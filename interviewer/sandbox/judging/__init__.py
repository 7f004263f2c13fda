"""What must be so of a submission, one file a family of checks. All of it is trusted and runs outside the sandbox."""
