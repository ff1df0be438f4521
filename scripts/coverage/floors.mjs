/** The name of the sum of all folders. */
export const TOTAL = 'all of it';

/** Least share of the branches of each folder, in percent: what a run has reached. They only rise. */
export const FLOORS = {
  '.': 100,
  'auto-scavenge': 97.5,
  backup: 94.3,
  bundle: 89.7,
  chunks: 92.8,
  codec: 95.5,
  database: 94.8,
  digest: 93.7,
  extraction: 88.2,
  index: 94.7,
  insight: 89.6,
  log: 96.3,
  proof: 97.5,
  records: 95.1,
  redaction: 79.6,
  repair: 93,
  replaced: 88.9,
  restore: 96.6,
  sample: 91,
  scavenge: 95.4,
  startup: 83.6,
  storage: 86,
  units: 95.3,
  verify: 93.1,
  [TOTAL]: 92.8
};
