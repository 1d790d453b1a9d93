"""Loads a results file with the original's own models and prints what it holds.

  load_results.py PACKAGE FILE

PACKAGE is the folder of the unpacked package (tests/differential/venv).
"""

import pathlib
import sys

import original

original.load(sys.argv[1])
from tau2.data_model.simulation import Results  # noqa: E402  (found by the line above)

results = Results.load(pathlib.Path(sys.argv[2]))
calls = [call for simulation in results.simulations for message in simulation.messages
         for call in getattr(message, "tool_calls", None) or []]
print(len(results.tasks), "tasks", len(results.simulations), "simulations",
      sum(len(simulation.messages) for simulation in results.simulations), "messages", len(calls), "calls",
      sum(simulation.reward_info.reward for simulation in results.simulations), "reward")
