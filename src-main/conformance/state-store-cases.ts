/** Cases that test the scavenge state itself, on a real file and in memory. */
import {
  hashFromBigInt,
  listActive,
  MemoryState,
  ScavengeState,
  signedHash,
  StateStore,
  StreamStatus,
  type FileSystem,
  type StreamHandle
} from '../../src-core/index.ts';
import {
  numberOf,
  type CaseHandle,
  type CaseLimits,
  type CaseNumber,
  type ConformanceCase,
  type Differences
} from './case-format.ts';
import { hasherNamed } from './case-hashers.ts';
import { STATUS_NAMES } from './case-trace.ts';
import { limitsOf, statusOf } from './seed-state.ts';

interface CaseData extends CaseLimits {
  status?: string;
  tombstoned?: boolean;
  discardBefore?: CaseNumber;
  maybeDiscardBefore?: CaseNumber;
}

/** One op; which members it has depends on its name. */
interface StateOp {
  op: string;
  stream?: string;
  key?: CaseHandle;
  keys?: CaseHandle[];
  chunk?: number;
  weight?: number | null;
  from?: number;
  to?: number;
  before?: CaseNumber;
  is?: CaseData | boolean | null;
  data?: CaseData;
  metadata?: CaseLimits;
  status?: string;
  discardBefore?: CaseNumber;
  maybeDiscardBefore?: CaseNumber;
  includeArchived?: boolean;
  after?: CaseHandle | null;
  order?: CaseHandle[];
  limit?: number;
  resume?: boolean;
  setStatus?: string;
  expectCount?: number;
  do?: StateOp[];
}

const WEIGHT_TOLERANCE = 1e-6;
const ALL_ROWS = 1_000_000;

/** On a file and in memory: both must say the same. */
export function runStateStore(
  fileSystem: FileSystem,
  directory: string,
  conformanceCase: ConformanceCase
): Differences {
  const { ops, hasher } = conformanceCase as unknown as { ops: StateOp[]; hasher?: string };
  fileSystem.makeDirectory(directory);
  const file = StateStore.open({ path: fileSystem.join(directory, 'scavenging.db') });
  const memory = new MemoryState();
  const { originals } = memory.tables;
  return [
    ...differencesOf(ops, file, hasher, (handle) => forgetRow(file, handle)),
    ...differencesOf(ops, memory, hasher, (handle) => originals.put(handle, NOTHING_SAID)).map(
      (difference) => `in memory: ${difference}`
    )
  ];
}

const NOTHING_SAID = {
  status: StreamStatus.none,
  isTombstoned: false,
  discardPoint: 0,
  maybeDiscardPoint: 0,
  maxAgeSeconds: -1,
  maxCount: -1,
  truncateBefore: -1
};

function forgetRow(store: StateStore, handle: StreamHandle): void {
  const table = handle.kind === 'id' ? 'OriginalStreamDataCollisions' : 'OriginalStreamDatas';
  store.prepare(`DELETE FROM ${table} WHERE key = ?`).run(keyOf(handle));
}

function differencesOf(
  ops: readonly StateOp[],
  store: StateStore | MemoryState,
  hasher: string | undefined,
  forget: (handle: StreamHandle) => void
): Differences {
  const runner = new StateStoreRunner(new ScavengeState({ store, hasher: hasherNamed(hasher) }), forget);
  try {
    for (const op of ops) runner.run(op);
    return runner.differences;
  } finally {
    store.close();
  }
}

class StateStoreRunner {
  readonly differences: Differences = [];
  readonly #state: ScavengeState;
  /** Removes what is stored of an original stream. */
  readonly #forget: (handle: StreamHandle) => void;
  #lastDrained: StreamHandle | null = null;

  constructor(state: ScavengeState, forget: (handle: StreamHandle) => void) {
    this.#state = state;
    this.#forget = forget;
  }

  run(op: StateOp): void {
    const { originals, metastreams, weights } = this.#state;
    switch (op.op) {
      case 'begin':
        return this.#state.begin();
      case 'commit':
        return this.#state.commit();
      case 'rollback':
        return this.#state.rollback();
      case 'see':
        return void this.#state.detectCollision(op.stream!);
      case 'addWeight':
        return weights.add(op.chunk!, op.weight!);
      case 'setWeight':
        weights.reset(op.chunk!, op.chunk!);
        return weights.add(op.chunk!, op.weight!);
      case 'resetWeights':
        return weights.reset(op.from!, op.to!);
      case 'expectWeight':
        return this.#expectWeight(
          `weight of chunk ${op.chunk}`,
          weights.get(op.chunk!) ?? null,
          op.weight ?? null
        );
      case 'expectWeightSum':
        return this.#expectWeight(
          `weight of ${op.from} to ${op.to}`,
          weights.sum(op.from!, op.to!),
          op.weight!
        );
      case 'expectAllWeightsZero':
        return this.#expect('all weights are zero', weights.areAllZero, op.is ?? true);
      case 'setMetastreamDiscard':
        return metastreams.setDiscardPoint(this.#handle(op.key!), numberOf(op.before!));
      case 'setMetastreamTombstone':
        return metastreams.setTombstone(this.#handle(op.key!));
      case 'deleteMetastreams':
        return metastreams.deleteAll();
      case 'expectMetastream':
        return this.#expectMetastream(op);
      case 'putOriginal':
        return this.#putOriginal(this.#handle(op.key!), op.data!);
      case 'setOriginalMetadata':
        return originals.setMetadata(this.#handle(op.key!), limitsOf(op.metadata!));
      case 'setOriginalTombstone':
        return originals.setTombstone(this.#handle(op.key!));
      case 'setDiscardPoints':
        return originals.setDiscardPoints(this.#handle(op.key!), pointsOf(op));
      case 'deleteOriginals':
        originals.deleteWithStatus(StreamStatus.spent);
        if (op.includeArchived) originals.deleteWithStatus(StreamStatus.archived);
        return;
      case 'expectOriginal':
        return this.#expectOriginal(op);
      case 'expectOriginals':
        return this.#expectOriginals(op.keys!);
      case 'expectActive':
        return this.#expectActive(op);
      case 'drainActive':
        return this.#drainActive(op);
      case 'forEach':
        for (let i = op.from!; i <= op.to!; i++) for (const inner of op.do!) this.run(withNumber(inner, i));
        return;
      default:
        this.differences.push(`the op ${op.op} is unknown`);
    }
  }

  #handle(key: CaseHandle): StreamHandle {
    return 'hash' in key
      ? { kind: 'hash', ...hashFromBigInt(BigInt(key.hash)) }
      : this.#state.handleOf(key.stream);
  }

  #putOriginal(handle: StreamHandle, data: CaseData): void {
    const { originals } = this.#state;
    // Unchanged: nothing of an existing row stays.
    this.#forget(handle);
    originals.setMetadata(handle, limitsOf(data));
    if (data.tombstoned) originals.setTombstone(handle);
    originals.setDiscardPoints(handle, pointsOf(data));
  }

  #expectOriginal({ key, is }: StateOp): void {
    const found = this.#state.originals.get(this.#handle(key!));
    const orNull = (value: number) => (value < 0 ? null : value);
    const shown = found && {
      status: STATUS_NAMES[found.status],
      tombstoned: found.isTombstoned,
      discardBefore: found.discardPoint,
      maybeDiscardBefore: found.maybeDiscardPoint,
      maxCount: orNull(found.maxCount),
      maxAgeSeconds: orNull(found.maxAgeSeconds),
      truncateBefore: orNull(found.truncateBefore)
    };
    this.#expectMembers(`original ${JSON.stringify(key)}`, shown, is);
  }

  #expectMetastream({ key, is }: StateOp): void {
    const found = this.#state.metastreams.get(this.#handle(key!));
    const shown = found && { tombstoned: found.isTombstoned, discardBefore: found.discardPoint };
    this.#expectMembers(`metastream ${JSON.stringify(key)}`, shown, is);
  }

  /** Rows of other statuses than active are not walked by the engine, so each key is looked up. */
  #expectOriginals(keys: CaseHandle[]): void {
    for (const key of keys) {
      if (!this.#state.originals.get(this.#handle(key)))
        this.differences.push(`original ${JSON.stringify(key)} is missing`);
    }
    const count = this.#state.originals.count;
    if (count !== keys.length)
      this.differences.push(`${count} originals are stored instead of ${keys.length}`);
  }

  #expectActive({ after, order }: StateOp): void {
    const from = after === null || after === undefined ? null : this.#handle(after);
    const found = listActive(this.#state.originals, from, ALL_ROWS).map(({ handle }) => handleText(handle));
    const wanted = order!.map((key) => handleText(this.#handle(key)));
    this.#expect('active streams', found.join(' '), wanted.join(' '));
  }

  #drainActive({ limit, resume, setStatus, expectCount }: StateOp): void {
    const { originals } = this.#state;
    const from = resume ? this.#lastDrained : null;
    const met = listActive(originals, from, limit ?? ALL_ROWS);
    for (const { handle, data } of met) {
      if (setStatus !== undefined)
        originals.setDiscardPoints(handle, { ...data, status: statusOf(setStatus) });
      this.#lastDrained = handle;
    }
    if (expectCount !== undefined) this.#expect('streams met', met.length, expectCount);
  }

  #expectWeight(what: string, found: number | null, wanted: number | null): void {
    const isSame =
      found === wanted || (found !== null && wanted !== null && Math.abs(found - wanted) <= WEIGHT_TOLERANCE);
    if (!isSame) this.differences.push(`${what} is ${found} instead of ${wanted}`);
  }

  #expectMembers(what: string, found: object | undefined, wanted: unknown): void {
    if (typeof wanted !== 'object' || wanted === null) {
      if (found) this.differences.push(`${what} is stored, which must not be`);
      return;
    }
    if (!found) {
      this.differences.push(`${what} is missing`);
      return;
    }
    const members: Record<string, unknown> = { ...found };
    for (const [name, value] of Object.entries(wanted)) {
      const expected: unknown = value === 'max' ? numberOf('max') : value;
      if (members[name] !== expected) {
        this.differences.push(
          `${name} of ${what} is ${String(members[name])} instead of ${String(expected)}`
        );
      }
    }
  }

  #expect(what: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) this.differences.push(`${what}: ${String(found)} instead of ${String(wanted)}`);
  }
}

function handleText(handle: StreamHandle): string {
  return handle.kind === 'hash' ? `#${handle.high}:${handle.low}` : handle.stream;
}

function keyOf(handle: StreamHandle): bigint | string {
  return handle.kind === 'id' ? handle.stream : signedHash(handle.high, handle.low);
}

function pointsOf(op: { status?: string; discardBefore?: CaseNumber; maybeDiscardBefore?: CaseNumber }) {
  return {
    status: statusOf(op.status),
    discardPoint: numberOf(op.discardBefore ?? 0),
    maybeDiscardPoint: numberOf(op.maybeDiscardBefore ?? 0)
  };
}

/** `{i}` in strings becomes the number as text, the string `{i+1}` the following number. */
function withNumber(op: StateOp, i: number): StateOp {
  return JSON.parse(
    JSON.stringify(op)
      .replaceAll('"{i+1}"', String(i + 1))
      .replaceAll('{i}', String(i))
  ) as StateOp;
}
