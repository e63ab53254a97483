"""Report: runs measurements, prints and draws their figures."""
