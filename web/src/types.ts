/** The answers of the server, as its OpenAPI description has them. */

export type Verdict = "accepted" | "rejected" | "later";
export type Status = "all" | "open" | Verdict;

export interface Link {
  rank: number | null;
  source: number;
  target: number;
  relation: number | null;
  source_name: string;
  target_name: string;
  relation_name: string | null;
  score: number;
  log_odds: number;
  probability: number;
  verdict: Verdict | null;
  is_link?: boolean;
}

export interface Counts {
  accepted: number;
  rejected: number;
  later: number;
  open: number;
}

export interface Metric {
  id: string;
  label: string;
  value: number;
  low: number | null;
  high: number | null;
}

export interface Model {
  name: string;
  graph: {
    nodes: number;
    links: number;
    task: "pairs" | "triples";
    directed: boolean;
    sides: string[] | null;
    features: number | null;
    drawing: "map" | "network";
    relations: string[] | null;
    digest: string;
  };
  model: { id: string; title: string; digest: string };
  metrics: Metric[];
  prior: number;
  ranked: number;
  candidates: string;
  counts: Counts;
  limits: { upload_bytes: number; score_pairs: number; page_rows: number };
  can_train: boolean;
}

export interface DrawingData {
  kind: "map" | "network";
  x: number[] | null;
  y: number[] | null;
  degree: number[];
  edges: number[];
  shown: number[] | null;
  num_nodes: number;
}

export interface Node {
  id: number;
  name: string;
  degree: number;
}

export interface Group {
  kind: string;
  text: string;
  contribution: number;
  error: number;
  score_without: number;
  effect: "raises" | "lowers" | "unclear";
  note: string;
  paths: number[][];
}

export interface Explanation {
  link: Link;
  baseline: number;
  score: number;
  share: number;
  unit: string;
  groups: Group[];
  degrees: number[];
  num_common: number | null;
  num_scores: number;
  text: string;
}

export interface Bin {
  low: number;
  high: number;
  predicted: number;
  observed: number;
  count: number;
}

export interface Reliability {
  bins: Bin[];
  own: Bin[];
}

export interface Progress {
  step: number;
  steps: number;
  metric: number | null;
  seconds_left: number | null;
}

export interface Inspection {
  lines: string[];
  columns: string[] | null;
  chosen: Record<string, string | null | undefined>;
  nodes: number;
  links: number;
}

export type JobState = "reading" | "read" | "training" | "finished" | "failed" | "cancelled";

export interface Job {
  id: string;
  state: JobState;
  file: string | null;
  inspection: Inspection | null;
  progress: Progress | null;
  message: string | null;
}
