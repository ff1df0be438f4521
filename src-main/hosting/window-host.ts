/** The parts with which the window is a service too: clusters, licence and services of nodes. */
import type { ClusterVerbHandlers } from '../verbs/absent-cluster-verbs.ts';
import { clusterVerbs, type ClusterVerbParts } from './cluster-verbs.ts';
import { ClusterSchedules, type ClusterSchedulesParts } from './cluster-schedules.ts';
import { LicenceChoice } from './licence-choice.ts';
import { HostedNodes } from './hosted-nodes.ts';

export type WindowHostParts = Omit<ClusterSchedulesParts, 'licence'> &
  Pick<ClusterVerbParts, 'chooseCertificate' | 'chooseLicence'> & {
    /** A file with one more public key (JWK): for tests. */
    trustedKeyFile?: string | undefined;
  };

export interface WindowHost {
  verbs: ClusterVerbHandlers;
  /** Scavenges that a schedule or a caller over HTTP has started. */
  running: () => { name: 'runScavenge'; title: string }[];
  /** Stops what runs where it can be resumed, releases all leases and ends the services. */
  close: () => Promise<void>;
}

/** Resumes what this window last coordinated. */
export function startWindowHost(parts: WindowHostParts): WindowHost {
  const { home, clock, environment, trustedKeyFile, send } = parts;
  const licence = new LicenceChoice({ home, clock, environment, trustedKeyFile });
  const schedules = new ClusterSchedules({ ...parts, licence });
  const services = new HostedNodes({ ...parts, schedules });
  schedules.start();
  let closing: Promise<void> | undefined;
  return {
    verbs: clusterVerbs({ ...parts, schedules, licence, services, send }),
    running: () =>
      schedules.scavenges.running().map((directory) => {
        const node = schedules.list.nodeAt(directory)?.name ?? directory;
        return { name: 'runScavenge', title: `The scavenge of ${node} by its schedule` };
      }),
    close: () => {
      closing ??= services.close().then(() => schedules.close());
      return closing;
    }
  };
}

/** The part of Electron's `app` that is used here. */
export interface QuittingApp {
  on(event: 'will-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

/** Ends what must end in order before the process does: one after another, even if one fails. */
export function closeBeforeQuit(app: QuittingApp, closings: readonly (() => Promise<void>)[]): void {
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void closings
      .reduce((earlier, close) => earlier.then(close).catch(() => undefined), Promise.resolve())
      .finally(() => {
        state = 'closed';
        app.quit();
      });
  });
}
