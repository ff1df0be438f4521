/**
 * How fast a run goes: bytes and times of the pieces that it finished. What it had begun when it was stopped counts
 * neither way.
 */
import path from 'node:path';
import { ticksFromMs, ticksToIso, type DoneWork } from '../../../src-core/index.ts';
import type { ScavengeOptions } from '../../contract/operations/operation-contract.ts';
import type { ScavengeReport } from '../../contract/operations/reports.ts';
import { ScavengePaces, type MeasuredRun } from '../../settings/scavenge-paces.ts';
import type { OperationContext } from '../operation.ts';

/** In less, start and end take longer than the work. */
const LEAST_MS = 1000;

type Sums = Pick<MeasuredRun, 'beginMs' | 'readBytes' | 'readMs' | 'workBytes' | 'workMs'>;

export class PaceMeter {
  readonly #elapsedMs: () => number;
  readonly #sums: Sums = { beginMs: 0, readBytes: 0, readMs: 0, workBytes: 0, workMs: 0 };
  #lastMs: number;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
    this.#lastMs = elapsedMs();
  }

  /** It begins, or goes on after a pause: what was before is waiting. */
  begin(): void {
    this.#lastMs = this.#elapsedMs();
  }

  /** There is a point to work to: what follows is the work. */
  started(): void {
    const nowMs = this.#elapsedMs();
    this.#sums.beginMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
  }

  done({ kind, bytes }: DoneWork): void {
    const nowMs = this.#elapsedMs();
    const tookMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const sums = this.#sums;
    if (kind === 'read') {
      sums.readBytes += bytes;
      sums.readMs += tookMs;
    } else {
      sums.workBytes += bytes;
      sums.workMs += tookMs;
    }
  }

  /** Without the rests of a throttle; undefined: too little to tell. */
  measured(throttlePercent: number): Sums | undefined {
    const share = throttlePercent / 100;
    const { beginMs, readBytes, readMs, workBytes, workMs } = this.#sums;
    if ((readMs + workMs) * share < LEAST_MS) return undefined;
    return {
      beginMs: Math.round(beginMs),
      readBytes,
      readMs: Math.round(readMs * share),
      workBytes,
      workMs: Math.round(workMs * share)
    };
  }
}

/** Keeps what was measured of a run. A home that takes no file is said by those that need it. */
export function keepPace(
  meter: PaceMeter,
  { threads, scavengeId, resumed }: Pick<ScavengeReport, 'threads' | 'scavengeId' | 'resumed'>,
  { winnowHome, dataDirectory, bytesPerSecond = 0, throttlePercent }: ScavengeOptions,
  { clock, log }: Pick<OperationContext, 'clock' | 'log'>
): void {
  const sums = meter.measured(throttlePercent);
  if (sums === undefined || winnowHome === undefined || scavengeId === undefined) return;
  const at = ticksToIso(ticksFromMs(clock()));
  try {
    const paces = new ScavengePaces(path.resolve(winnowHome), path.resolve(dataDirectory));
    paces.addRun({ scavengeId, at, isLimited: bytesPerSecond > 0, isResumed: resumed, threads, ...sums });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log({ level: 'warning', message: `How fast this scavenge went is not kept: ${reason}` });
  }
}
