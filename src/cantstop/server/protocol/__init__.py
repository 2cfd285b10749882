"""The protocol: socket messages and close codes, views of a table, schemas and OpenAPI.

Each part is defined once: error codes with their HTTP status in ``server.errors``, events and
actions in ``server.tables``, kinds of messages and close codes in ``messages``. ``schemas`` and
``openapi`` are made from them; tests compare docs/protocol.md and the clients with them.
"""
