/** Words for the health of a node: the same everywhere. */
export const healthTexts = {
  health: {
    word: {
      unknown: 'not checked yet',
      notChecked: 'not checked',
      sound: 'sound',
      findings: 'findings',
      willNotStart: 'will not start',
      unclean: 'not shut down cleanly',
      cuts: 'will truncate the log',
      running: 'running',
      failed: 'cannot be read',
      working: 'working'
    },
    by: { doctor: 'doctor', verify: 'verify', inspect: 'inspection' },
    asOf: (word: string, time: string, by: string) => `${word} as of ${time} (${by})`,
    inPart: (words: string) => `${words}, as far as checked`,
    changedSince: (word: string, before: string) => `${word} since its files changed; before: ${before}`,
    runningWith: (known: string) => `running, ${known}`,
    coverage: {
      notKnown: 'Not known how much of the log is verified',
      nothing: 'No completed chunk to verify yet',
      share: (percent: string, time: string) => `${percent} % of the log verified within ${time}`,
      damaged: (chunks: string) => `${chunks} damaged when last read`,
      oldest: (age: string) => `oldest verification: ${age}`,
      hint: 'Completed chunks of which every byte was read and matched its hash, and which have not changed since.'
    }
  }
} as const;
