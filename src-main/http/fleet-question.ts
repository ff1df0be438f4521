/** All nodes and clusters as a service sees them: those of the lists in its home, and the node that it hosts. */
import type { FleetReport } from '../contract/operations/fleet-reports.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { readFleet, type FleetQuestion } from '../fleet/read-fleet.ts';
import type { ServeOptions } from './serve-options.ts';

export interface ServiceFleetParts {
  engine: Pick<EngineHost, 'call'>;
  options: Pick<ServeOptions, 'winnowHome' | 'environment'>;
  clock: () => number;
}

export function serviceFleet(
  { engine, options, clock }: ServiceFleetParts,
  asked: Pick<FleetQuestion, 'directories' | 'onlyClusters'>,
  signal = new AbortController().signal
): Promise<FleetReport> {
  return readFleet({
    home: options.winnowHome,
    ...asked,
    door: {
      parts: { environment: options.environment },
      signal,
      engine: () => Promise.resolve(engine),
      call: (name, request) => engine.call(name, request, { signal }),
      say: () => undefined, // only what is asked is answered
      warn: () => undefined
    },
    nowMs: clock()
  });
}
