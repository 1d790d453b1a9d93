"""The original's half of bench/worlds: the calls of world_speed.cc, on the Python package. Runs in the
environment that tests/differential/venv makes.

  original_speed.py PACKAGE [--calls]

With --calls no tasks, construction and hashes. One line a measurement, as world_speed prints it: name, operations, seconds. Processor time.
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/differential"))
import original  # noqa: E402

# Of which the fastest counts; as many as world_speed.cc has.
RETAIL_ROUNDS, TELECOM_ROUNDS = 40, 100
ADDRESS = {"address1": "7 Bench Road", "address2": "Unit 2", "city": "Metre", "state": "ZZ", "country": "USA",
           "zip": "00000"}


def report(name, operations, seconds):
    print(f"{name:<40} {operations:9d}  {seconds:10.6f} s  {operations / seconds:14.0f}/s", flush=True)


def retail_calls(environment):
    """Name of the measurement to calls, (requestor, tool, arguments), as world_speed.cc makes them."""
    database = environment.tools.db
    orders, users = database.orders, database.users
    pending = [key for key, order in orders.items() if order.status == "pending"]
    delivered = [key for key, order in orders.items() if order.status == "delivered"]
    calls = {
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
    return {name: [("assistant", *call) for call in made] for name, made in calls.items()}


def telecom_calls(environment):
    """The same for telecom; the names of its measurements begin with the world's."""
    database = environment.tools.db
    pairs = [{"customer_id": customer.customer_id, "line_id": line} for customer in database.customers
             for line in customer.line_ids]
    active = {line.line_id for line in database.lines if line.status == "Active"}
    customers = database.customers
    ids = [line.line_id for line in database.lines] + [bill.bill_id for bill in database.bills]
    agent = {
        "get_customer_by_phone": [("get_customer_by_phone", {"phone_number": line.phone_number})
                                  for line in database.lines] * 20,
        "get_customer_by_id": [("get_customer_by_id", {"customer_id": entry.customer_id})
                               for entry in customers] * 40,
        "get_customer_by_name": [("get_customer_by_name", {"full_name": entry.full_name, "dob": entry.date_of_birth})
                                 for entry in customers] * 40,
        "get_details_by_id": [("get_details_by_id", {"id": key}) for key in ids] * 10,
        "get_bills_for_customer": [("get_bills_for_customer", {"customer_id": entry.customer_id, "limit": 12})
                                   for entry in customers] * 40,
        "get_data_usage": [("get_data_usage", pair) for pair in pairs] * 20,
        "suspend_line, resume_line": [call for pair in pairs if pair["line_id"] in active for call in (
            ("suspend_line", {**pair, "reason": "travel"}), ("resume_line", pair))] * 20,
        "enable_roaming, disable_roaming": [call for pair in pairs for call in (
            ("enable_roaming", pair), ("disable_roaming", pair))] * 20,
        "refuel_data": [("refuel_data", {**pair, "gb_amount": 1.0}) for pair in pairs] * 10,
    }
    user = {
        "check_status_bar": [("check_status_bar", {})],
        "check_network_status": [("check_network_status", {})],
        "run_speed_test": [("run_speed_test", {})],
        "can_send_mms": [("can_send_mms", {})],
        "check_app_status": [("check_app_status", {"app_name": "messaging"})],
        "toggle_airplane_mode": [("toggle_airplane_mode", {})],
        "toggle_data": [("toggle_data", {})],
        "toggle_wifi": [("toggle_wifi", {})],
        "set_network_mode_preference": [("set_network_mode_preference", {"mode": "4g_only"})],
        "grant_app_permission": [("grant_app_permission", {"app_name": "browser", "permission": "sms"})],
        "connect_vpn, disconnect_vpn": [("connect_vpn", {}), ("disconnect_vpn", {})],
        "reboot_device": [("reboot_device", {})],
    }
    return ({f"telecom {name}": [("assistant", *call) for call in made] for name, made in agent.items()}
            | {f"telecom {name}": [("user", *call) for call in made] * 200 for name, made in user.items()})


def time_calls(make_environment, calls_of, rounds, fails=()):
    from tau2.data_model.message import ToolCall
    for name, calls in calls_of(make_environment()).items():
        made = [ToolCall(id="c", name=tool, arguments=arguments, requestor=requestor)
                for requestor, tool, arguments in calls]
        seconds = []
        for _ in range(rounds):
            environment, errors = make_environment(), 0
            began = time.process_time()
            for call in made:
                errors += environment.get_response(call).error
            seconds.append(time.process_time() - began)
            if errors != (len(made) if name in fails else 0):
                sys.exit(f"{name}: {errors} of {len(made)} calls failed")
        report(name, len(made), min(seconds))


def telecom_environment():
    """One whose user has a line, as in every task."""
    from tau2.domains.telecom.environment import get_environment
    environment = get_environment()
    customer = environment.tools.db.customers[0]
    environment.user_tools.set_user_info(customer.full_name, customer.phone_number)
    environment.sync_tools()
    return environment


def main():
    original.load(sys.argv[1])
    from tau2.data_model.message import AssistantMessage, ToolCall
    from tau2.domains.retail.environment import get_environment, get_tasks
    from tau2.evaluator.evaluator_action import ActionEvaluator
    from tau2.evaluator.evaluator_communicate import CommunicateEvaluator
    from tau2.evaluator.evaluator_env import EnvironmentEvaluator

    time_calls(get_environment, retail_calls, RETAIL_ROUNDS, fails=("get_order_details, unknown id",))
    time_calls(telecom_environment, telecom_calls, TELECOM_ROUNDS)
    if "--calls" in sys.argv:
        return

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
