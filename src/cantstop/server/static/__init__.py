"""The browser client's files: pages, bundles and messages in the reader's language."""
