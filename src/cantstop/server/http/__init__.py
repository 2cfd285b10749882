"""HTTP and WebSockets: routes, sockets, error responses, middleware, trusted proxies, health."""
