/** What a run keeps of the files that it replaces, from before its first write to its end; and what a plan says about that. */
import type { Database } from '../database/database.ts';
import { KeptRun, type KeptPoint } from '../replaced/keep-replaced.ts';
import { estimateKept, keptWarnings, type KeptEstimate } from './kept-estimate.ts';
import { pointOf, type Chosen } from './points/choose-point.ts';
import type { RunControl } from './run-control.ts';
import type { ScavengeEnvironment, ScavengeReportData, ScavengeRequest } from './scavenge-request.ts';
import type { ScavengeOutcome } from './scavenge-result.ts';

export interface PrepareReplacedFiles {
  request: ScavengeRequest;
  environment: Pick<ScavengeEnvironment, 'now'>;
  database: Database;
  control: RunControl;
  /** Writes nothing, and so keeps nothing. */
  isPlan: boolean;
}

export class ReplacedFiles {
  readonly #kept: KeptRun | undefined;

  private constructor(kept: KeptRun | undefined) {
    this.#kept = kept;
  }

  /** Before the scavenge state is opened. Keeps nothing where that was not asked for. */
  static async prepare(parts: PrepareReplacedFiles): Promise<ReplacedFiles> {
    const { request, environment, database, control, isPlan } = parts;
    if (isPlan) return new ReplacedFiles(undefined);
    const { keepReplacedMs, assumeStopped, singleNode, syncOnly, scavengePoint } = request;
    const kept = await KeptRun.prepare({
      database,
      keepMs: keepReplacedMs,
      mayAppend: singleNode === true || (!syncOnly && scavengePoint === 'new'),
      assumeStopped,
      now: environment.now,
      breathe: () => control.breatheWhenDue()
    });
    return new ReplacedFiles(kept);
  }

  /** Keeps them; then the directory is put in order, which is the first write of a run. */
  async begin(isContinued: (point: KeptPoint) => boolean, putInOrder: () => void): Promise<void> {
    await this.#kept?.begin(isContinued);
    try {
      putInOrder();
    } catch (error) {
      this.#kept?.discard();
      throw error;
    }
  }

  /** The point is known, and the chunks that it completed. */
  note({ start, placement, session }: Chosen): void {
    const { number, position } = pointOf(start);
    this.#kept?.note({ number, position, placement }, session.database.log);
  }

  /** The run has ended, and with it the history that it wrote. */
  ended(report: ScavengeReportData): ScavengeReportData {
    this.#kept?.finish({ isDone: report.result === 'success' });
    const kept = this.#kept?.kept;
    return kept ? { ...report, kept } : report;
  }

  close(): void {
    this.#kept?.close();
  }
}

/** For the report of a plan that is to keep what is replaced; the warnings go to `outcome`. */
export function keepsOfPlan(
  { keepReplacedMs: keepMs }: ScavengeRequest,
  outcome: ScavengeOutcome,
  database: Database | undefined
): { keeps?: KeptEstimate } {
  if (keepMs === undefined || !database) return {};
  const keeps = estimateKept(outcome, { database, keepMs });
  outcome.warnings.push(...keptWarnings(keeps, database.fileSystem.freeBytes(database.dataDirectory)));
  return { keeps };
}
