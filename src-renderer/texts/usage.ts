/** Texts of the view Usage. */
import { counted } from '../format/count.ts';

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
    tile: (name: string, bytes: string, share: string) => `${name} ${bytes} ${share} removable`,
    removableShare: (share: string) => `${share} removable`,
    /** One field of the map for all that would be too small; the table has each of them. */
    /** Of what the engine counts apart, by its names for it. */
    groups: {
      '(no category)': '(no category)',
      '(commits)': '(commits)',
      '(system)': '(system)',
      '(others)': '(others)'
    },
    smaller: (count: number) => `${counted(count, 'smaller one', 'smaller ones')} together`,
    legend: 'The hatched part of a field is removable.',
    all: 'All',
    path: 'Where this is',
    up: 'One step up',
    inside: 'Show',
    insides: { stream: 'Streams', type: 'Event types' },
    asking: (name: string) => `Reading what is in ${name}…`,
    nothingInside: (name: string) => `The log holds no records of ${name}.`,
    counted: 'Counted',
    actionsOf: (name: string) => `Actions for ${name}`,
    actions: {
      open: 'Show what is inside',
      why: 'Why kept',
      stream: 'Show the stream',
      records: 'Show its records',
      erasure: 'Erasure report',
      thresholds: 'Compare thresholds',
      whatIf: 'What if it had a maximum age',
      copy: 'Copy the name'
    },
    whyNot: {
      nothingInside: 'There is nothing inside it.',
      oneStream: 'Choose one stream.',
      noStream: 'This is not one stream or category.',
      noName: 'This stands for several.'
    },
    card: {
      size: 'Size',
      share: 'Of all shown',
      records: 'Records',
      removable: 'Removable',
      index: 'In the index',
      oldest: 'Oldest chunk',
      rule: 'Rule',
      byRule: 'Removed by',
      rulesOfStreams: 'not counted: rules belong to streams',
      needsPlan: 'not known yet: compute the plan in Scavenge',
      notNamed: 'not among the largest in the plan',
      none: 'nothing',
      noRule: 'none of its own',
      inChunk: (chunk: string) => `chunk ${chunk}`,
      notKnown: 'not known'
    },
    pick: 'Point at a field, or choose a row, to see what it is.',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    openStream: 'Show the stream',
    export: 'Export',
    copyAs: (format: string) => `Copy as ${format}`,
    saveAs: (format: string) => `Save as ${format}…`,
    savedAs: (file: string) => `Saved as ${file}.`,
    formats: { csv: 'CSV', json: 'JSON', ncdu: 'ncdu' },
    copied: (format: string) => `Copied as ${format}.`,
    more: 'More about space',
    parts: {
      savings: 'What a scavenge would free',
      unfreeable: 'What no scavenge frees',
      thresholds: 'Thresholds compared',
      calendar: 'Expiry calendar',
      whatif: 'What if',
      growth: 'Growth',
      projections: 'Projections'
    },
    growth: {
      counting: 'Looking at what was written of late…',
      unknown: {
        tooShort: 'The log covers less than a day, too little to tell how fast it grows.',
        notRead: 'The chunks have not been read yet.'
      },
      at: (day: string) => `about ${day}`,
      never: 'not within a hundred years',
      picture: (without: string, regular: string) =>
        `Space taken on the next days. Disk full without scavenges: ${without}; with regular ones: ${regular}.`,
      today: 'today',
      without: 'Without scavenges',
      with: 'With regular scavenges',
      pointed: (day: string, without: string, regular: string) =>
        `${day}: ${without} without, ${regular} with`,
      freeLine: (free: string) => `The red line: ${free}, what is free now.`,
      freeAbove: (free: string) => `Free now: ${free}, far above.`,
      fullWithout: 'Full without scavenges',
      fullWith: 'Full with regular ones',
      written: 'Grows by',
      lasting: 'Of it, stays',
      expiring: 'Of it, expires',
      removable: 'Of it, removable now',
      perDay: (bytes: string) => `${bytes} a day`,
      after: (days: string) => `after ${days} on average`,
      basis: (from: string, to: string) =>
        `Log and index, from ${from} to ${to}. With regular scavenges: what nothing limits stays, what has a maximum age stays for so long.`,
      indexApart: (free: string) =>
        `The index is on a volume of its own with ${free} free and is not counted here.`,
      categories: 'Growth by category',
      columns: {
        category: 'Category',
        bytes: 'A day',
        lasting: 'Stays',
        expiring: 'Expires',
        removable: 'Removable'
      },
      help: {
        lasting: 'Nothing limits these records, or they are the newest of their stream.',
        expiring: 'Records with a maximum age that has not passed yet.',
        removable: 'A scavenge could remove these records already.'
      }
    },
    projections: {
      counting: 'Counting links…',
      none: 'No projection has written anything into this log: no links, no checkpoints.',
      sources: 'What projections wrote',
      categories: 'Links by category',
      savings: 'What doing without would save',
      own: 'Users',
      source: (source: string, projection: string | null) =>
        projection !== null
          ? `${projection} (${source})`
          : source === '(other links)'
            ? 'Other links'
            : 'Checkpoints and state of projections',
      columns: {
        source: 'Written by',
        records: 'Records',
        bytes: 'Size',
        index: 'Index entries',
        dead: 'Dead links',
        perDay: 'A day',
        category: 'Category',
        links: 'Links',
        linkBytes: 'Size of links',
        amplification: 'For each byte',
        saving: 'Would save',
        afterwards: 'Once their streams are gone'
      },
      help: {
        linkBytes: 'Links into streams of this category, and their index entries.',
        dead: 'Links that stay although the event they point to is gone, or would go with a scavenge.',
        amplification: 'Bytes of log and index that were written for each byte of the category itself.'
      },
      sentence: (bytes: string, entries: string) =>
        `For each byte that users wrote, the log has ${bytes}; for each of their index entries, the index has ${entries}.`,
      days: (days: string) =>
        `A day: log and index, the mean of the last ${days} of the log, of what is still there.`,
      noDays: 'The log covers less than a day: what a day adds is not known.',
      notKnown: 'not known',
      without: (source: string) => `Without ${source}`,
      secondary: 'Secondary indexes instead of $ce- and $et-',
      caution:
        'Switch a projection off only when nobody reads its streams. Its links stay until the streams are deleted and scavenged. What a secondary index takes itself is not known.'
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
      none: 'There is nothing to scavenge yet.',
      curve: 'Thresholds by what they would free',
      point: (threshold: string, freed: string, chunks: string) =>
        `Threshold ${threshold}: ${freed}, ${chunks}`,
      axis: 'Chunks rewritten',
      share: (share: string) => `${share} of what threshold 0 frees`,
      use: 'Use in Scavenge',
      table: 'All thresholds'
    },
    calendar: {
      day: 'Day (UTC)',
      records: 'Records',
      bytes: 'Expires',
      sum: 'Cumulative',
      weeks: (count: number) => counted(count, 'week'),
      none: (count: number) => `Nothing expires within ${counted(count, 'week')}.`,
      picture: (bytes: string, days: string) => `Expiry of the next twelve weeks: ${bytes} on ${days}`,
      weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      dayLine: (day: string, bytes: string, records: string, sum: string) =>
        `${day}: ${bytes} in ${records}, ${sum} until then`,
      emptyDay: (day: string, sum: string) => `${day}: nothing, ${sum} until then`,
      point: 'Point at a day to see what expires.',
      most: (bytes: string) => `A full square is ${bytes}.`,
      disk: 'Disk full',
      diskWithout: 'Without scavenges',
      diskWith: 'With regular ones',
      diskCounting: 'Working it out…',
      diskMore: 'How this is worked out'
    },
    whatIf: {
      title: 'What if',
      lead: 'What if',
      category: 'Category',
      of: 'of',
      rule: 'Rule',
      rules: { maxAge: 'the maximum age', maxCount: 'the maximum count' },
      were: 'were',
      value: 'Value',
      units: { maxAge: 'days', maxCount: 'events' },
      ask: 'Work it out',
      asking: 'Working it out…',
      answer: (likely: string, now: string) => `Removable then: ${likely}, now: ${now}.`,
      more: (bytes: string, share: string) => `${bytes} more (${share} of the category).`,
      same: 'That removes nothing more.',
      streams: (streams: string, bytes: string) => `Judged record by record: ${streams}, ${bytes}.`,
      none: 'There is no category in this log.'
    }
  }
} as const;
