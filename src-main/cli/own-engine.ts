/** The engine of one run of the command line, with the record of what it is asked. */
import { ActivityLog } from '../activity/activity-log.ts';
import { recordedEngine } from '../activity/recorded-engine.ts';
import { startWorkerEngine, type EngineHost } from '../engine/engine-host.ts';
import { winnowHome } from '../settings/winnow-home.ts';

type Environment = Record<string, string | undefined>;

/** Starts the engine in a thread of its own. */
export function startOwnEngine(environment: Environment): EngineHost {
  return recorded(startWorkerEngine(), environment);
}

/** The engine in this thread, for one operation that looks and is done. */
export async function ownEngineHere(environment: Environment): Promise<EngineHost> {
  const { startEngineHere } = await import('../engine/engine-here.ts');
  return recorded(startEngineHere(), environment);
}

function recorded(engine: EngineHost, environment: Environment): EngineHost {
  return recordedEngine(engine, {
    log: ownActivityLog(environment),
    clock: Date.now,
    door: 'commandLine'
  });
}

/** Every operation requested on this machine. */
export function ownActivityLog(environment: Environment): ActivityLog {
  return new ActivityLog({ home: winnowHome(environment, process.platform), clock: Date.now });
}
