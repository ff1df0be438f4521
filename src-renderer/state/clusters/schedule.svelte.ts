/**
 * The auto-scavenge that is shown: snapshots of one cluster as they come, and the licence. What a person asks for is
 * answered by a snapshot too.
 *
 * Invariants: snapshots of another cluster are dropped, and older ones than the one that is shown.
 */
import type {
  AutoScavengeSnapshot,
  ErrorReport,
  LicenceState,
  QuietHours
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { ask, errorReportOf } from '../../api/engine-client.ts';

export class Schedule {
  #cluster: string | null = null;
  #snapshot = $state.raw<AutoScavengeSnapshot | null>(null);
  #licence = $state.raw<LicenceState | null>(null);
  #error = $state.raw<ErrorReport | null>(null);
  #isBusy = $state(false);

  get snapshot(): AutoScavengeSnapshot | null {
    return this.#snapshot;
  }
  get licence(): LicenceState | null {
    return this.#licence;
  }
  /** Of what was asked for last. */
  get error(): ErrorReport | null {
    return this.#error;
  }
  /** Something that was asked for is on its way. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  hear(snapshot: AutoScavengeSnapshot): void {
    if (snapshot.cluster !== this.#cluster) return;
    if (this.#snapshot && snapshot.takenAtMs < this.#snapshot.takenAtMs) return;
    this.#snapshot = snapshot;
  }

  hearLicence(licence: LicenceState): void {
    this.#licence = licence;
  }

  dismissError(): void {
    this.#error = null;
  }

  /** Shows a cluster until the returned function is called. */
  show(cluster: string): () => void {
    this.#cluster = cluster;
    this.#snapshot = null;
    this.#error = null;
    void this.#asked(async () => {
      const snapshot = await ask('autoScavengeStatus', { cluster });
      if (this.#cluster !== cluster) return;
      this.hear(snapshot);
      await ask('followCluster', { cluster });
      this.#licence = await ask('licenceState', {});
    });
    return () => {
      if (this.#cluster !== cluster) return;
      this.#cluster = null;
      // Without a cluster to follow, nothing is missed.
      void ask('followCluster', { cluster: null }).catch(() => undefined);
    };
  }

  /** No zone: the one that holds stays. True: it was taken. */
  configure(schedule: string, timeZone?: string): Promise<boolean> {
    return this.#call((cluster) =>
      ask('configureAutoScavenge', { cluster, schedule, ...(timeZone === undefined ? {} : { timeZone }) })
    );
  }

  pause(): Promise<boolean> {
    return this.#call((cluster) => ask('pauseAutoScavenge', { cluster }));
  }

  resume(): Promise<boolean> {
    return this.#call((cluster) => ask('resumeAutoScavenge', { cluster }));
  }

  /** A cycle now. */
  runNow(): Promise<boolean> {
    return this.#call((cluster) => ask('runAutoScavengeNow', { cluster }));
  }

  /** Leaves out the next run of the schedule. */
  skipNext(): Promise<boolean> {
    return this.#call((cluster) => ask('skipAutoScavenge', { cluster }));
  }

  setQuietHours(quietHours: QuietHours | { window: string } | null): Promise<boolean> {
    return this.#call((cluster) => ask('setQuietHours', { cluster, quietHours }));
  }

  async chooseLicence(choice: 'evaluation' | 'file' | 'none'): Promise<void> {
    await this.#asked(async () => {
      const licence = await ask('chooseLicence', { choice });
      if (licence === null) return;
      this.#licence = licence;
      const cluster = this.#cluster;
      if (cluster !== null) this.hear(await ask('autoScavengeStatus', { cluster }));
    });
  }

  async #call(call: (cluster: string) => Promise<AutoScavengeSnapshot>): Promise<boolean> {
    const cluster = this.#cluster;
    if (cluster === null) return false;
    return this.#asked(async () => this.hear(await call(cluster)));
  }

  async #asked(work: () => Promise<void>): Promise<boolean> {
    this.#isBusy = true;
    this.#error = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.#error = errorReportOf(error);
      return false;
    } finally {
      this.#isBusy = false;
    }
  }
}
