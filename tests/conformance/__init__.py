"""The conformance set of ``docs/certificate.md``: certificates and forgeries for checkers in any language.

``python -m tests.conformance`` writes ``tests/data/conformance`` anew.
"""
