"""Heavy work in a bounded pool of processes beside the event loop: strong bots, others' bots."""
