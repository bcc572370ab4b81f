"""Soft pairs and sparse features: the k-means family of Vouros and Vasilaki (2021)."""
