"""What generates the kernels: their source code, and the structures that they take as arguments."""
