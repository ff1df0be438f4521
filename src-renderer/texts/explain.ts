/** Texts of the explain panel. Sentences about rules come from the engine, which knows the values. */
import type { ExplainRuleName } from '../../src-main/contract/verbs/workbench-contract.ts';
export const explainTexts = {
  explain: {
    title: 'Explain',
    why: 'Why kept?',
    close: 'Close the explanation',
    again: 'Explain again',
    copy: 'Copy the explanation',
    asking: 'Planning the scavenge to explain. This reads the log once.',
    stopped: 'Stopped before there was an answer.',
    event: (number: string, stream: string) => `Event ${number} of ${stream}`,
    record: (position: string) => `Record at ${position}`,
    uncommitted: (position: string) => `Record at ${position}, not committed`,
    stream: (stream: string) => `Stream ${stream}`,
    chunk: (range: string) => `Chunk ${range}`,
    verdict: {
      keep: 'Kept',
      discard: 'Removed by this scavenge',
      alreadyGone: 'Already removed',
      rewrite: 'Rewritten by this scavenge',
      skip: 'Unchanged'
    },
    short: { keep: 'kept', discard: 'removed', alreadyGone: 'already removed' },
    rule: {
      maxAge: 'Maximum age',
      maxCount: 'Maximum count',
      truncateBefore: 'Truncated',
      hardDelete: 'Hard delete',
      softDelete: 'Soft delete',
      lastEvent: 'Last event',
      metadataSuperseded: 'Replaced metadata',
      noRule: 'No rule',
      activeChunk: 'Active chunk',
      afterScavengePoint: 'Scavenge point',
      belowThreshold: 'Weight of the chunk',
      keptLarger: 'Size of the new file',
      uncommittedTransaction: 'Transaction',
      tombstone: 'Tombstone'
    } satisfies Record<ExplainRuleName, string>,
    says: { keeps: 'keeps', discards: 'removes', passes: 'does not apply' },
    until: 'Until',
    untilNote: 'then removed by the first scavenge with a later point',
    change: 'What would change it',
    place: 'Position',
    placeOf: (position: string, chunk: string) => `${position}, chunk ${chunk}`,
    weight: 'Weight',
    threshold: (threshold: string) => `threshold ${threshold}`,
    chain: 'Rules, in the order they apply',
    ranges: 'Events by number',
    range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
    explainRange: (range: string) => `Explain event ${range}`,
    byRule: 'Records by rule',
    columns: { rule: 'Rule', says: 'Effect', records: 'Records', bytes: 'Bytes' },
    unnumbered: 'Without a number',
    unnumberedNote: 'parts of uncommitted transactions',
    wholeStream: 'Show the whole stream',
    itsChunk: 'Show its chunk',
    about: 'Based on',
    placement: {
      existing: 'a scavenge to the point in the log',
      detached: 'a detached scavenge of all completed chunks',
      new: 'a scavenge with a new point'
    },
    nothingToDo: 'a scavenge without a scavenge point',
    at: (time: string, threshold: string) => `as of ${time}, threshold ${threshold}`
  }
} as const;
