"""Figures of pages, a file a kind, drawn by Plotly."""
