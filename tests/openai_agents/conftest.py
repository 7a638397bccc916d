from __future__ import annotations

from agents import set_tracing_disabled

set_tracing_disabled(True)  # else every run is reported to the maker of the models
