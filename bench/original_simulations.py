"""Scripted simulations of the Python original, for bench/run: its own orchestrator, environments and evaluator.
Runs in the environment that tests/differential/venv makes.

  original_simulations.py PACKAGE SECONDS

The agent plays a task's golden actions and asks the user for those that are the user's; the user takes them, and
stops when there is none left: what unmask's oracle and scripted user do. As a run of the original does, each
simulation makes its environment anew and is evaluated. Tasks of each domain are played in their order, for SECONDS
of processor time. One line of JSON: for each domain simulations, messages, seconds of processor time, rewards of 1.
"""

import json
import pathlib
import sys
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/differential"))
import original  # noqa: E402


def participants():
    from tau2.agent.base import LocalAgent
    from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
    from tau2.user.base import BaseUser
    from tau2.user.user_simulator import UserSimulator

    def call(action):
        return [ToolCall(id="c", name=action.name, arguments=action.arguments, requestor=action.requestor)]

    class Agent(LocalAgent):
        """Says the next golden action, or asks for it; the state is how many are said."""

        def __init__(self, environment, task):
            super().__init__(tools=environment.get_tools(), domain_policy=environment.get_policy())
            self.actions = task.evaluation_criteria.actions or []
            self.wanted = task.evaluation_criteria.communicate_info or []

        def get_init_state(self, message_history=None):
            return 0

        def generate_next_message(self, message, state):
            if state >= len(self.actions):
                words = "".join(f"{info}. " for info in self.wanted) + "All is done. Is there anything else?"
                said = AssistantMessage(role="assistant", content=words, cost=0.0)
            elif self.actions[state].requestor == "user":
                said = AssistantMessage(role="assistant", content=f"Please do {self.actions[state].name}.", cost=0.0)
            else:
                said = AssistantMessage(role="assistant", tool_calls=call(self.actions[state]), cost=0.0)
            return said, state + 1

        def stop(self, message=None, state=None):
            pass

    class User(BaseUser):
        """Opens, takes the steps that it is asked for, reports them, and stops."""

        def __init__(self, actions):
            super().__init__(instructions=None, llm=None, llm_args=None)
            self.steps = [action for action in actions if action.requestor == "user"]

        def get_init_state(self, message_history=None):
            return {"taken": 0, "opened": False}

        def generate_next_message(self, message, state):
            content, calls = None, None
            if not state["opened"]:
                content, state["opened"] = "Hello. I need help.", True
            elif getattr(message, "role", "") == "tool":
                content = "I did that."
            elif message.content.startswith("Please do "):
                calls = call(self.steps[state["taken"]])
                state["taken"] += 1
            else:
                content = "###STOP###"
            return UserMessage(role="user", content=content, tool_calls=calls, cost=0.0), state

        def stop(self, message=None, state=None):
            pass

        @classmethod
        def is_stop(cls, message):
            return UserSimulator.is_stop(message)

    return Agent, User


class NoModels(types.ModuleType):
    """In place of litellm, by which the original speaks to models: no scripted simulation does."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def main():
    original.load(sys.argv[1])
    for name in ("litellm", "litellm.caching", "litellm.caching.caching", "litellm.main"):
        sys.modules.setdefault(name, NoModels(name))
    limit = float(sys.argv[2])
    from tau2.domains.retail import environment as retail
    from tau2.domains.telecom import environment as telecom
    from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
    from tau2.orchestrator.orchestrator import Orchestrator
    Agent, User = participants()
    found = {}
    for domain, world, tasks in (("retail", retail, retail.get_tasks()), ("telecom", telecom, telecom.get_tasks())):
        simulations, messages, passed, seconds = 0, 0, 0, 0.0
        while seconds < limit:
            task = tasks[simulations % len(tasks)]
            actions = task.evaluation_criteria.actions or []
            began = time.process_time()
            environment = world.get_environment()
            simulation = Orchestrator(domain=domain, agent=Agent(environment, task), user=User(actions),
                                      environment=environment, task=task, max_steps=200).run()
            reward = evaluate_simulation(simulation=simulation, task=task, evaluation_type=EvaluationType.ALL,
                                         solo_mode=False, domain=domain)
            seconds += time.process_time() - began
            simulations += 1
            messages += len(simulation.messages)
            passed += reward.reward == 1.0
        found[domain] = {"simulations": simulations, "messages": messages, "seconds": seconds, "passed": passed}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
