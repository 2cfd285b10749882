"""What runs the kernels: the device, its memory, and the levels of a board one after the other."""
