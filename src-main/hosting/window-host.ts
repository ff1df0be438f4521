/** The parts with which the window is a service too: clusters, licence and services of nodes. */
import type { EngineHost } from '../engine/engine-host.ts';
import { hostedAsWork } from '../verbs/hosted-work.ts';
import type { WorkKeeper } from '../verbs/work-keeper.ts';
import type { ClusterVerbHandlers } from '../verbs/absent-cluster-verbs.ts';
import { clusterVerbs, type ClusterVerbParts } from './cluster-verbs.ts';
import { ClusterSchedules, type ClusterSchedulesParts } from './cluster-schedules.ts';
import { LicenceChoice } from './licence-choice.ts';
import { HostedNodes } from './hosted-nodes.ts';

export type WindowHostParts = Omit<ClusterSchedulesParts, 'licence' | 'runWork'> &
  Pick<ClusterVerbParts, 'chooseCertificate' | 'chooseLicence'> & {
    /** Runs what callers over HTTP start, where the record of operations is to tell it apart. */
    serviceEngine: EngineHost;
    /** Where the window shows what schedules and callers start on its nodes. */
    work: WorkKeeper;
    /** A file with one more public key (JWK): for tests. */
    trustedKeyFile?: string | undefined;
  };

export interface WindowHost {
  verbs: ClusterVerbHandlers;
  /** Scavenges of schedules on directories that are no nodes of the list; the others are work like any other. */
  running: () => { name: 'runScavenge'; title: string }[];
  /** Stops what runs where it can be resumed, releases all leases and ends the services. */
  close: () => Promise<void>;
}

/** Resumes what this window last coordinated. */
export function startWindowHost(parts: WindowHostParts): WindowHost {
  const { home, clock, environment, trustedKeyFile, send, work, engine, serviceEngine } = parts;
  const licence = new LicenceChoice({ home, clock, environment, trustedKeyFile });
  const runWork = hostedAsWork({
    work,
    engineFor: (user) => (user === undefined ? engine : serviceEngine),
    nodeAt: (dataDirectory) => schedules.list.nodeAt(dataDirectory)
  });
  const schedules = new ClusterSchedules({ ...parts, licence, runWork });
  const services = new HostedNodes({ ...parts, engine: serviceEngine, schedules, runWork });
  schedules.start();
  let closing: Promise<void> | undefined;
  return {
    verbs: clusterVerbs({ ...parts, schedules, licence, services, send }),
    running: () =>
      schedules.scavenges
        .running()
        .filter((directory) => schedules.list.nodeAt(directory) === undefined)
        .map((directory) => ({
          name: 'runScavenge',
          title: `The scavenge of ${directory} by its schedule`
        })),
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
