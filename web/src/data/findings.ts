/** What the page reads of `unmask.audit/1` (docs/schemas/audit.json). */

export interface Figure {
  value: number | null;
  low: number | null;
  high: number | null;
  reason?: string;
}

export interface Ratio {
  ratio: number | null;
  low: number | null;
  high: number | null;
  reason?: string;
}

export interface Channel {
  errors: number;
  rate: Figure;
  per_episode: Figure;
  per_successful_call: Figure;
  episodes_with: number;
  episodes_with_share: Figure;
  tasks_with: number;
  few_clusters: boolean;
  kinds?: Record<string, Channel>;
}

export interface ScorePoint extends Figure {
  k: number;
  episode_mean: number | null;
  lower: number | null;
  upper: number | null;
  vanished_failed: number | null;
  vanished_passed: number | null;
}

export interface RecoveryShare extends Figure {
  recovered: number;
  followed: number;
}

export interface Length {
  episodes: number;
  mean: Figure;
  median: Figure;
  p90: Figure;
}

export interface Budget {
  k: number | null;
  enforced: boolean;
  known: boolean;
  nominal: number | null;
  counts: "both" | "agent";
  evidence: string | null;
}

export interface Harness {
  name: string | null;
  version: string | null;
  git_commit: string | null;
  evidence: string | null;
}

export interface Arm {
  arm: string;
  reference: boolean;
  tasks: number;
  episodes: number;
  excluded: { infrastructure: number; no_reward: number };
  missing_trials: number;
  vanished: number;
  stopped_by_budget: number;
  contradictions: number;
  agent_calls: number;
  user_calls: number;
  agent_failed: number;
  user_failed: number;
  failed_rate: Figure;
  channels: Record<string, Channel>;
  communication_errors: number;
  infrastructure_errors: number;
  score: ScorePoint[];
  recovery: Record<"next_call" | "run" | "episode" | "repeat", RecoveryShare>;
  names: { name: string; count: number; provenance: string | null }[];
  lengths: Record<string, Length>;
  tokens: Record<string, Length>;
  identity: Record<string, string | boolean | null | Record<string, string>>;
  harness: Harness;
  budget: Budget;
  reward_basis: string[];
  inputs: number[];
}

export interface TestedPoints {
  k: number;
  points: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
  p_adjusted: number | null;
  reason?: string;
}

export interface Amplification extends Ratio {
  plain_ratio: number | null;
  p: number | null;
  p_adjusted: number | null;
  tested: boolean;
  in_family: boolean;
  amplified: boolean;
  quiet: boolean;
  longer_not_worse: boolean;
  errors_ref: number;
  errors_arm: number;
  tasks_with: number;
  per_call: Ratio;
  per_successful_call: Ratio;
}

export interface AttributionPoint {
  k: number;
  points_ref: number | null;
  points_arm: number | null;
  difference: number | null;
  low: number | null;
  high: number | null;
  reason?: string;
}

export interface FailureSet {
  names: number;
  spearman: number | null;
  kendall: number | null;
  ceiling: { median: number | null; low: number | null };
  novel_share: number | null;
  novel_expected: number | null;
  excess: Figure;
  outcome: string;
  reason?: string;
}

export type Verdict =
  | "visible_damage"
  | "masked_damage"
  | "amplified"
  | "budget_sensitive"
  | "improved"
  | "clean"
  | "inconclusive";

export interface Sensitivity {
  counts: "both" | "agent";
  how: "cumulative" | "consecutive";
  tested: "turn" | "call";
  ends: "reach" | "exceed";
  verdict: Verdict | "undecided";
}

/** Points lost if errors were `factor` times as many. */
export interface WhatIf {
  factor: number;
  points: { k: number; lost: number | null; low: number | null; high: number | null; reason?: string }[];
}

/** An arm's own log, screened. */
export interface ArmScreen {
  arm: string;
  risk: string;
  reasons: string[];
  k_obs: number;
  budgets: number[];
  what_if: WhatIf[];
}

/** What the reference's curve foretold of an arm, in points. */
export interface Foretold {
  factor: Figure;
  points: { k: number; predicted: Figure; observed: Figure; difference: Figure }[];
  reason?: string;
}

export interface Comparison {
  arm: string;
  reference: string;
  verdict: Verdict;
  suffix: string | null;
  sentence: string;
  reasons: string[];
  open: { sentence: string; tasks_needed: number | null }[];
  k_obs: number;
  censored: boolean;
  shared_tasks: number;
  left_out_tasks: number;
  not_equal: string[];
  gap: TestedPoints[];
  widening: TestedPoints[];
  area: { points: number | null; low: number | null; high: number | null; reason?: string };
  amplification: Record<string, Amplification>;
  attribution: Record<string, AttributionPoint[]>;
  equivalence: { k: number; margin: number; p: number | null; equivalent: boolean; non_inferior: boolean }[];
  failure_set: Record<string, FailureSet>;
  differences: Record<string, { difference: Figure; ratio: Figure }>;
  foretold?: Foretold;
  vanished_bounds: { apply: boolean; verdict_failed: Verdict | null; verdict_passed: Verdict | null };
  sensitivity: Sensitivity[];
}

export interface NoiseFloor {
  from_null_arm: boolean;
  arm: string | null;
  shared_tasks: number;
  gap: Figure;
  amplification: Record<string, Partial<Amplification>>;
  reason?: string;
}

export interface Cell {
  cell: string;
  domain: string | null;
  family: string | null;
  architecture: string | null;
  size: string | null;
  reference: string;
  arms: Arm[];
  comparisons: Comparison[];
  noise_floor: NoiseFloor;
  screen?: ArmScreen;
}

export interface Repair {
  cell: string;
  arm: string;
  unrepaired: string;
  mode: string | null;
  outcome: string;
  gap: TestedPoints[];
  gap_reference: TestedPoints[];
  recovered_share: Figure;
  harm_bound: number | null;
  p_adjusted: number | null;
  extra_tokens: Figure;
  extra_calls: Figure;
}

export interface Input {
  path: string;
  cell: string | null;
  arm: string | null;
  sha256: string | null;
  bytes: number;
  format: string | null;
  domain: string | null;
  timestamp: string | null;
  harness: Harness;
  budget: Budget;
  episodes: number;
  skipped: number;
}

export interface Warning {
  code: string;
  severity: string;
  file: string | null;
  episode: string | null;
  sentence: string;
}

export interface Findings {
  schema: "unmask.audit/1";
  unmask: { version: string; commit: string | null };
  settings: {
    alpha: number;
    margin: number;
    correction: "holm" | "benjamini_hochberg";
    budgets: number[];
    amplified_ratio: number;
    near_zero_rate: number;
    quiet_difference: number;
    novelty_margin: number;
    shown_budget: number;
    sign_flips: number;
    label_swaps: number;
    bootstrap: number;
  };
  seed: number;
  inputs: Input[];
  cells: Cell[];
  repairs: Repair[];
  study: {
    reason?: string;
    cells: number;
    spearman_amplification_widening: { value: number | null; p: number | null; reason?: string };
    predictors: { name: string; spearman: number | null; p: number | null; reason?: string }[];
    foretold?: { k: number; cells: number; spearman: number | null; p: number | null; mean_absolute_error: number | null; reason?: string };
    equivalent_cells: number;
    tested_cells: number;
    equivalence_tests: number;
    gaps_surviving: number;
    families: { scores: number; widening: number; amplification: number };
    channel_by_domain: Record<string, Record<string, number>>;
  };
  warnings: Warning[];
  warning_counts: Record<string, number>;
}
