/**
 * A disk whose speed is known, with a clock of its own: it advances by the bytes that are written and, forty times as
 * fast, with those that are read: a small log is in the memory of its machine.
 */
import { NodeFileSystem, OperationControl } from '../../src-core/index.ts';
import type { OpenFile, OpenMode } from '../../src-core/storage/file-system.ts';
import { PassThroughFile, PassThroughFileSystem } from '../../src-core/storage/pass-through.ts';
import type { OperationContext } from '../../src-main/operations/operation.ts';

const WRITTEN_PER_MS = 12;
const READ_PER_MS = 40 * WRITTEN_PER_MS;

interface Watched {
  signal: AbortSignal;
  /** Lets others run: at once, or when those have done what is due. */
  yieldTurn: () => Promise<void>;
}

export class SlowDisk extends PassThroughFileSystem {
  nowMs = 0;

  constructor() {
    super(new NodeFileSystem());
  }

  override open(path: string, mode: OpenMode): OpenFile {
    return new SlowFile(super.open(path, mode), (ms) => (this.nowMs += ms));
  }
}

class SlowFile extends PassThroughFile {
  readonly #wait: (ms: number) => void;

  constructor(inner: OpenFile, wait: (ms: number) => void) {
    super(inner);
    this.#wait = wait;
  }

  override read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = super.read(target, targetOffset, length, position);
    this.#wait(count / READ_PER_MS);
    return count;
  }

  override write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    super.write(source, sourceOffset, length, position);
    this.#wait(length / WRITTEN_PER_MS);
  }
}

export function contextOn(
  disk: SlowDisk,
  { signal = new AbortController().signal, yieldTurn = nextTurn }: Partial<Watched> = {}
): OperationContext {
  const startedMs = disk.nowMs;
  return {
    fileSystem: disk,
    control: new OperationControl({
      signal,
      elapsedMs: () => disk.nowMs - startedMs,
      yieldTurn,
      onProgress: () => undefined
    }),
    clock: () => Math.floor(disk.nowMs),
    log: () => undefined
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
