"""Tests of pcsos; the folders mirror the package."""
