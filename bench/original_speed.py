"""The original's half of bench/worlds: the calls of world_speed.cc, on the Python package. Runs in the
environment that tests/differential/venv makes.

  original_speed.py PACKAGE

One line a measurement, as world_speed prints it: name, operations, seconds. Processor time.
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/differential"))
import original  # noqa: E402

ADDRESS = {"address1": "7 Bench Road", "address2": "Unit 2", "city": "Metre", "state": "ZZ", "country": "USA",
           "zip": "00000"}


def report(name, operations, seconds):
    print(f"{name:<40} {operations:9d}  {seconds:10.6f} s  {operations / seconds:14.0f}/s", flush=True)


def calls_of(database):
    """Name of the measurement to calls, (tool, arguments), as world_speed.cc makes them."""
    orders, users = database.orders, database.users
    pending = [key for key, order in orders.items() if order.status == "pending"]
    delivered = [key for key, order in orders.items() if order.status == "delivered"]
    return {
        "get_order_details": [("get_order_details", {"order_id": key}) for key in orders],
        "get_order_details, unknown id": [("get_order_details", {"order_id": key + "?"}) for key in orders],
        "get_user_details": [("get_user_details", {"user_id": key}) for key in users],
        "find_user_id_by_email": [("find_user_id_by_email", {"email": user.email}) for user in users.values()],
        "calculate": [("calculate", {"expression": "(46.66 + 54.04) * 2 - 1.5"})] * 1000,
        "modify_user_address": [("modify_user_address", {"user_id": key, **ADDRESS}) for key in users],
        "modify_pending_order_address": [("modify_pending_order_address", {"order_id": key, **ADDRESS})
                                         for key in pending],
        "cancel_pending_order": [("cancel_pending_order", {"order_id": key, "reason": "no longer needed"})
                                 for key in pending],
        "return_delivered_order_items": [
            ("return_delivered_order_items",
             {"order_id": key, "item_ids": [orders[key].items[0].item_id],
              "payment_method_id": orders[key].payment_history[0].payment_method_id}) for key in delivered],
    }


def main():
    original.load(sys.argv[1])
    from tau2.data_model.message import AssistantMessage, ToolCall
    from tau2.domains.retail.environment import get_environment, get_tasks
    from tau2.evaluator.evaluator_action import ActionEvaluator
    from tau2.evaluator.evaluator_communicate import CommunicateEvaluator
    from tau2.evaluator.evaluator_env import EnvironmentEvaluator

    for name, calls in calls_of(get_environment().tools.db).items():
        environment = get_environment()
        made = [ToolCall(id="c", name=tool, arguments=arguments) for tool, arguments in calls]
        began = time.process_time()
        for call in made:
            environment.get_response(call)
        report(name, len(made), time.process_time() - began)

    tasks = get_tasks()
    trajectories, count, seconds = [], 0, 0.0
    for task in tasks:
        environment, messages = get_environment(), []
        for action in task.evaluation_criteria.actions:
            call = ToolCall(id="c", name=action.name, arguments=action.arguments, requestor=action.requestor)
            began = time.process_time()
            answer = environment.get_response(call)
            seconds += time.process_time() - began
            count += 1
            messages += [AssistantMessage(role="assistant", content=None, tool_calls=[call]), answer]
        trajectories.append(messages)
    report("golden calls", count, seconds)

    began = time.process_time()
    for task, messages in zip(tasks, trajectories):
        info = EnvironmentEvaluator.calculate_reward(get_environment, task, messages)
        ActionEvaluator.calculate_reward(task, messages)
        CommunicateEvaluator.calculate_reward(task, messages)
        if not info.db_check.db_match:
            sys.exit(f"task {task.id}: a golden run should match: {json.dumps(info.model_dump(), default=str)}")
    report("golden replay and evaluation", len(tasks), time.process_time() - began)

    began = time.process_time()
    for _ in range(8):
        get_environment()
    report("construction", 8, time.process_time() - began)
    environment = get_environment()
    began = time.process_time()
    for _ in range(8):
        environment.get_db_hash()
    report("state hash", 8, time.process_time() - began)


if __name__ == "__main__":
    main()
