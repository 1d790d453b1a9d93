"""Makes small tau2-bench results files for the tests of the command. Everything in them is invented."""

import copy
import json

TOOLS_OF_USER = ["toggle_data", "reboot_device", "check_sim_status"]


def simulation(task, trial, reward=1.0, errors=0, termination="user_stop", error_text=None):
    """An episode: a greeting, a good call, then `errors` failed calls, each followed by a good one."""
    messages = [{"role": "assistant", "content": "Hello!", "tool_calls": None},
                {"role": "user", "content": "My phone does not work.", "tool_calls": None}]

    def call(name, failed):
        text = error_text or f"Error: Tool '{name}' not found."
        call_id = f"call_{len(messages)}"
        messages.append({"role": "assistant", "content": None, "tool_calls": [
            {"id": call_id, "name": name, "arguments": {"customer_id": "C1"}, "requestor": "assistant"}]})
        messages.append({"role": "tool", "id": call_id, "content": text if failed else "{}", "error": failed,
                         "requestor": "assistant"})

    call("get_customer_by_id", False)
    for i in range(errors):
        call(TOOLS_OF_USER[(task + i) % len(TOOLS_OF_USER)], True)
        call("get_customer_by_id", False)
    for index, message in enumerate(messages):
        message["turn_idx"] = index
    return {"id": f"sim-{task}-{trial}", "task_id": f"task_{task}", "trial": trial, "seed": trial,
            "start_time": "2026-06-01T10:00:00", "end_time": "2026-06-01T10:01:00", "duration": 60.0,
            "timestamp": "2026-06-01T10:01:00", "termination_reason": termination, "agent_cost": None,
            "user_cost": None, "reward_info": {"reward": reward, "reward_basis": ["ENV_ASSERTION"]},
            "messages": messages, "mode": "half_duplex", "hallucination_retries_used": 0}


def log(model="made-up-model", tasks=12, trials=2, domain="telecom", errors=lambda task, trial: task % 2,
        reward=lambda task, trial: 1.0 if (task + trial) % 3 else 0.0, task_text="is unhappy"):
    return {
        "timestamp": "2026-06-01T10:00:00",
        "info": {"git_commit": "0" * 40, "num_trials": trials, "max_steps": 200, "max_errors": 10, "seed": 300,
                 "agent_info": {"implementation": "llm_agent", "llm": model,
                                "llm_args": {"temperature": 0.0, "api_key": "sk-very-secret-123456789"}},
                 "user_info": {"implementation": "user_simulator", "llm": "made-up-user", "llm_args": {}},
                 "environment_info": {"domain_name": domain, "policy": "Be kind.", "tool_defs": None}},
        "tasks": [{"id": f"task_{t}", "user_scenario": {"instructions": f"Customer {t} {task_text}."},
                   "evaluation_criteria": {"actions": [], "reward_basis": ["ENV_ASSERTION"]}} for t in range(tasks)],
        "simulations": [simulation(t, r, reward(t, r), errors(t, r)) for t in range(tasks) for r in range(trials)],
        "simulation_index": None,
    }


def changed(document, change):
    document = copy.deepcopy(document)
    change(document)
    return document


def write(path, document):
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path
