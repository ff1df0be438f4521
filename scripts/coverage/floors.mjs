/** The name of the sum of all folders. */
export const TOTAL = 'all of it';

/** Least share of the branches of each folder, in percent: what a run has reached. They only rise. */
export const FLOORS = {
  '.': 100,
  'auto-scavenge': 92.2,
  backup: 94,
  bundle: 82.4,
  chunks: 92.8,
  codec: 95.5,
  database: 94.7,
  digest: 93.5,
  extraction: 87.8,
  index: 93.9,
  insight: 88.8,
  log: 94.9,
  proof: 94.3,
  records: 95.1,
  redaction: 77.8,
  repair: 90.9,
  replaced: 87.8,
  restore: 95.6,
  sample: 89.2,
  scavenge: 94.3,
  startup: 81.9,
  storage: 85.4,
  units: 94.4,
  verify: 92.4,
  [TOTAL]: 91.3
};
