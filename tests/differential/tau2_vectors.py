#!/usr/bin/env python3
"""Random call sequences with what the original tau2-bench answers, for `unmask worlds check`.

  tau2_vectors.py --domain retail|telecom --package DIR --calls N --seed S -o FILE.jsonl[.gz]
  tau2_vectors.py --domain retail|telecom --package DIR --compare FILE...

Runs in the environment of tests/differential/venv; DIR is its folder `package`. Lines have the formats of
vectors.jsonl.gz (retail SPEC 14, telecom SPEC 18), with all hashes on every line, and are a function of the
domain, N, S and the package. Each starts from the pristine state and holds several calls: sessions and walks
with ids drawn from the database, and among them wrong ids and types, missing, unexpected and reserved
arguments, unknown tools, both requestors, solo mode (telecom), expressions, and initial functions and
assertions (telecom).

--compare runs the calls of given vector lines (those of another version, say) and prints how many lines and
calls answer otherwise, by tool; status 1 if any does.

Left out, because the text is the interpreter's or the package's own and not the worlds':
- get_item_details (retail): the package has no such tool;
- powers of large numbers, which keep the original busy without end, and tuples times large numbers;
- NaN and infinities as arguments, which JSON does not have;
- texts that Python 3.13 changed: hints and a longer text about unknown attributes, other syntax errors. The
  environment has an earlier Python; 3.10, 3.11 and 3.12 give the same lines.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter

import tau2_original
import tau2_values as values


class RetailLines:
    STATUSES = ("pending", "delivered") * 3 + ("processed", "cancelled")

    def __init__(self, world):
        self.tools = world.tools
        database = world.database
        self.users = list(database.users)
        self.orders = {key: order.model_dump() for key, order in database.orders.items()}
        self.people = {key: user.model_dump() for key, user in database.users.items()}
        self.products = {key: product.model_dump() for key, product in database.products.items()}
        self.by_status = {}
        for key, order in self.orders.items():
            # Of owners who can pay otherwise too, more often: otherwise few changes of payment succeed.
            many = len(self.people[order["user_id"]]["payment_methods"]) > 1
            self.by_status.setdefault(order["status"], []).extend([key] * (4 if many else 1))
        self.items = [item for product in self.products.values() for item in product["variants"]]
        self.kinds = (self.session, self.one_order, self.one_order, self.lookups, self.calculations, self.faults, self.faults)

    def line(self, rng, number, seed):
        make = rng.choice(self.kinds)
        kind = make.__name__
        return {"id": f"d{seed}-{number:05d}", "kind": kind,
                "calls": [self.call(rng, *entry) for entry in make(rng)]}

    @staticmethod
    def call(rng, name, arguments, requestor="assistant"):
        if rng.random() < 0.2:
            arguments = values.shuffled(rng, arguments)
        return {"name": name, "arguments": arguments, "requestor": requestor}

    def order(self, rng, status=None):
        return rng.choice(self.by_status[status or rng.choice(self.STATUSES)])

    def method(self, rng, order):
        methods = list(self.people[self.orders[order]["user_id"]]["payment_methods"])
        form = rng.random()
        if form < 0.85 and methods:
            return rng.choice(methods)
        if form < 0.93:
            return rng.choice(list(self.people[rng.choice(self.users)]["payment_methods"]) or ["paypal_1"])
        return rng.choice(("gift_card_0000000", "credit_card", "paypal", "GIFT_CARD_1"))

    def pairs(self, rng, order):
        """Item ids of the order, and ids to change them for."""
        items = self.orders[order]["items"]
        chosen = rng.sample(items, rng.randint(1, min(3, len(items))))
        if rng.random() < 0.08:
            chosen.append(rng.choice(chosen))
        if rng.random() < 0.05:
            chosen = []
        old, new = [], []
        for item in chosen:
            form = rng.random()
            variants = self.products[item["product_id"]]["variants"]
            sold = [key for key, variant in variants.items() if variant["available"]]
            old.append(item["item_id"] if form < 0.96 else rng.choice(self.items))
            form = rng.random()
            if form < 0.8 and sold:
                new.append(rng.choice(sold))
            elif form < 0.88:
                new.append(rng.choice(list(variants)))
            elif form < 0.94:
                new.append(item["item_id"])
            else:
                new.append(rng.choice((rng.choice(self.items), "0000000000")))
        if rng.random() < 0.04:
            new = new[:-1] + [rng.choice(self.items)] * 2
        return old, new

    def address(self, rng):
        other = self.people[rng.choice(self.users)]["address"]
        address = {key: other[key] for key in ("address1", "address2", "city", "state", "country", "zip")}
        while rng.random() < 0.12:
            address[rng.choice(list(address))] = values.odd(rng)
        return address

    def arguments(self, rng, tool, order):
        """Plausible ones for any tool."""
        user = self.orders[order]["user_id"]
        person = self.people[user]
        name = person["name"]
        old, new = self.pairs(rng, order)
        made = {
            "expression": values.calculation(rng), "order_id": order, "user_id": user,
            "reason": rng.choice(("no longer needed", "ordered by mistake", "no longer needed", "too late")),
            "item_ids": old, "new_item_ids": new, "payment_method_id": self.method(rng, order),
            "first_name": rng.choice((name["first_name"], name["first_name"].upper(), "Nobody")),
            "last_name": rng.choice((name["last_name"], name["last_name"].lower())),
            "zip": person["address"]["zip"], "email": rng.choice((person["email"], person["email"].upper())),
            "product_id": rng.choice(list(self.products)), "summary": "wants a person",
        }
        if "address1" in self.tools[tool]:
            made.update(self.address(rng))
        return {parameter: made[parameter] for parameter in self.tools[tool]}

    def session(self, rng):
        order = self.order(rng)
        user = self.orders[order]["user_id"]
        find = rng.choice(("find_user_id_by_email", "find_user_id_by_name_zip"))
        yield find, self.arguments(rng, find, order)
        yield "get_user_details", {"user_id": user}
        yield "get_order_details", {"order_id": order}
        yield from self.writes(rng, order, rng.randint(1, 3))
        yield "get_order_details", {"order_id": order}
        yield "get_user_details", {"user_id": user}

    def one_order(self, rng):
        """Writes to one order and its owner's others: their effects meet in gift cards and statuses."""
        yield from self.writes(rng, self.order(rng), rng.randint(2, 7))

    def writes(self, rng, order, count):
        fitting = {
            "pending": ("cancel_pending_order", "modify_pending_order_items", "modify_pending_order_payment",
                        "modify_pending_order_address", "modify_user_address"),
            "delivered": ("exchange_delivered_order_items", "return_delivered_order_items")}
        everything = [name for names in fitting.values() for name in names]
        renamed = {}
        for _ in range(count):
            tool = rng.choice(fitting.get(self.orders[order]["status"], everything)
                              if rng.random() < 0.92 else everything)
            arguments = self.arguments(rng, tool, order)
            if tool == "modify_pending_order_payment" and rng.random() < 0.8:
                paid = self.orders[order]["payment_history"][0]["payment_method_id"]
                others = [key for key in self.people[self.orders[order]["user_id"]]["payment_methods"] if key != paid]
                arguments["payment_method_id"] = rng.choice(others or [paid])
            if renamed and "item_ids" in arguments and rng.random() < 0.5:
                arguments["item_ids"] = [renamed.get(item, item) for item in arguments["item_ids"]]
            if "new_item_ids" in arguments:
                renamed.update(zip(arguments["item_ids"], arguments["new_item_ids"]))
            yield tool, arguments
            if rng.random() < 0.5:
                others = self.people[self.orders[order]["user_id"]]["orders"]
                order = rng.choice([other for other in others if other in self.orders] or [order])

    def lookups(self, rng):
        for _ in range(rng.randint(2, 6)):
            tool = rng.choice([name for name in self.tools if name.startswith(("get_", "find_", "list_"))])
            order = self.order(rng)
            arguments = self.arguments(rng, tool, order)
            for name, value in arguments.items():
                if rng.random() < 0.25 and isinstance(value, str):
                    arguments[name] = rng.choice((value.lstrip("#"), value.lower(), value + " ", value[:-1], "",
                                                  rng.choice(self.items), rng.choice(self.users)))
            yield tool, arguments

    def calculations(self, rng):
        for _ in range(rng.randint(3, 8)):
            yield "calculate", {"expression": values.calculation(rng)}

    def faults(self, rng):
        for _ in range(rng.randint(3, 7)):
            order = self.order(rng)
            form = rng.random()
            tool = rng.choice(list(self.tools))
            arguments = self.arguments(rng, tool, order)
            if form < 0.08:
                yield rng.choice(values.UNKNOWN_TOOLS), arguments
            elif form < 0.16:
                yield tool, arguments, "user"
            elif form < 0.22:
                yield tool, values.spoil(rng, arguments, self.tools[tool]), "user"
            elif form < 0.85:
                yield tool, values.spoil(rng, arguments, self.tools[tool])
            else:
                yield tool, arguments


class TelecomLines:
    PERMISSIONS = ("sms", "storage", "phone", "network", "SMS", "Network", "camera", "", "sms ")

    def __init__(self, world):
        self.world = world
        self.tools = world.tools
        self.owner = {name: party for party, tools in self.tools.items() for name in tools}
        self.tasks = list(world.tasks)
        data = world.data
        self.ids = {kind: [entry[f"{kind}_id"] for entry in data[f"{kind}s"]]
                    for kind in ("customer", "line", "bill", "plan", "device")}
        self.customers = {entry["customer_id"]: entry for entry in data["customers"]}
        self.phones = [line["phone_number"] for line in data["lines"]]
        self.kinds = (self.walk_user, self.walk_mixed, self.walk_mixed, self.walk_agent, self.faults, self.settings)

    def line(self, rng, number, seed):
        make = rng.choice(self.kinds)
        solo = rng.random() < 0.15
        task = rng.choice(self.tasks) if rng.random() < 0.45 else None
        line = {"id": f"d{seed}-{number:05d}", "cat": make.__name__ + ("_solo" if solo else ""), "task_id": task, "solo_mode": solo}
        if rng.random() < 0.5:
            line["init_actions"] = self.initial(rng, task)
        line["calls"] = [self.call(rng, solo, *entry) for entry in make(rng)]
        line["assertions"] = [self.assertion(rng) for _ in range(rng.randint(2, 5))]
        return line

    def call(self, rng, solo, name, arguments, requestor=None):
        party = requestor or self.owner.get(name, "assistant")
        if solo and rng.random() < 0.95:
            party = "assistant"
        elif rng.random() < 0.02:
            party = "user" if party == "assistant" else "assistant"
        if rng.random() < 0.2:
            arguments = values.shuffled(rng, arguments)
        return {"name": name, "arguments": arguments, "requestor": party}

    # Arguments.

    def customer(self, rng):
        return rng.choice(("C1001",) * 6 + tuple(self.customers)) if rng.random() < 0.95 else rng.choice(("C9", "c1001", "", "L1001"))

    def owned(self, rng, customer, kind):
        listed = self.customers.get(customer, {}).get(f"{kind}_ids") or self.ids[kind]
        if rng.random() < 0.85:
            return rng.choice(listed)
        return rng.choice((rng.choice(self.ids[kind]), "B1234321", "L9999", "B00000001", ""))

    def arguments(self, rng, tool):
        customer = self.customer(rng)
        person = self.customers.get(customer) or self.customers["C1001"]
        anything = [entry for entries in self.ids.values() for entry in entries]
        made = {
            "phone_number": rng.choice((rng.choice(self.phones), person["phone_number"], "555-000-0000")),
            "customer_id": customer, "full_name": rng.choice((person["full_name"], person["full_name"].upper(), "Jo Nobody")),
            "dob": rng.choice((person["date_of_birth"], person["date_of_birth"], "1900-01-01")),
            "id": rng.choice((*rng.sample(anything, 5), "L1", "X1", "", "Bad")),
            "line_id": self.owned(rng, customer, "line"), "bill_id": self.owned(rng, customer, "bill"),
            "reason": "travel", "limit": rng.choice((12, 1, 2, 0, -1, -3, True, None, 100)), "summary": "help",
            "gb_amount": rng.choice((1, 2, 2.0, 0.5, 5, 0.1, 1e-3, 0, -1, True, 3.333, 1e9)),
            "mode": rng.choice(("4g_5g_preferred", "4g_only", "3g_only", "2g_only", "5g_only", "4G_ONLY", None, 4)),
            "apn_settings": self.apn(rng), "app_name": rng.choice(("messaging", "browser", "messaging", "camera", "Messaging")),
            "permission": rng.choice(self.PERMISSIONS),
        }
        parameters = self.tools[self.owner[tool]][tool]
        return {name: made[name] for name in parameters
                if not (tool == "get_bills_for_customer" and name == "limit" and rng.random() < 0.4)}

    def apn(self, rng):
        if rng.random() < 0.04:
            return values.odd(rng)
        texts = (None, "", "mms", "http://mms.carrier.com/mms/wapenc", "it's", 5, True, [], "x" * 60)
        entries = {
            "apn_name": ("internet", "internet", "broken", "INTERNET", "", 5, None, []),
            "reset_at_reboot": (True, False, "yes", "TRUE", "oN", " on", 0, 1, 2, 1.0, 0.5, 10**20, None, [], {}),
            "mms_apn": texts, "mmsc_url": texts, "mms_proxy": texts,
            "mms_port": (80, "80", " 80\t", "+8_0", "8__0", "0x50", "080", "80.00", "80.5", 80.0, 80.5, True, None, 10**30, 1e300,
                         -5, "", "\u0668", [], {"a": 1}),
            "apn_nam": ("internet",), "self": (1,), "extra": (None, 1.5, "v", [1]),
        }
        weights = (6, 3, 2, 4, 2, 4, 0.4, 0.2, 0.4)
        names = [name for name, weight in zip(entries, weights) if rng.random() < weight / 10]
        rng.shuffle(names)
        # Mostly the first of the list, which fits.
        return {name: entries[name][0] if rng.random() < 0.4 else rng.choice(entries[name]) for name in names}

    # Sequences of calls.

    def walk(self, rng, tools, count):
        for _ in range(count):
            tool = rng.choice(tools)
            arguments = self.arguments(rng, tool)
            if rng.random() < 0.04:
                arguments = values.spoil(rng, arguments, list(arguments))
            yield tool, arguments

    def walk_user(self, rng):
        tools = list(self.tools["user"])
        writes = [name for name in tools if not name.startswith(("check_", "run_", "can_"))]
        return self.walk(rng, tools + writes, rng.randint(4, 14))

    def walk_mixed(self, rng):
        agent = [name for name in self.tools["assistant"] if not name.startswith(("get_", "transfer"))]
        seen = ["check_payment_request", "make_payment", "reboot_device", "check_network_status", "run_speed_test",
                "toggle_roaming", "toggle_data", "can_send_mms", "get_bills_for_customer", "get_data_usage"]
        return self.walk(rng, agent + seen, rng.randint(5, 16))

    def walk_agent(self, rng):
        return self.walk(rng, list(self.tools["assistant"]), rng.randint(3, 10))

    def settings(self, rng):
        """APN settings and preferences, wrong ones among them, and what they do to the phone."""
        tools = ["set_apn_settings"] * 4 + ["set_network_mode_preference", "reset_apn_settings", "reboot_device",
                                            "check_apn_settings", "can_send_mms", "check_network_status",
                                            "check_network_mode_preference", "grant_app_permission"]
        return self.walk(rng, tools, rng.randint(4, 10))

    def faults(self, rng):
        for _ in range(rng.randint(3, 8)):
            tool = rng.choice(list(self.owner))
            arguments = self.arguments(rng, tool)
            form = rng.random()
            if form < 0.1:
                yield rng.choice(values.UNKNOWN_TOOLS), arguments, rng.choice(("user", "assistant"))
            elif form < 0.2:
                yield tool, arguments, rng.choice(("user", "assistant"))
            elif form < 0.9:
                yield tool, values.spoil(rng, arguments, list(arguments))
            else:
                yield tool, arguments

    # Before and after the calls.

    def initial(self, rng, task):
        actions = []
        if task is None and rng.random() < 0.85:
            person = rng.choice(list(self.customers.values()))
            phone = rng.choice((person["phone_number"], "555-123-2002", rng.choice(self.phones), "555-123-2002"))
            if rng.random() < 0.04:
                phone = rng.choice(("555-000-0000", "", 5))
            actions.append(("user", "set_user_info", {"name": person["full_name"], "phone_number": phone}))
        choices = (
            lambda: ("user", "set_user_location", {"abroad": rng.choice((True, True, False, 1, "", []))}),
            lambda: ("user", rng.choice((
                "turn_airplane_mode_on", "turn_airplane_mode_off", "unseat_sim_card", "turn_data_on", "turn_data_off",
                "turn_roaming_on", "turn_roaming_off", "turn_data_saver_mode_on", "turn_data_saver_mode_off",
                "break_apn_settings", "break_apn_mms_setting", "break_vpn", "simulate_network_search", "connect_vpn",
                "toggle_wifi", "no_such_function", "reseat_sim_card")), {}),
            lambda: ("user", "lock_sim_card", {"mode": rng.choice(("pin", "puk", "PIN", 1))}),
            lambda: ("user", "set_network_mode_preference", {"mode": rng.choice(("2g_only", "3g_only", "4g_only", "lte"))}),
            lambda: ("user", "set_wifi_calling", {"enabled": rng.choice((True, False)), **rng.choice(
                ({}, {"mms_over_wifi": True}, {"mms_over_wifi": False}))}),
            lambda: ("user", "remove_app_permission", {"app_name": rng.choice(("messaging", "browser", "camera")),
                                                       "permission": rng.choice(self.PERMISSIONS[:6])}),
            lambda: ("user", "update_db", {"update_data": self.phone_update(rng)}),
            lambda: ("assistant", "set_data_usage", {"customer_id": "C1001", "line_id": "L1002",
                                                     "data_used_gb": rng.choice((20, 15.0, 14.99, 0, 15.1, 1e3, "abc"))}),
            lambda: ("assistant", rng.choice(("enable_roaming", "disable_roaming", "resume_line")), {
                "customer_id": "C1001", "line_id": rng.choice(("L1001", "L1002", "L1003"))}),
            lambda: ("assistant", "suspend_line_for_overdue_bill", {
                "customer_id": "C1001", "line_id": "L1002", "new_bill_id": "B1234321",
                "contract_ended": rng.choice((True, False))}),
            lambda: ("assistant", "refuel_data", {"customer_id": "C1001", "line_id": "L1002", "gb_amount": rng.choice((2, 0.5, 0))}),
            lambda: ("assistant", "send_payment_request", {"customer_id": "C1001", "bill_id": rng.choice(
                self.customers["C1001"]["bill_ids"])}),
            lambda: ("assistant", "_apply_one_time_charge", {
                "customer_id": self.customer(rng), "amount": rng.choice((5, -3.5, 0.1, 0)), "description": "Fee"}),
            lambda: ("assistant", "_set_bill_to_paid", {"bill_id": rng.choice((*self.ids["bill"], "B9"))}),
            lambda: ("assistant", "get_available_plan_ids", {}),
        )
        actions += [rng.choice(choices)() for _ in range(rng.randint(1, 5))]
        return [{"env_type": party, "func_name": name, "arguments": arguments} for party, name, arguments in actions]

    def phone_update(self, rng):
        strengths = ("none", "poor", "fair", "good", "excellent", "great")
        device = {
            "sim_card_status": ("active", "locked_pin", "locked_puk", "ACTIVE"), "airplane_mode": (True, "yes", 0, "maybe"),
            "battery_level": (42, "42", 7.0, 42.5, ""), "wifi_enabled": (True, False), "wifi_connected": (True, False),
            "wifi_ssid": ("home", "", None), "data_enabled": (False, True, "off"), "vpn_enabled_setting": (True,),
            "network_connection_status": ("searching", "emergency_only", "no_service"),
            "active_apn_settings": ({"mms_port": "80"}, {"apn_name": "broken"}, {"mmsc_url": None}, {"x": 1}),
            "data_saver_mode": (True, 1, "no"), "unknown": (1,)}
        surroundings = {
            "is_abroad": (True, "true"), "roaming_allowed": (True,), "mobile_data_usage_exceeded": (True, 0),
            "signal_strength": tuple({rng.choice(("2G", "3G", "4G", "5G")): strength} for strength in strengths),
            "line_active": (False,), "payment_request": ({"bill_id": "B1002", "amount_due": rng.choice((5, "7.5", " 1_0.5 "))},
                                                         {"bill_id": "B1001", "amount_due": 1.5, "paid": True}, None)}
        update = {}
        for name, entries in (("device", device), ("surroundings", surroundings)):
            chosen = rng.sample(list(entries), rng.randint(0, 2))
            if chosen:
                update[name] = {key: rng.choice(entries[key]) for key in chosen}
        return update

    def assertion(self, rng):
        flag = {"expected_status": rng.choice((True, False))}
        line = {"customer_id": rng.choice(("C1001", "C1001", "C1002", "C9")), "line_id": rng.choice(("L1002", "L1002", "L1001"))}
        party, name, arguments = rng.choice((
            ("user", "assert_airplane_mode_status", flag), ("user", "assert_mobile_data_status", flag),
            ("user", "assert_mobile_roaming_status", flag), ("user", "assert_mobile_data_saver_mode_status", flag),
            ("user", "assert_can_send_mms", flag), ("user", "assert_mobile_data_usage_exceeded", flag),
            ("user", "assert_internet_not_excellent", {}),
            ("user", "assert_service_status", {"expected_status": rng.choice(("connected", "no_service", "searching", "none"))}),
            ("user", "assert_internet_speed", {"expected_speed": rng.choice((0, 200, 27.5, 0.05)), **rng.choice(
                ({}, {"expected_desc": "excellent"}, {"expected_desc": "Very Poor"}, {"expected_desc": "good"}))}),
            ("assistant", "assert_data_refueling_amount", {**line, "expected_amount": rng.choice((0, 2.0, 0.5, 1))}),
            ("assistant", "assert_line_status", {**line, "expected_status": rng.choice(("Active", "Suspended", "active"))}),
            ("assistant", "assert_overdue_bill_exists", {
                "customer_id": line["customer_id"], "overdue_bill_id": rng.choice(("B1234321", "B1002", "B9"))}),
            ("assistant", "assert_no_overdue_bill", {"overdue_bill_id": rng.choice(("B1234321", "B1001", "B9"))})))
        return {"env_type": party, "func": name, "args": arguments}


LINES = {"retail": RetailLines, "telecom": TelecomLines}


def open_text(path, mode):
    return gzip.open(path, mode + "t", encoding="utf-8") if path.endswith(".gz") else open(path, mode, encoding="utf-8")


def generate(domain, package, calls, seed, out):
    world = tau2_original.WORLDS[domain](package)
    lines = LINES[domain](world)
    made = number = errors = 0
    tools = Counter()
    with open_text(out, "w") as stream:
        while made < calls:
            # A line does not depend on how many were made before it.
            line = world.run(lines.line(random.Random(f"{domain}/{seed}/{number}"), number, seed))
            stream.write(json.dumps(line) + "\n")
            number += 1
            made += len(line["calls"])
            errors += sum(result["error"] for result in line["results"])
            tools.update(call["name"] for call in line["calls"])
    unused = [name for name in lines.tools if name not in tools] if domain == "retail" else [
        name for name in lines.owner if name not in tools]
    print(f"{out}: {number} lines, {made} calls, {errors} of them errors, Python {sys.version.split()[0]}"
          + (f"; never called: {', '.join(unused)}" if unused else ""))


def compare(domain, package, paths):
    world = tau2_original.WORLDS[domain](package)
    status = 0
    for path in paths:
        lines = calls = other_lines = other_calls = 0
        kinds = Counter()
        with open_text(path, "r") as stream:
            for recorded in map(json.loads, stream):
                found = world.run(recorded)
                lines += 1
                calls += len(recorded["calls"])
                if found == recorded:
                    continue
                other_lines += 1
                differing = [call["name"] for call, one, two in zip(recorded["calls"], recorded["results"], found["results"])
                             if one != two]
                other_calls += len(differing)
                kinds.update(differing or [key for key in recorded if recorded[key] != found[key]])
        print(f"{path}: {lines} lines, {calls} calls; {other_lines} lines and {other_calls} calls differ"
              + "".join(f"\n  {count} {kind}" for kind, count in kinds.most_common()))
        status |= other_lines > 0
    return int(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--domain", required=True, choices=sorted(LINES))
    parser.add_argument("--package", required=True)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", dest="out")
    parser.add_argument("--compare", nargs="+", metavar="FILE")
    options = parser.parse_args()
    if bool(options.out) == bool(options.compare):
        parser.error("give either -o FILE or --compare FILE...")
    if options.compare:
        return compare(options.domain, options.package, options.compare)
    generate(options.domain, options.package, options.calls, options.seed, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
