/** The name of the sum of all folders. */
export const TOTAL = 'all of it';

/** Least share of the branches of each folder, in percent: what a run has reached. They only rise. */
export const FLOORS = {
  '.': 100,
  'auto-scavenge': 97.5,
  backup: 99.3,
  bundle: 97.7,
  chunks: 100,
  codec: 95.5,
  database: 94.8,
  digest: 99,
  extraction: 98.6,
  index: 98.5,
  insight: 97.5,
  log: 98.9,
  proof: 100,
  records: 99,
  redaction: 94.9,
  repair: 99.2,
  replaced: 96.3,
  restore: 99,
  sample: 98.6,
  scavenge: 99,
  startup: 90.3,
  storage: 96.3,
  units: 100,
  verify: 97,
  [TOTAL]: 98
};
