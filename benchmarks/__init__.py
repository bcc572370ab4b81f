"""Benchmarks: suites described as data, one runner, one CSV file a run. Never part of the test run."""
