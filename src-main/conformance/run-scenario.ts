/**
 * Runs one scenario: writes its database, then for each step puts the seed in place, runs the real scavenger and
 * compares everything that the case states.
 */
import { randomUUID } from 'node:crypto';
import {
  OperationControl,
  runScavenge,
  ticksFromIso,
  type FileSystem,
  type ScavengeRequest,
  requireFaultBut
} from '../../src-core/index.ts';
import { writeCaseDatabase, type CaseDatabase, type CasePlace } from './case-database.ts';
import type { CaseStep, Differences, ScenarioCase } from './case-format.ts';
import { hasherNamed } from './case-hashers.ts';
import { CaseTrace } from './case-trace.ts';
import { compareLog, compareState, compareTrace, type StepOutcome } from './compare-step.ts';
import { seedState } from './seed-state.ts';

/** The traces of the cases presume batches of two streams. */
const CALCULATION_BATCH = 2;

export async function runScenario(
  fileSystem: FileSystem,
  directory: string,
  scenario: ScenarioCase
): Promise<Differences> {
  const place: CasePlace = { fileSystem, dataDirectory: directory, hasher: hasherNamed(scenario.hasher) };
  const database = writeCaseDatabase(place, scenario);
  const differences: Differences = [];
  for (const [index, step] of scenario.steps.entries()) {
    const found = await runStep(place, database, step);
    const where = scenario.steps.length > 1 ? `step ${index + 1}: ` : '';
    differences.push(...found.map((difference) => where + difference));
  }
  return differences;
}

async function runStep(place: CasePlace, database: CaseDatabase, step: CaseStep): Promise<Differences> {
  if (step.op !== 'scavenge') return [`the op ${step.op} is unknown`];
  if (step.seed) seedState(place, step.seed);
  const stop = new AbortController();
  const trace = new CaseTrace(step, place.hasher, () => stop.abort());
  const outcome = await scavenge(place, step, stop.signal, trace);
  return [
    ...trace.passed.map((point) => `passed ${point}, which must not happen`),
    ...compareTrace(step, trace.lines),
    ...(await compareLog(place, database, step, outcome)),
    ...compareState(place, step)
  ];
}

async function scavenge(
  { fileSystem, dataDirectory, hasher }: CasePlace,
  step: CaseStep,
  signal: AbortSignal,
  trace: CaseTrace
): Promise<StepOutcome> {
  const { unsafeIgnoreHardDeletes, syncOnly, mergeChunks, threads } = step.options ?? {};
  const request: ScavengeRequest = {
    dataDirectory,
    scavengePoint: 'auto',
    threshold: 0,
    threads: Math.min(Math.max(threads ?? 1, 1), 4),
    throttlePercent: 100,
    syncOnly: syncOnly ?? false,
    merge: mergeChunks ?? false,
    unsafeIgnoreHardDeletes: unsafeIgnoreHardDeletes ?? false,
    alwaysKeepScavenged: true,
    assumeStopped: false,
    startAfresh: false,
    singleNode: step.refuseNewScavengePoint !== true
  };
  try {
    const { result, scavengePoint } = await runScavenge(request, {
      fileSystem,
      hasher,
      trace,
      // A seed is not a history that the log could have produced, and a case may want the run to meet what stops it.
      isUnexamined: true,
      newGuid: randomUUID,
      now: () => ticksFromIso('2022-01-05T00:00:00Z')!,
      calculationBatchSize: CALCULATION_BATCH,
      operation: new OperationControl({
        signal,
        elapsedMs: () => performance.now(),
        yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
      })
    });
    if (scavengePoint?.placement !== 'new') return { result };
    const { number: eventNumber, threshold, position } = scavengePoint;
    return { result, requested: { eventNumber, threshold }, writtenAt: position };
  } catch (error) {
    requireFaultBut(error, 'AssertionFailed');
    const { reason, stream, number, threshold } = error.details;
    if (error.details.field === 'scavengePoint' && typeof number === 'number') {
      return { result: 'stopped', requested: { eventNumber: number, threshold: Number(threshold) } };
    }
    return {
      result: 'errored',
      error: { code: String(reason ?? error.message), stream: String(stream ?? '') }
    };
  }
}
