"""Random values and expressions for the lines of calls: what a model might write instead of what is asked for."""

# Rare enough that most calls get past them; each wrong in another way.
ODD = (None, True, False, 0, 1, -1, 2, 12, 3.5, -0.0, 1e-7, 1e16, 1.5e22, 10**30, "", " ", "x", "0", "None",
       "null", "#W0000000", "it's", 'say "hi"', "both ' and \"", "back\\slash", "line\nbreak", "tab\there",
       "caf\u00e9", "\u212a", "\u0130x", "\U0001f4f6 bars", "no\u00a0break", "zero\u200bwidth", "\x7f", "a" * 60,
       "\u00e9" * 40, "ab'" * 30, [], ["x"], [1, "a"], [[]], [None, True, 2.5], {}, {"a": 1},
       {"k": [1.0, None, "v"]}, {"it's": {}}, {"self": 1})

EXTRA_NAMES = ("extra", "id", "kwargs", "args", "db", "customer", "order", "Order_id", "limit ", "",
               "na\u00efve", "a'b")
RESERVED_NAMES = ("self", "tool_name", "requestor")
UNKNOWN_TOOLS = ("", " ", "get_order", "Get_order_details", "get_order_details ", "think", "done", "db",
                 "tools", "_get_order", "use_tool", "update_db", "get_tools", "check_battery",
                 "assert_line_status", "set_user_info", "simulate_network_search", "lookup", "caf\u00e9", "it's", "a\nb", "search_products", "__init__")


def odd(rng):
    return rng.choice(ODD)


def spoil(rng, arguments, parameters):
    """The arguments with one or two faults."""
    arguments = dict(arguments)
    for _ in range(rng.choice((1, 1, 1, 2))):
        fault = rng.random()
        names = list(arguments)
        if fault < 0.5 and names:
            arguments[rng.choice(names)] = odd(rng)
        elif fault < 0.65 and names:
            del arguments[rng.choice(names)]
        elif fault < 0.8:
            arguments = insert(rng, arguments, rng.choice(EXTRA_NAMES), odd(rng))
        elif fault < 0.9:
            arguments = insert(rng, arguments, rng.choice(RESERVED_NAMES), odd(rng))
        elif names:
            name = rng.choice(names)
            arguments = {(rng.choice([key.upper(), key + "s", "_" + key]) if key == name else key): value
                         for key, value in arguments.items()}
        else:
            arguments = {name: odd(rng) for name in parameters}
    return arguments


def insert(rng, arguments, name, value):
    """The arguments with one more somewhere: the order decides which fault is named."""
    entries = [entry for entry in arguments.items() if entry[0] != name]
    entries.insert(rng.randint(0, len(entries)), (name, value))
    return dict(entries)


def shuffled(rng, arguments):
    entries = list(arguments.items())
    rng.shuffle(entries)
    return dict(entries)


def number(rng):
    form = rng.random()
    if form < 0.35:
        return f"{rng.randint(0, 3000)}.{rng.randint(0, 99):02d}"
    if form < 0.75:
        return str(rng.choice((rng.randint(0, 9), rng.randint(0, 999), rng.randint(0, 10**12))))
    return rng.choice(("0", "0.0", "00", "007", "09.5", ".5", "5.", "1.005", "2.675", "0.1", "1" * 30, "9" * 320,
                       "0." + "0" * 20 + "1", "...", ""))


def expression(rng, depth=3):
    """A mostly well-formed expression, without powers."""
    form = rng.random()
    if depth == 0 or form < 0.3:
        return number(rng)
    if form < 0.75:
        space = rng.choice(("", " ", " ", "  "))
        operator = rng.choice(("+", "-", "*", "/", "+", "-", "*", "//"))
        return f"{expression(rng, depth - 1)}{space}{operator}{space}{expression(rng, depth - 1)}"
    if form < 0.9:
        return f"({expression(rng, depth - 1)})"
    if form < 0.97:
        return rng.choice(("-", "+", "- ", "--")) + expression(rng, depth - 1)
    return f"{expression(rng, depth - 1)}({expression(rng, 0)})"  # Python reads a call


def power(rng):
    """One power of small numbers: larger ones keep the original busy for hours."""
    def small():
        return rng.choice((str(rng.randint(0, 30)), f"{rng.randint(0, 9)}.{rng.randint(0, 99)}",
                           "(-2)", "(1/3)", "0", "-1"))
    form = rng.choice(("{}**{}", "{} ** {} + {}", "-{}**{}", "{}**-{}", "({}**{})/{}"))
    return form.format(small(), small(), small())


def junk(rng):
    """Characters that calculate admits, in any order, without powers."""
    text = "".join(rng.choice("0123456789+-*/(). ") for _ in range(rng.randint(1, 14)))
    return text.replace("**", "*+") if "**" in text else text


def calculation(rng):
    form = rng.random()
    if form < 0.55:
        text = expression(rng)
    elif form < 0.65:
        text = power(rng)
    elif form < 0.85:
        text = junk(rng)
    elif form < 0.93:
        text = expression(rng, 1) + rng.choice((" USD", ",", "%", "\t+ 1", "\n", "e5", "_0", "\u0665", "$",
                                                "==1", "; 1"))
    else:
        return odd(rng)
    return rng.choice((text, text, text, f" {text}", f"{text} "))
