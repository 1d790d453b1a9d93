"""Random lines of calls to the retail world, for tau2_vectors.py."""

import values


class RetailLines:
    STATUSES = ("pending", "delivered") * 3 + ("processed", "cancelled")

    def __init__(self, world):
        self.tools = world.tools
        self.tool_names = list(self.tools)
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
        self.kinds = (self.session, self.one_order, self.one_order, self.lookups, self.calculations,
                      self.faults, self.faults)

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
