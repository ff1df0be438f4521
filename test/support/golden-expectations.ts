/**
 * The shape of what the server said of the golden databases, and a JSON reader that keeps 64-bit numbers exact.
 * Members are optional where not every story has them.
 */

/** A bigint only above 2^53-1 (or below the negative of it). */
export type Exact = number | bigint;

export interface ExpectedDatabase {
  checkpoints: Record<string, number | null>;
  /** When the server was asked for its streams. */
  observedAtUtc: string;
  chunks: ExpectedChunk[];
  records: ExpectedRecord[];
  /** By name, as read through the real server. Absent where the server was not started. */
  streams?: Record<string, ExpectedStream>;
  readAll?: {
    count: number;
    sha256_of_lines_commitPos_preparePos_stream_number: string;
    first: [commitPosition: number, position: number, stream: string, eventNumber: Exact][];
    last: [commitPosition: number, position: number, stream: string, eventNumber: Exact][];
  };
  ptables?: ExpectedTable[];
  /** The text of the index map. */
  indexmap?: string | null;
  files?: { path: string; size: number; mode: string; sha256: string }[];
}

export interface ExpectedChunk {
  file: string;
  fileSize: number;
  header: {
    version: number;
    chunkSize: number;
    chunkStartNumber: number;
    chunkEndNumber: number;
    isScavenged: boolean;
    chunkId: string;
  };
  /** null: ongoing. */
  footer: {
    isCompleted: boolean;
    isMap12Bytes: boolean;
    physicalDataSize: number;
    logicalDataSize: number;
    mapSize: number;
    mapCount: number;
    md5: string;
  } | null;
  hashOk?: boolean;
  posMap?: [logical: number, actual: number][];
  recordCount: number;
  ongoingWritePosition?: number;
}

export interface ExpectedRecord {
  type: 'Prepare' | 'Commit' | 'System';
  v: number;
  pos: number;
  /** Payload length. Not in every story. */
  len?: number;
  chunk: number;
  ts?: string;
  txPos?: number;
  txOff?: number;
  correlationId?: string;
  stream?: string;
  /** null: not committed. */
  number?: Exact | null;
  expectedVersion?: Exact;
  eventId?: string;
  eventType?: string;
  flags?: number;
  dataLen?: number;
  dataSha256?: string;
  metaLen?: number;
  metaSha256?: string;
  dataText?: string;
  firstEventNumber?: Exact;
  systemType?: string;
}

export interface ExpectedStream {
  result: 'Success' | 'NoStream' | 'StreamDeleted' | 'Error';
  first?: Exact | null;
  last?: Exact | null;
  count?: number;
  /** Ranges of event numbers read forward, both ends included. */
  readable?: [Exact, Exact][];
  error?: string | null;
  isDeleted: boolean | string;
}

export interface ExpectedTable {
  file: string;
  fileSize: number;
  version: number;
  count: number;
  first: [hash: string, eventNumber: Exact, position: number][];
  last: [hash: string, eventNumber: Exact, position: number][];
  entriesSha256_stream8_version8_position8_LE: string;
}

export interface ExpectedDamage {
  /** Sentences, or changes that the files of the story already hold. */
  damage: (string | { file: string; offset?: number; old: Exact; new: Exact })[];
  note: string | null;
  options: string[];
  becameLeader: boolean;
  exitCode: number | null;
  stoppedByItself: boolean;
  logLines: string[];
  filesRemoved: string[];
  filesAdded: string[];
  filesChanged: string[];
  checkpointsAfter: Record<string, number>;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
/** The language's library does not describe the third argument of revivers yet. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Digits of the least whole number that a number may not hold exactly. */
const MANY_DIGITS = /\d{16}/;

/** JSON in which whole numbers that a number cannot hold exactly become bigint. */
export function parseExactJson(text: string): unknown {
  // To ask about each value takes ten times as long as to parse it.
  if (!MANY_DIGITS.test(text)) return JSON.parse(text) as unknown;
  return parseWithSource(text, (_key, value, { source }) => {
    const isRounded =
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
    return isRounded ? BigInt(source!) : value;
  });
}
