"""Random lines of calls to the telecom world, for tau2_vectors.py."""

import values


class TelecomLines:
    PERMISSIONS = ("sms", "storage", "phone", "network", "SMS", "Network", "camera", "", "sms ")

    def __init__(self, world):
        self.world = world
        self.tools = world.tools
        self.owner = {name: party for party, tools in self.tools.items() for name in tools}
        self.tool_names = list(self.owner)
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
        line = {"id": f"d{seed}-{number:05d}", "cat": make.__name__ + ("_solo" if solo else ""),
                "task_id": task, "solo_mode": solo}
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
        if rng.random() < 0.95:
            return rng.choice(("C1001",) * 6 + tuple(self.customers))
        return rng.choice(("C9", "c1001", "", "L1001"))

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
            "customer_id": customer,
            "full_name": rng.choice((person["full_name"], person["full_name"].upper(), "Jo Nobody")),
            "dob": rng.choice((person["date_of_birth"], person["date_of_birth"], "1900-01-01")),
            "id": rng.choice((*rng.sample(anything, 5), "L1", "X1", "", "Bad")),
            "line_id": self.owned(rng, customer, "line"), "bill_id": self.owned(rng, customer, "bill"),
            "reason": "travel", "limit": rng.choice((12, 1, 2, 0, -1, -3, True, None, 100)), "summary": "help",
            "gb_amount": rng.choice((1, 2, 2.0, 0.5, 5, 0.1, 1e-3, 0, -1, True, 3.333, 1e9)),
            "mode": rng.choice(("4g_5g_preferred", "4g_only", "3g_only", "2g_only", "5g_only", "4G_ONLY", None, 4)),
            "apn_settings": self.apn(rng),
            "app_name": rng.choice(("messaging", "browser", "messaging", "camera", "Messaging")),
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
            "mms_port": (80, "80", " 80\t", "+8_0", "8__0", "0x50", "080", "80.00", "80.5", 80.0, 80.5, True, None,
                         10**30, 1e300, -5, "", "\u0668", [], {"a": 1}),
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
            lambda: ("user", "set_network_mode_preference", {
                "mode": rng.choice(("2g_only", "3g_only", "4g_only", "lte"))}),
            lambda: ("user", "set_wifi_calling", {"enabled": rng.choice((True, False)), **rng.choice(
                ({}, {"mms_over_wifi": True}, {"mms_over_wifi": False}))}),
            lambda: ("user", "remove_app_permission", {"app_name": rng.choice(("messaging", "browser", "camera")),
                                                       "permission": rng.choice(self.PERMISSIONS[:6])}),
            lambda: ("user", "update_db", {"update_data": self.phone_update(rng)}),
            lambda: ("assistant", "set_data_usage", {
                "customer_id": "C1001", "line_id": "L1002",
                "data_used_gb": rng.choice((20, 15.0, 14.99, 0, 15.1, 1e3, "abc"))}),
            lambda: ("assistant", rng.choice(("enable_roaming", "disable_roaming", "resume_line")), {
                "customer_id": "C1001", "line_id": rng.choice(("L1001", "L1002", "L1003"))}),
            lambda: ("assistant", "suspend_line_for_overdue_bill", {
                "customer_id": "C1001", "line_id": "L1002", "new_bill_id": "B1234321",
                "contract_ended": rng.choice((True, False))}),
            lambda: ("assistant", "refuel_data", {
                "customer_id": "C1001", "line_id": "L1002", "gb_amount": rng.choice((2, 0.5, 0))}),
            lambda: ("assistant", "send_payment_request", {"customer_id": "C1001", "bill_id": rng.choice(
                self.customers["C1001"]["bill_ids"])}),
            lambda: ("assistant", "_apply_one_time_charge", {
                "customer_id": self.customer(rng), "amount": rng.choice((5, -3.5, 0.1, 0)), "description": "Fee"}),
            lambda: ("assistant", "_set_bill_to_paid", {"bill_id": rng.choice((*self.ids["bill"], "B9"))}),
            lambda: ("assistant", "get_available_plan_ids", {}),
        )
        actions += [rng.choice(choices)() for _ in range(rng.randint(1, 5))]
        return [{"env_type": party, "func_name": name, "arguments": arguments}
                for party, name, arguments in actions]

    def phone_update(self, rng):
        strengths = ("none", "poor", "fair", "good", "excellent", "great")
        device = {
            "sim_card_status": ("active", "locked_pin", "locked_puk", "ACTIVE"),
            "airplane_mode": (True, "yes", 0, "maybe"),
            "battery_level": (42, "42", 7.0, 42.5, ""), "wifi_enabled": (True, False),
            "wifi_connected": (True, False),
            "wifi_ssid": ("home", "", None), "data_enabled": (False, True, "off"), "vpn_enabled_setting": (True,),
            "network_connection_status": ("searching", "emergency_only", "no_service"),
            "active_apn_settings": ({"mms_port": "80"}, {"apn_name": "broken"}, {"mmsc_url": None}, {"x": 1}),
            "data_saver_mode": (True, 1, "no"), "unknown": (1,)}
        surroundings = {
            "is_abroad": (True, "true"), "roaming_allowed": (True,), "mobile_data_usage_exceeded": (True, 0),
            "signal_strength": tuple({rng.choice(("2G", "3G", "4G", "5G")): strength} for strength in strengths),
            "line_active": (False,),
            "payment_request": ({"bill_id": "B1002", "amount_due": rng.choice((5, "7.5", " 1_0.5 "))},
                                {"bill_id": "B1001", "amount_due": 1.5, "paid": True}, None)}
        update = {}
        for name, entries in (("device", device), ("surroundings", surroundings)):
            chosen = rng.sample(list(entries), rng.randint(0, 2))
            if chosen:
                update[name] = {key: rng.choice(entries[key]) for key in chosen}
        return update

    def assertion(self, rng):
        flag = {"expected_status": rng.choice((True, False))}
        line = {"customer_id": rng.choice(("C1001", "C1001", "C1002", "C9")),
                "line_id": rng.choice(("L1002", "L1002", "L1001"))}
        party, name, arguments = rng.choice((
            ("user", "assert_airplane_mode_status", flag), ("user", "assert_mobile_data_status", flag),
            ("user", "assert_mobile_roaming_status", flag), ("user", "assert_mobile_data_saver_mode_status", flag),
            ("user", "assert_can_send_mms", flag), ("user", "assert_mobile_data_usage_exceeded", flag),
            ("user", "assert_internet_not_excellent", {}),
            ("user", "assert_service_status", {
                "expected_status": rng.choice(("connected", "no_service", "searching", "none"))}),
            ("user", "assert_internet_speed", {"expected_speed": rng.choice((0, 200, 27.5, 0.05)), **rng.choice(
                ({}, {"expected_desc": "excellent"}, {"expected_desc": "Very Poor"}, {"expected_desc": "good"}))}),
            ("assistant", "assert_data_refueling_amount", {
                **line, "expected_amount": rng.choice((0, 2.0, 0.5, 1))}),
            ("assistant", "assert_line_status", {
                **line, "expected_status": rng.choice(("Active", "Suspended", "active"))}),
            ("assistant", "assert_overdue_bill_exists", {
                "customer_id": line["customer_id"], "overdue_bill_id": rng.choice(("B1234321", "B1002", "B9"))}),
            ("assistant", "assert_no_overdue_bill", {"overdue_bill_id": rng.choice(("B1234321", "B1001", "B9"))})))
        return {"env_type": party, "func": name, "args": arguments}
