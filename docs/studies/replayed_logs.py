#!/usr/bin/env python3
"""Makes the table of docs/replay.md from the logs themselves.

  replayed_logs.py --unmask build/release/src/unmask/cli/unmask           print it
  replayed_logs.py --unmask ... --check docs/replay.md    compare; status 1 if it differs
  replayed_logs.py --unmask ... --update docs/replay.md   write it into the page

Logs and data are looked for in `logs` and `tau2/data` of the folder that UNMASK_SHARED names, by default
../shared. Without them the status is 77, or 1 where UNMASK_REQUIRE_REFERENCE=1 says that they must be
there. The status is also 1 if a difference is unexplained, whatever the page says.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import made_tables  # noqa: E402  (it stands beside this file)

# Logs of tau2-bench's own worlds in which something was called.
CODESQUE = "codesque16__tau2-bench/docs/data/_gpt-5-nano__"
GENERATED = "bogoliubon__tau2-bench/evaluations/"
TRAINING = "sierra-research__tau2-bench/src/experiments/model_training/results/"
ORCHESTRA = ("sierra-research__tau2-bench/web/leaderboard/public/submissions/toolorchestra_nvidia_2025-12-02/"
             "trajectories/toolorchestra_retail_gpt-5_1trial")
TUNED = TRAINING + "ft_gpt-4.1-2025-04-14_sierra_tau2-full-sft_BzrYdMNm_"
LOGS = [
    ("WhissleAI, voice", "WhissleAI__tau2-bench-w/results/whissle/hd_retail_n5.json.gz"),
    ("bogoliubon, chloe, gpt-4o", GENERATED + "new_prompt/eval_chloe_gpt4o-refined_gpt-4o_test_2trial.json.gz"),
    ("bogoliubon, chloe, gpt-5-mini",
     GENERATED + "new_prompt/eval_chloe_gpt5mini-refined_gpt-4o_test_3trial.json.gz"),
    ("bogoliubon, tudor, gpt-5-mini",
     GENERATED + "new_prompt/eval_tudor_gpt5mini-refined_gpt-4o_test_1trial.json.gz"),
    ("bogoliubon, own tasks, 16:39", GENERATED + "retail/eval_generated_gpt-4o_20260308_163914.json.gz"),
    ("bogoliubon, own tasks, 20:47", GENERATED + "retail/eval_generated_gpt-4o_20260308_204752.json.gz"),
    ("codesque16, plain", CODESQUE + "base__all_"),
    ("codesque16, graph", CODESQUE + "mermaid_harness_v1__all_"),
    ("tau2-bench, gpt-4.1", TRAINING + "gpt-4.1_retail_defautl_gpt-4.1_1trials.json.gz"),
    ("tau2-bench, fine-tuned", TUNED + "retail_default_gpt-4.1_1trials.json.gz"),
    ("tau2-bench, gpt-4.1", TRAINING + "gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz"),
    ("tau2-bench, fine-tuned", TUNED + "telecom_default_gpt-4.1_1trials.json.gz"),
    ("tau2-bench, gpt-4.1", TRAINING + "gpt-4.1_telecom_no-user_gpt-4.1_1trials.json.gz"),
    ("tau2-bench, fine-tuned", TUNED + "telecom_no-user_gpt-4.1_1trials.json.gz"),
    ("toolorchestra, first version", ORCHESTRA + ".e52d1d07.json.gz"),
    ("toolorchestra", ORCHESTRA + ".json.gz"),
]
# Episodes that are judged as another task than the log says, as the page tells; 0 for the others.
OTHER_TASK = {"toolorchestra, first version": 114, "toolorchestra": 113}
HEAD = ["log", "world", "episodes", "calls", "differ", "why", "first reads", "differ", "rewards", "equal"]


def grouped(number):
    return f"{number:,}"


def row(label, log):
    causes = ", ".join(f"{cause} {grouped(count)}" for cause, count in log["calls"]["causes"].items() if count)
    reads = log["data_version"]["first_reads"]
    cells = [label, log["domain"] + (", solo" if log["solo"] else ""), grouped(log["episodes"]["replayed"]),
             grouped(log["calls"]["compared"]), grouped(log["calls"]["differ"]), causes,
             grouped(sum(read["reads"] for read in reads)), grouped(sum(read["differ"] for read in reads)),
             grouped(log["rewards"]["compared"]), grouped(log["rewards"]["equal"])]
    return "| " + " | ".join(cells) + " |"


def table(unmask, shared):
    files = [str(shared / "logs" / path) for _, path in LOGS]
    done = subprocess.run([unmask, "replay", "-q", "--format", "json", "--tau2-data", str(shared / "tau2/data"),
                           *files], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        sys.exit(done.stderr)
    logs = json.loads(done.stdout)["logs"]
    for (label, path), log in zip(LOGS, logs, strict=True):
        if log["calls"]["causes"]["unexplained"] or log["data_version"]["verdict"] != "same":
            sys.exit(f"{path}: {json.dumps(log['differences'], indent=1)}")
        if log["rewards"]["equal"] != log["rewards"]["compared"] or log["rewards"]["differences"]:
            sys.exit(f"{path}: {json.dumps(log['rewards'], indent=1)}")
        # What the page says in words below the table.
        parts = log["rewards"]["parts"]
        if log["calls"]["equal_as_values_only"] or any(part["other_number"] for part in parts.values()):
            sys.exit(f"{path}: {json.dumps([log['calls'], parts], indent=1)}")
        if log["episodes"]["judged_as_other_task"] != OTHER_TASK.get(label, 0):
            sys.exit(f"{path}: judged as another task: {log['episodes']['judged_as_other_task']}")
    lines = ["| " + " | ".join(HEAD) + " |", "|---|---|---:|---:|---:|---|---:|---:|---:|---:|"]
    lines += [row(label, log) for (label, _), log in zip(LOGS, logs, strict=True)]
    sums = [sum(log["episodes"]["replayed"] for log in logs), sum(log["calls"]["compared"] for log in logs),
            sum(log["calls"]["differ"] for log in logs)]
    rewards = [sum(log["rewards"][key] for log in logs) for key in ("compared", "equal")]
    lines.append("| all | | " + " | ".join(map(grouped, sums)) + " | | | | " + " | ".join(map(grouped, rewards)) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(made_tables.main(__doc__, lambda unmask, shared: {"replayed": table(unmask, shared)}))
