/**
 * The conformance cases in their JSON files, as far as the runner reads them. Their meaning is
 * described beside them; `"max"` stands for 2^63-1.
 */
import { DELETED_STREAM_EVENT_NUMBER } from '../../src-core/index.ts';

export type CaseNumber = number | 'max';

/** `"max"` as event numbers are held in memory. */
export function numberOf(value: CaseNumber): number {
  return value === 'max' ? DELETED_STREAM_EVENT_NUMBER : value;
}

export interface CaseLimits {
  maxCount?: CaseNumber | null;
  maxAgeSeconds?: CaseNumber | null;
  truncateBefore?: CaseNumber | null;
}

export interface CaseRecord {
  kind:
    | 'event'
    | 'metadata'
    | 'tombstone'
    | 'scavengePoint'
    | 'txStart'
    | 'txEnd'
    | 'txData'
    | 'txTombstone'
    | 'commit';
  stream?: string;
  eventNumber?: CaseNumber;
  indexEventNumber?: CaseNumber | null;
  tx?: number;
  txOffset?: number;
  firstEventNumber?: CaseNumber;
  flags?: string[];
  type?: string;
  time?: string;
  metadata?: CaseLimits;
  dataHex?: string;
  threshold?: number;
  recordVersion?: 0 | 1;
  repeat?: number;
}

export interface CaseOptions {
  unsafeIgnoreHardDeletes?: boolean;
  syncOnly?: boolean;
  mergeChunks?: boolean;
  threads?: number;
}

export interface CaseCheckpoint {
  stage: string;
  scavengePoint?: number;
  /** Seeds only: the point is the first record of this chunk. */
  scavengePointChunk?: number;
  done?: number | null | CaseHandle;
}

export type CaseHandle = { hash: number } | { stream: string };

export interface CaseStreamState {
  status?: string;
  tombstoned?: boolean;
  discardBefore?: CaseNumber;
  maybeDiscardBefore?: CaseNumber;
  metadata?: CaseLimits;
}

export interface CaseSeed {
  checkpoint?: CaseCheckpoint;
  knownStreams?: string[];
  /** The limits are in `metadata` or beside the other members. */
  streams?: Record<string, CaseStreamState & CaseLimits>;
  chunkTimeRanges?: Record<string, [string, string]>;
}

export interface CaseStopPoint {
  at: string;
  stream?: string;
  stage?: string;
}

/** Indexes of records kept, per chunk. */
export type KeptOfChunk = number[] | { allExcept: number[] };

export interface CaseExpectation {
  result?: string;
  error?: { code: string; stream?: string };
  requestedScavengePoint?: { eventNumber: number; threshold: number };
  kept?: KeptOfChunk[];
  keptInIndex?: KeptOfChunk[] | null;
  shadowedInIndex?: KeptOfChunk[];
  physicalChunks?: [number, number][];
  collisions?: string[];
  /** null: none is stored. */
  checkpoint?: CaseCheckpoint | null;
  streams?: Record<string, (CaseStreamState & CaseLimits) | null>;
  metastreams?: Record<string, { discardBefore?: CaseNumber; tombstoned?: boolean } | null>;
  chunkWeights?: { from: number; to: number; weight: number }[];
  trace?: unknown[];
  traceComplete?: boolean;
}

export interface CaseStep {
  op: string;
  options?: CaseOptions;
  seed?: CaseSeed;
  stopWhen?: CaseStopPoint;
  mustNotHappen?: CaseStopPoint[];
  refuseNewScavengePoint?: boolean;
  expect?: CaseExpectation;
  derived?: CaseExpectation;
}

export interface ScenarioCase {
  id: string;
  kind: 'scenario';
  hasher?: string;
  chunks: CaseRecord[][];
  completeLastChunk?: boolean;
  emptiedChunks?: number[];
  remoteChunks?: number[];
  steps: CaseStep[];
}

/** Any case: what all kinds have in common. */
export interface ConformanceCase {
  id: string;
  kind: string;
  requires?: string[];
  [member: string]: unknown;
}

/** Differences found, as sentences; empty if the case passes. */
export type Differences = string[];
