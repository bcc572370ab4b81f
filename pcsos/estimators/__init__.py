"""Estimators: pcsos behind the interface of scikit-learn, which only they need."""

try:
    from sklearn.utils.validation import validate_data as _since_version_1_6  # noqa: F401
except (ImportError, OSError, MemoryError) as error:
    if getattr(error, "name", None) in {"sklearn", "sklearn.utils.validation"}:  # there is none, or an older one
        raise ModuleNotFoundError(
            'the estimators need scikit-learn 1.6 or newer; pip install "pcsos[sklearn]"', name="sklearn"
        ) from error
    _why = " ".join(f"{type(error).__name__} {error}".split())
    raise ImportError(
        f"scikit-learn is installed but cannot be loaded; is there too little memory? ({_why})"
    ) from error

from pcsos.estimators.certified import CertifiedKMeans
from pcsos.estimators.memetic import MemeticKMeans

__all__ = ["CertifiedKMeans", "MemeticKMeans"]
