/** What the page reads of `unmask.margins/1` (docs/schemas/margins.json). */

import type { Figure } from "./findings";

export interface ScoredArm {
  name: string;
  model: string | null;
  precision: string | null;
  bits_per_weight: number | null;
}

export interface FlipMatrix {
  good_good: number;
  good_bad: number;
  bad_good: number;
  bad_bad: number;
}

export interface Flips {
  decisions: number;
  flipped: number;
  observed: Figure;
  predicted: Figure;
  predicted_empirical: Figure;
  difference: Figure;
}

export interface CalibrationBin {
  low: number;
  high: number;
  mean: number;
  decisions: number;
  flipped: number;
  predicted: number | null;
  observed: Figure;
}

export interface HistogramBin extends FlipMatrix {
  low: number;
  high: number;
}

export interface Mass {
  temperature: number;
  decisions: number;
  reference: Figure;
  arm: Figure;
  amplification: Figure;
}

export interface MarginGroup {
  by: "kind" | "provenance";
  name: string;
  side: "admissible" | "golden";
  decisions: number;
  paired: number;
  tasks: number;
  left_out: { reason: string; reference: number; arm: number }[];
  window: number | null;
  inside: number;
  bias: Figure;
  sigma: Figure;
  slope: Figure;
  thin_share: Figure;
  matrix: FlipMatrix;
  flips: { good: Flips; bad: Flips };
  calibration: { bins: CalibrationBin[]; reason?: string };
  histogram: HistogramBin[];
  side_test: { decisions: number; auc_thinness: Figure; auc_divergence: Figure; auc_difference: Figure };
  mass?: Mass[];
  /** Index of the decision, its margin in the reference, in the arm. */
  points?: [number, number, number][];
}

export interface CarrierDecision {
  task: string;
  trial: number;
  message: number;
  admissible: string | null;
  inadmissible: string | null;
  provenance: string | null;
  mass_reference: number | null;
  mass_arm: number | null;
  flipped: boolean;
}

export interface MarginComparison {
  arm: ScoredArm;
  control: boolean;
  groups: MarginGroup[];
  carriers: { rise: number; listed_rise: number; decisions: CarrierDecision[] };
}

export interface Margins {
  schema: string;
  reference: ScoredArm;
  decisions: number;
  tasks: number;
  episodes: number;
  reason?: string;
  comparisons: MarginComparison[];
}
