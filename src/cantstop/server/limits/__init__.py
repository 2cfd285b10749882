"""Rate limits: the policy, token buckets, and the limiter that applies them."""
