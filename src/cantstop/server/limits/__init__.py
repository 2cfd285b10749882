"""Rate limits: the policy, token buckets, and the rate limiter that applies them."""
