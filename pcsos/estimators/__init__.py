"""Estimators: pcsos behind the interface of scikit-learn, which only they need."""

try:
    from sklearn.utils.validation import validate_data as _since_version_1_6  # noqa: F401
except ImportError as error:
    raise ImportError('the estimators need scikit-learn 1.6 or newer; pip install "pcsos[sklearn]"') from error

from pcsos.estimators.certified import CertifiedKMeans
from pcsos.estimators.memetic import MemeticKMeans

__all__ = ["CertifiedKMeans", "MemeticKMeans"]
