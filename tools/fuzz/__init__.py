"""A fuzzer of the server: what is sent, and what has to come back."""
