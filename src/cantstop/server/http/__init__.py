"""HTTP and WebSockets: routes, sockets, error responses, middleware, health."""
