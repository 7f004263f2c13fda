"""All of our code that enters the sandbox. Nothing in here may import the rest of the interviewer."""
