/** The name of the sum of all folders. */
export const TOTAL = 'all of it';

/** Least share of the branches of each folder, in percent: what a run has reached. They only rise. */
export const FLOORS = {
  '.': 100,
  'auto-scavenge': 85.2,
  backup: 84.3,
  bundle: 57.3,
  chunks: 91.3,
  codec: 95.1,
  database: 93.9,
  digest: 90.2,
  extraction: 78.9,
  index: 93.7,
  insight: 84.6,
  log: 92.8,
  proof: 93.2,
  records: 93.8,
  redaction: 73.7,
  repair: 85.5,
  replaced: 84.2,
  restore: 89.8,
  sample: 89.2,
  scavenge: 92,
  startup: 64.6,
  storage: 82.2,
  units: 60,
  verify: 89.8,
  [TOTAL]: 86.1
};
