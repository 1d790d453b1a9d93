#!/usr/bin/env python3
"""Tokens and logits of models in the process against the binding llama-cpp-python, on the same files and texts.

  llama_logits_test.py --logits PROGRAM --work DIR [--sdist FILE] [MODEL...]

DIR keeps the binding (tests/differential/llama_venv) from run to run. Without models: one of random weights, and
what scripts/get-small-models has installed. Logits may differ by 1e-3 at most; tokens not at all. Status 77
(skipped) where the binding can't be had.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 1e-3
NO_WAY = ("pip could not", "needs Python")
TEXT = """<|im_start|>system
You answer with JSON. Tools: get_order, get_user, cancel_order. Ask before you change anything.<|im_end|>
<|im_start|>user
H\u00e9llo, where is my order #W4082615? I paid $1,299.00 for 2 lamps (\u65e5\u672c) on 2024-05-17.<|im_end|>
<|im_start|>assistant
{"tool": "get_order_details", "arguments": {"order_id": "#W4082615"}}"""


def small_models():
    data = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
    folder = pathlib.Path(data) / "unmask/models"
    return [path for path in sorted(folder.glob("*.gguf")) if path.stem.endswith(("q8_0", "q4_0", "sim3", "q4_k_m"))]


def compare(program, model, work):
    """With the binding in this process: how far logits of one file are apart."""
    import llama_cpp
    import numpy

    text = work / "text"
    text.write_text(TEXT, encoding="utf-8")
    done = subprocess.run([program, model, text, work / "logits"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{model}: {done.stderr}")
    told = json.loads(done.stdout)
    tokens, vocabulary, tail = told["tokens"], told["vocabulary"], told["tail"]
    ours = numpy.fromfile(work / "logits", dtype=numpy.float32).reshape(-1, vocabulary)
    each, end, tree = ours[:len(tokens)], ours[len(tokens)], ours[len(tokens) + 1:]

    # Batches of the same size: others round otherwise.
    theirs = llama_cpp.Llama(str(model), n_ctx=512, n_batch=64, n_ubatch=64, n_threads=1, n_threads_batch=1,
                             flash_attn=True, swa_full=True, logits_all=True, verbose=False)
    if theirs.n_vocab() != vocabulary:
        sys.exit(f"{model}: {vocabulary} tokens, the binding has {theirs.n_vocab()}")
    their_tokens = theirs.tokenize(TEXT.encode(), add_bos=True, special=True)
    if their_tokens != tokens:
        sys.exit(f"{model}: tokens differ: {tokens}, {their_tokens}")
    theirs.eval(tokens)
    expected = theirs.scores[:len(tokens)].copy()
    theirs.reset()
    theirs.eval(tokens[:-tail])
    theirs.eval(tokens[-tail:])
    expected_tree = theirs.scores[len(tokens) - tail - 1:len(tokens)]
    if tree.shape != expected_tree.shape:
        sys.exit(f"{model}: {tree.shape} logits of the tree, {expected_tree.shape} are expected")
    apart = {
        "each position": numpy.abs(each - expected).max(),
        "end": numpy.abs(end - expected[-1]).max(),
        "tree": numpy.abs(tree - expected_tree).max(),
    }
    spread = float(expected.std())
    print(f"{pathlib.Path(model).name}: {len(tokens)} tokens, logits apart at most "
          + ", ".join(f"{what} {value:.2g}" for what, value in apart.items())
          + f" (their standard deviation is {spread:.2g})", flush=True)
    # A comparison of zeros or of nothing would pass, too.
    return spread > 0.1 and bool(numpy.isfinite(ours).all()) and all(value <= TOLERANCE for value in apart.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--logits", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--sdist", type=pathlib.Path)
    parser.add_argument("--with-binding", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    program = options.logits.resolve()
    if options.with_binding:
        with tempfile.TemporaryDirectory() as folder:
            good = [compare(program, model, pathlib.Path(folder)) for model in options.models]
        sys.exit(0 if good and all(good) else 1)
    sdist = ["--sdist", options.sdist.resolve()] if options.sdist else []
    made = subprocess.run([HERE / "llama_venv", options.work.resolve(), *sdist], capture_output=True, text=True,
                          check=False)
    if made.returncode:
        print(made.stderr)
        sys.exit(77 if any(text in made.stderr for text in NO_WAY) else 1)
    tiny = options.work.resolve() / "tiny.gguf"
    subprocess.run([program, "tiny", tiny], check=True)
    models = options.models or [tiny, *small_models()]
    # In the environment's own interpreter.
    sys.exit(subprocess.run([options.work / "bin/python", __file__, "--logits", program, "--work", options.work,
                             "--with-binding", *models], check=False).returncode)


if __name__ == "__main__":
    main()
