/** Texts of the view Usage. */
import { formatNoun } from '../format/count.ts';

export const usageTexts = {
  usage: {
    intro:
      'Reads the log and shows what takes up space and what a scavenge of all completed chunks could free. The next count reads only what has changed.',
    count: 'Count usage',
    countAgain: 'Count again',
    counting: 'Counting usage…',
    summary: (bytes: string, records: string) => `${bytes} in ${records}`,
    canGo: (bytes: string, share: string) => `${bytes} removable (${share})`,
    nothingCanGo: 'nothing removable',
    wouldFree: (bytes: string) => `A scavenge would free ${bytes} of files.`,
    noPoint: 'No chunk is completed yet, so no scavenge could free anything.',
    by: 'Group by',
    bys: { stream: 'Stream', category: 'Category', type: 'Event type', link: 'Kind of link' },
    map: 'Map of space usage',
    table: 'Items by size',
    columns: {
      name: 'Name',
      records: 'Records',
      bytes: 'Size',
      discardable: 'Removable',
      share: 'Share',
      index: 'In the index',
      chunks: 'Chunks'
    },
    /** Begins with what the field itself shows. */
    tile: (name: string, share: string, bytes: string) => `${name} ${share} removable · ${bytes}`,
    /** One field of the map for all that would be too small; the table has each of them. */
    smaller: (count: number) => `${formatNoun(count, 'smaller one', 'smaller ones')} together`,
    legend: 'The hatched part of a field is removable.',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    openStream: 'Show the stream',
    copyAs: 'Copy as',
    formats: { csv: 'CSV', json: 'JSON', ncdu: 'ncdu' },
    copied: (format: string) => `Copied as ${format}.`,
    more: 'More about space',
    parts: {
      savings: 'What a scavenge would free',
      unfreeable: 'What no scavenge frees',
      thresholds: 'Thresholds compared',
      calendar: 'Expiry calendar'
    },
    savings: {
      step: 'From records to files',
      bytes: 'Size',
      total: 'A scavenge would free',
      steps: {
        records: 'Removable records',
        keptLarger: 'Of these, in chunks that stay because they would not become smaller',
        positionMaps: 'Position maps that rewritten chunks need',
        padding: 'Padding and reserved space of chunk files',
        merging: 'Merging of neighbouring chunks',
        index: 'Entries of index tables'
      },
      basis: (position: string, time: string) =>
        `Up to ${position}, the end of the last completed chunk; ages as of ${time}.`,
      plan: (time: string, bytes: string, reason: string) =>
        `The plan of ${time} would free ${bytes}: ${reason}.`,
      reasons: {
        position: (position: string) => `it reaches ${position}`,
        threshold: (threshold: string) => `its threshold is ${threshold}`,
        time: (time: string) => `it judges ages as of ${time}`,
        options: 'it has other options'
      }
    },
    unfreeable: {
      cause: 'Cause',
      records: 'Records',
      bytes: 'Size'
    },
    causes: {
      lastEvents: 'Last events that their rules would remove',
      tombstones: 'Tombstones of deleted streams',
      deadLinks: 'Links to removed events',
      metadata: 'Newest metadata of streams',
      commits: 'Commits of transactions',
      system: 'System records',
      positionMaps: 'Position maps of scavenged chunks',
      headersAndFooters: 'Headers and footers of chunks',
      padding: 'Padding of chunk files',
      longNames: 'Names longer than 64 bytes, in all records'
    },
    thresholds: {
      threshold: 'Threshold',
      freed: 'Would free',
      log: 'Chunk files',
      index: 'Index tables',
      records: 'Records',
      chunks: 'Chunks rewritten',
      scratch: 'Temporary space',
      time: 'Time, estimated',
      history: (rate: string) => `Times at the rate of the last scavenges: ${rate} a second.`,
      measured: (rate: string) => `Times from a short measurement of this disk: ${rate} a second.`,
      none: 'There is nothing to scavenge yet.'
    },
    calendar: {
      day: 'Day (UTC)',
      records: 'Records',
      bytes: 'Expires',
      sum: 'Cumulative',
      span: 'Show',
      days: (count: number) => formatNoun(count, 'day'),
      none: (count: number) => `Nothing expires within ${formatNoun(count, 'day')}.`
    }
  }
} as const;
