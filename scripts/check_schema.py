#!/usr/bin/env python3
"""check_schema.py SCHEMA FILE...: says whether each JSON file fits the JSON Schema.

A FILE `-` is standard input. Exit status 1 if a file does not fit, 2 on wrong usage or if a file or
the schema can't be read. NaN and Infinity, which are no JSON, are refused.
"""

import json
import sys

import jsonschema

SHOWN_ERRORS = 20


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON number")


def load(path):
    stream = sys.stdin if path == "-" else open(path, encoding="utf-8")
    with stream:
        return json.load(stream, parse_constant=refuse_constant)


def place(path):
    return "/" + "/".join(str(part) for part in path)


def check(validator, path):
    """Returns True if the file fits; prints what does not."""
    errors = sorted(validator.iter_errors(load(path)), key=lambda error: list(map(str, error.path)))
    for error in errors[:SHOWN_ERRORS]:
        print(f"{path}: {place(error.path)}: {error.message[:300]}", file=sys.stderr)
    if len(errors) > SHOWN_ERRORS:
        print(f"{path}: {len(errors) - SHOWN_ERRORS} more", file=sys.stderr)
    return not errors


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        schema = load(arguments[0])
        cls = jsonschema.validators.validator_for(schema, default=None)
        if cls is None:
            print(f"{arguments[0]}: '$schema' is missing or unknown", file=sys.stderr)
            return 2
        cls.check_schema(schema)
        validator = cls(schema)
        fits = [check(validator, path) for path in arguments[1:]]
    except jsonschema.SchemaError as error:
        print(f"{arguments[0]}: not a JSON Schema: {error.message}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"check_schema: {error}", file=sys.stderr)
        return 2
    print(f"{sum(fits)} of {len(fits)} files fit {arguments[0]}")
    return 0 if all(fits) else 1


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
