"""The harness: how well the interviewer grades, measured through the same door as every surface."""
