"""What goes over the wire: messages, requests, views, schemas and the OpenAPI description."""
