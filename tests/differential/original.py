"""The worlds of the original tau2-bench, run on vector lines in the formats of retail SPEC 14 and telecom
SPEC 18. Needs the environment that tests/differential/venv makes; only the original's own code decides.

`Retail(package).run(line)` and `Telecom(package).run(line)` take a line with what is to be done (calls; for
telecom also task_id, solo_mode, init_actions and assertions) and return it with what came of it.

Two things are held fixed, as in the reference vectors: the ids of new bills count up from B00000001, and the
VPN details that all of the original's environments share are renewed for each line.
"""

import copy
import hashlib
import json
import pathlib
import sys
import types
import warnings


def load(package):
    """Makes `import tau2` find the package in the folder `package`, quietly."""
    sys.path.insert(0, str(pathlib.Path(package).resolve()))
    from loguru import logger
    logger.remove()  # logs only; no behaviour
    warnings.simplefilter("ignore")  # of expressions such as 2(3), and of states that hold a wrong type


def call_all(environment, calls, after_each=None):
    """[{content, error}] of the calls, as tool messages have them."""
    from tau2.data_model.message import ToolCall
    results = []
    for call in calls:
        message = environment.get_response(ToolCall(id="call", **call))
        results.append({"content": message.content, "error": message.error})
        if after_each:
            after_each()
    return results


def plain(value):
    """A returned value as JSON has it."""
    return json.loads(json.dumps(value, default=lambda entry: entry.model_dump()
                                 if hasattr(entry, "model_dump") else str(entry)))


class Retail:
    """One database for all lines: what a line may have touched is put back after it.

    A call reaches orders and users only by an id in its arguments, and the user of such an order. The hash is
    made of the texts of all entities, of which only the touched ones are rendered anew; every
    `check_every`-th line holds it against the original's own hash, before and after putting back.
    """

    def __init__(self, package, check_every=200):
        load(package)
        from tau2.domains.retail.environment import get_environment
        self.environment = get_environment()
        self.database = self.environment.tools.db
        self.tools = {name: list(tool.params.model_fields)
                      for name, tool in self.environment.tools.get_tools().items()}
        self.pristine = {kind: {key: entity.model_copy(deep=True) for key, entity in table.items()}
                         for kind, table in self._tables().items()}
        self.texts = {kind: {key: self._text(key, entity) for key, entity in table.items()}
                      for kind, table in self._tables().items()}
        self.order = {kind: sorted(table) for kind, table in self.texts.items()}
        products = {key: product.model_dump() for key, product in self.database.products.items()}
        self.products_text = json.dumps(products, sort_keys=True, default=str)
        self.pristine_hash = self.environment.get_db_hash()
        self.check_every, self.lines = check_every, 0

    def _tables(self):
        return {"orders": self.database.orders, "users": self.database.users}

    @staticmethod
    def _text(key, entity):
        return f"{json.dumps(key)}: {json.dumps(entity.model_dump(), sort_keys=True, default=str)}"

    def _touched(self, calls):
        orders, users = self.database.orders, self.database.users
        ids = {value for call in calls for value in call["arguments"].values() if isinstance(value, str)}
        touched = [("orders", key) for key in ids if key in orders]
        named = [key for key in ids if key in users]
        return touched + [("users", key) for key in {*named, *(orders[key].user_id for _, key in touched)}]

    def _hash(self, touched):
        tables = self._tables()
        texts = {kind: dict(table) for kind, table in self.texts.items()} if touched else self.texts
        for kind, key in touched:
            texts[kind][key] = self._text(key, tables[kind][key])
        joined = {kind: ", ".join([texts[kind][key] for key in keys]) for kind, keys in self.order.items()}
        whole = (f'{{"orders": {{{joined["orders"]}}}, "products": {self.products_text}, '
                 f'"users": {{{joined["users"]}}}}}')
        return hashlib.sha256(whole.encode()).hexdigest()

    def run(self, line):
        touched = self._touched(line["calls"])
        hashes = []
        each = (lambda: hashes.append(self._hash(touched))) if "db_hash_after_each" in line else None
        results = call_all(self.environment, line["calls"], each)
        done = {key: line[key] for key in ("id", "kind", "calls")}
        done["results"] = results
        if each:
            done["db_hash_after_each"] = hashes
        done["db_hash_after"] = self._hash(touched)
        check = self.lines % self.check_every == 0
        self.lines += 1
        if check and self.environment.get_db_hash() != done["db_hash_after"]:
            raise AssertionError(f"{line['id']}: the hash made of parts is not the original's")
        for kind, key in touched:
            self._tables()[kind][key] = self.pristine[kind][key].model_copy(deep=True)
        if check and self.environment.get_db_hash() != self.pristine_hash:
            raise AssertionError(f"{line['id']}: it left something behind")
        return done


class Telecom:
    """A new environment for each line."""

    def __init__(self, package):
        load(package)
        from tau2.domains.telecom import environment, tools, user_tools, utils
        from tau2.utils import load_file
        self.original, self.agent_tools, self.user_tools = environment, tools, user_tools
        self.data = load_file(utils.TELECOM_DB_PATH)
        self.user_data = load_file(utils.TELECOM_USER_DB_PATH)
        self.vpn = user_tools.TelecomUserTools.default_vpn_details.model_copy(deep=True)
        split = environment.get_tasks_split()
        wanted = {*split["base"], *split["small"]}
        self.tasks = {task["id"]: task for task in load_file(utils.TELECOM_TASK_SET_PATH) if task["id"] in wanted}
        sample = self._environment(False)
        self.tools = {party: {name: list(tool.params.model_fields) for name, tool in kit.get_tools().items()}
                      for party, kit in (("assistant", sample.tools), ("user", sample.user_tools))}

    def _environment(self, solo_mode):
        self.user_tools.TelecomUserTools.default_vpn_details = self.vpn.model_copy(deep=True)
        made = iter(range(1, 1 << 32))
        self.agent_tools.uuid = types.SimpleNamespace(
            uuid4=lambda: types.SimpleNamespace(hex=f"{next(made):08x}"))
        return self.original.get_environment(
            db=self.original.TelecomDB.model_validate(copy.deepcopy(self.data)),
            user_db=self.original.TelecomUserDB.model_validate(copy.deepcopy(self.user_data)), solo_mode=solo_mode)

    def _start(self, environment, task_id):
        from tau2.data_model.tasks import EnvFunctionCall
        state = self.tasks[task_id]["initial_state"] or {}
        actions = [EnvFunctionCall(**action) for action in state.get("initialization_actions") or []]
        environment.set_state(initialization_data=None, initialization_actions=actions, message_history=[])

    @staticmethod
    def _run_function(environment, env_type, name, arguments):
        from tau2.data_model.tasks import EnvFunctionCall
        call = EnvFunctionCall(env_type=env_type, func_name=name, arguments=arguments)
        try:
            return plain(environment.run_env_function_call(call)), None
        except Exception as error:  # whatever the original raises is the result
            return None, f"{type(error).__name__}: {error}"

    def run(self, line):
        environment = self._environment(line["solo_mode"])
        if line["task_id"] is not None:
            self._start(environment, line["task_id"])
        done = {key: line[key] for key in ("id", "cat", "task_id", "solo_mode")}
        if "init_actions" in line:
            done["init_actions"] = line["init_actions"]
            done["init_results"] = []
            for action in line["init_actions"]:
                value, error = self._run_function(environment, action["env_type"], action["func_name"],
                                                  copy.deepcopy(action["arguments"]))
                done["init_results"].append({"value": value, "error": error})
        trace = []

        def hashes():
            trace.append([environment.get_db_hash()[:12], environment.get_user_db_hash()[:12]])

        done["calls"] = line["calls"]
        done["results"] = call_all(environment, copy.deepcopy(line["calls"]), hashes)
        done["trace"] = trace
        done["agent_db_hash_after"] = environment.get_db_hash()
        done["user_db_hash_after"] = environment.get_user_db_hash()
        done["assertions"] = []
        for assertion in line["assertions"]:
            value, error = self._run_function(environment, assertion["env_type"], assertion["func"],
                                              copy.deepcopy(assertion["args"]))
            entry = {key: assertion[key] for key in ("env_type", "func", "args")}
            done["assertions"].append({**entry, "value": value, **({"error": error} if error else {})})
        return done


WORLDS = {"retail": Retail, "telecom": Telecom}
