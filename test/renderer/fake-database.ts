/** A small database as the engine would describe it: two completed chunks, a merged one, and the active one. */
import type {
  ChunkDescription,
  ChunkRow,
  ChunksReport,
  HistoryReport,
  IndexReport,
  InspectReport,
  NodeEntry,
  RecordDescription,
  RecordRow,
  Replies,
  ScavengeReport,
  ScheduleReport,
  StreamRow,
  VerifyReport
} from '../../src-main/contract/verbs/workbench-contract.ts';

const MIB = 1024 * 1024;
const TIME = '2026-01-01T10:00:00.1234567Z';

export const node: NodeEntry = {
  id: 'node-1',
  name: 'orders',
  dataDirectory: '/data/orders',
  isSingleNode: true,
  isSample: false,
  lastOpenedMs: 1_700_000_000_000
};

export const inspection: InspectReport = {
  dataDirectory: '/data/orders',
  indexDirectory: '/data/orders/index',
  inUse: null,
  restoreState: null,
  chunkSize: MIB,
  checkpoints: {
    writer: 5 * MIB,
    chaser: 5 * MIB,
    epoch: 4 * MIB,
    proposal: 3,
    truncate: -1,
    index: 4 * MIB,
    scavenge: null
  },
  epochs: [{ number: 3, position: 4 * MIB, id: '4dd0f84b-963b-4c57-b262-ab98f0d4d192' }],
  chunkCount: { physical: 4, logical: 5, scavenged: 1, merged: 1 },
  bytes: { data: 4 * MIB, index: MIB, state: 0 },
  index: { mapVersion: 2, prepareCheckpoint: 4 * MIB, commitCheckpoint: 4 * MIB, tables: 2, entries: 1200 },
  scavengePoints: [{ number: 0, position: 3 * MIB, effectiveNow: TIME, threshold: 0 }],
  scavengeState: null,
  nextScavenge: {
    kind: 'existing',
    point: 0,
    because: 'No scavenge has reached point 0, at position 3145728, yet.'
  },
  lastScavenged: null,
  lastScavengedFrom: 'never',
  health: {
    state: 'sound',
    checkedAt: TIME,
    by: 'doctor',
    code: null,
    words: 'This node will start; it is ready within a second.',
    damageCount: 0,
    isPartial: false,
    before: null,
    directory: '0123456789'
  },
  replaced: { bytes: 0, kept: [] },
  undoUnfinished: false,
  freeBytes: 80_000_000_000,
  warnings: []
};

/** As after a scavenge that was stopped or cut, with a state that the next one takes up. */
export const unfinishedInspection: InspectReport = {
  ...inspection,
  scavengeState: { stage: 'executingChunks', scavengePoint: 0 },
  nextScavenge: {
    kind: 'resume',
    point: 0,
    because: 'A scavenge to point 0 was stopped or interrupted and will be resumed.'
  }
};

/** States that look unfinished and are not resumed, with what the next scavenge does there. */
export const notResumedInspections: [string, InspectReport][] = [
  ['no checkpoint', { ...inspection, scavengeState: { stage: 'none', scavengePoint: null } }],
  [
    'a checkpoint that cannot be read',
    {
      ...inspection,
      scavengeState: { stage: 'unreadable', scavengePoint: null },
      nextScavenge: {
        kind: 'new',
        point: 1,
        because: "Point 1 is written to this node's log: right only for a single node."
      }
    }
  ],
  [
    'a checkpoint that the log contradicts',
    {
      ...inspection,
      scavengeState: { stage: 'executingChunks', scavengePoint: 0 },
      nextScavenge: { kind: 'refused', point: null, because: 'The scavenge state is of another log.' }
    }
  ]
];

function chunk(start: number, end: number, changes: Partial<ChunkRow>): ChunkRow {
  return {
    file: `chunk-00000${start}.000000`,
    chunkStart: start,
    chunkEnd: end,
    version: 0,
    formatVersion: 4,
    isCompleted: true,
    isScavenged: false,
    logicalStart: start * MIB,
    logicalEnd: (end + 1) * MIB,
    logicalDataSize: MIB,
    physicalDataSize: MIB,
    fileSize: MIB + 4096,
    mapEntries: 0,
    md5: null,
    weight: null,
    isActive: false,
    ...changes
  };
}

export const chunksReport: ChunksReport = {
  chunks: [
    chunk(0, 0, {}),
    chunk(1, 1, { weight: 12 }),
    chunk(2, 3, { isScavenged: true, version: 1, logicalDataSize: 2 * MIB, physicalDataSize: MIB / 2 }),
    chunk(4, 4, { isActive: true, isCompleted: false })
  ],
  gaps: [],
  superseded: [],
  leftovers: []
};

/** The same with chunk 1 missing. */
export const brokenChunksReport: ChunksReport = {
  ...chunksReport,
  chunks: chunksReport.chunks.filter(({ chunkStart }) => chunkStart !== 1),
  gaps: [
    {
      chunkStart: 1,
      chunkEnd: 1,
      state: 'missing',
      logicalStart: MIB,
      logicalEnd: 2 * MIB,
      finding: {
        severity: 'damage',
        code: 'chunkMissing',
        file: 'chunk-000001.000000',
        offset: null,
        position: MIB,
        message: 'Chunk 1 is missing, but the log continues to position 5242880.',
        remedy: 'Restore the missing chunk files from a backup of this node.',
        command: 'winnow repair'
      }
    }
  ]
};

/** A log of so many chunks, the last one active, chunk 1 missing. */
export function longChunksReport(count: number): ChunksReport {
  const last = count - 1;
  const numbers = Array.from({ length: count }, (_, number) => number).filter((number) => number !== 1);
  return {
    ...brokenChunksReport,
    chunks: numbers.map((number) =>
      chunk(number, number, number === last ? { isActive: true, isCompleted: false } : {})
    )
  };
}

export const indexReport: IndexReport = {
  mapVersion: 2,
  prepareCheckpoint: 4 * MIB,
  commitCheckpoint: 4 * MIB,
  tables: [
    {
      file: 'table-0',
      level: 0,
      order: 0,
      version: 4,
      entries: 200,
      minHash: '0000000000000001',
      maxHash: 'fffffffffffffff0',
      hasFilter: true,
      md5: '00'
    },
    {
      file: 'table-1',
      level: 1,
      order: 0,
      version: 4,
      entries: 1000,
      minHash: null,
      maxHash: null,
      hasFilter: false,
      md5: '01'
    }
  ],
  entriesBehindCheckpoint: 7
};

export const recordRows: RecordRow[] = Array.from({ length: 450 }, (_, index) => ({
  kind: 'prepare',
  position: index * 200,
  chunk: 0,
  fileOffset: 128 + index * 200,
  length: 192,
  version: 1,
  time: TIME,
  stream: `order-${index}`,
  eventNumber: index,
  expectedVersion: index - 1,
  eventId: '4dd0f84b-963b-4c57-b262-ab98f0d4d192',
  eventType: 'OrderPlaced',
  flags: ['data', 'isJson'],
  flagBits: 257,
  transactionPosition: index * 200,
  transactionOffset: 0,
  dataLength: 20,
  metadataLength: 0,
  dataSha256: '',
  metadataSha256: ''
}));

export const chunkDescription: ChunkDescription = {
  file: 'chunk-000000.000000',
  fileSize: MIB + 4096,
  modifiedMs: 1_700_000_000_000,
  mode: 0o100644,
  header: [
    { name: 'File type', value: '2', offset: 0, length: 1 },
    { name: 'Chunk size', value: '1048576 bytes', offset: 2, length: 4 }
  ],
  footer: [{ name: 'Flags', value: 'completed', offset: MIB, length: 1 }],
  recordCount: 450,
  positionMap: null
};

const DATA = new TextEncoder().encode('{"total":12.5,"note":"<b>bold</b>"}');
const HEAD_BYTES = 64;

export const recordDescription: RecordDescription = {
  file: 'chunk-000000.000000',
  fileOffset: 128,
  position: 0,
  bytes: Uint8Array.from([...Array.from({ length: HEAD_BYTES }, (_, index) => index), ...DATA]),
  totalLength: HEAD_BYTES + DATA.length,
  fields: [
    { name: 'Length', value: '192 bytes', offset: 0, length: 4, meaning: 'length' },
    { name: 'Stream', value: 'order-0', offset: 37, length: 7, meaning: 'name' },
    { name: 'Data', value: `${DATA.length} bytes`, offset: HEAD_BYTES, length: DATA.length, meaning: 'data' }
  ],
  record: recordRows[0]!
};

export const streamRows: StreamRow[] = [
  {
    stream: 'order-1',
    hash: '00000000000000ff',
    firstEventNumber: 0,
    lastEventNumber: 4,
    eventCount: 5,
    bytes: 1000,
    state: 'live',
    metadata: null
  },
  {
    stream: 'prices',
    hash: '0000000000000100',
    firstEventNumber: 80,
    lastEventNumber: 99,
    eventCount: 100,
    bytes: 24_000,
    state: 'truncated',
    metadata: {
      maxCount: 20,
      maxAgeSeconds: 172_800,
      truncateBefore: null,
      cacheControlSeconds: null,
      acl: null
    }
  },
  {
    stream: 'gone',
    hash: '0000000000000101',
    firstEventNumber: null,
    lastEventNumber: '9223372036854775807',
    eventCount: 1,
    bytes: 100,
    state: 'hardDeleted',
    metadata: null
  }
];

export const eventsPage: Replies['readEventsPage'] = {
  rows: [
    {
      stream: 'order-1',
      eventNumber: 0,
      position: 200,
      eventId: '4dd0f84b-963b-4c57-b262-ab98f0d4d192',
      eventType: 'OrderPlaced',
      time: TIME,
      isJson: true,
      dataLength: 20,
      metadataLength: 0,
      dataSha256: '',
      metadataSha256: ''
    }
  ],
  offset: 0,
  total: 1,
  isEndOfStream: true,
  nextFrom: 1
};

export const scheduleReport: ScheduleReport = {
  expression: '0 6 * * SAT',
  words: 'At 06:00 AM, only on Saturday',
  next: ['2026-01-03T06:00:00.0000000Z', '2026-01-10T06:00:00.0000000Z'],
  timeZone: 'UTC',
  warnings: []
};

export const plan: ScavengeReport = {
  result: 'success',
  scavengePoint: { number: 1, position: 5 * MIB, effectiveNow: TIME, threshold: 0, placement: 'new' },
  resumed: false,
  recordsDiscarded: 30,
  indexEntriesDiscarded: 28,
  bytesBefore: 5_000_000,
  bytesAfter: 4_000_000,
  spaceSavedBytes: 1_000_000,
  spaceSaved: { log: 950_000, index: 50_000, total: 1_000_000 },
  chunkCount: { visited: 3, rewritten: 2, merges: 0 },
  besides: [],
  thresholds: [
    { threshold: 0, chunks: 2, spaceSaved: { log: 950_000, index: 50_000, total: 1_000_000 } },
    { threshold: 12, chunks: 2, spaceSaved: { log: 950_000, index: 50_000, total: 1_000_000 } },
    { threshold: 40, chunks: 1, spaceSaved: { log: 650_000, index: 50_000, total: 700_000 } }
  ],
  planId: 'plan-of-scavenge',
  scratchBytes: 2_000_000,
  leftInActiveChunk: { records: 0, bytes: 0 },
  warnings: [],
  threads: 1,
  chunks: [
    {
      chunkStart: 0,
      chunkEnd: 0,
      weight: 40,
      decision: 'rewritten',
      bytesBefore: 1_052_672,
      bytesAfter: 352_672,
      recordsDiscarded: 20
    },
    {
      chunkStart: 1,
      chunkEnd: 1,
      weight: 12,
      decision: 'rewritten',
      bytesBefore: 1_052_672,
      bytesAfter: 752_672,
      recordsDiscarded: 10
    },
    {
      chunkStart: 2,
      chunkEnd: 3,
      weight: 0,
      decision: 'skipped',
      bytesBefore: 500_000,
      bytesAfter: 500_000,
      recordsDiscarded: 0
    }
  ],
  tables: [],
  phases: [
    { phase: 'accumulation', elapsedMs: 1200 },
    { phase: 'chunkExecution', elapsedMs: 3400 }
  ]
};

export const verification: VerifyReport = {
  findings: [
    {
      severity: 'hint',
      code: 'supersededChunk',
      file: 'chunk-000001.000000',
      offset: null,
      position: null,
      message: 'A newer version of this chunk is in use.',
      remedy: 'Nothing to do.',
      command: null
    },
    {
      severity: 'damage',
      code: 'chunkHashMismatch',
      file: 'chunk-000000.000000',
      offset: 1_048_560,
      position: null,
      message: 'The bytes of the chunk do not match its hash.',
      remedy: 'Restore the chunk from a backup.',
      command: 'winnow restore'
    }
  ],
  checked: { files: 12, bytes: 5_000_000, records: 450, indexEntries: 1200 },
  notChecked: ['secondary indexes'],
  ok: false
};

export const historyReport: HistoryReport = {
  runs: [
    {
      scavengeId: 'cc506082-7987-4334-a738-e4ae0cc577e1',
      scavengeIds: ['0b6a7f5e-0000-4000-8000-000000000000', 'cc506082-7987-4334-a738-e4ae0cc577e1'],
      startedAt: TIME,
      endedAt: TIME,
      result: 'success',
      placement: 'new',
      threshold: 0,
      spaceSavedBytes: 8_020_000,
      elapsedMs: 3100,
      by: 'winnow',
      node: 'winnow@db-1',
      error: null,
      resumes: null,
      recordedIn: 'log'
    },
    {
      scavengeId: '26a383a4-04b3-4120-9aa3-22745c8b3e19',
      scavengeIds: ['26a383a4-04b3-4120-9aa3-22745c8b3e19'],
      startedAt: TIME,
      endedAt: null,
      result: 'interrupted',
      placement: null,
      threshold: null,
      spaceSavedBytes: 0,
      elapsedMs: null,
      by: 'server',
      node: '127.0.0.1:2113',
      error: null,
      resumes: null,
      recordedIn: 'log'
    }
  ]
};
