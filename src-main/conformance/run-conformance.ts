/**
 * Runs every conformance case in some folders against the real engine, each in its own scratch directory,
 * and reports the differences. Cases that need what Winnow does not have (archives) are skipped.
 */
import { EngineError, NodeFileSystem, type FileSystem, entriesIn } from '../../src-core/index.ts';
import type { ConformanceCase, Differences, ScenarioCase } from './case-format.ts';
import { runDuration, runEnabled, runEventData, runSchedule } from './coordinator-cases.ts';
import { runCoordinatorScenario } from './coordinator-scenario.ts';
import { runScenario } from './run-scenario.ts';
import {
  runCheckpointText,
  runCollisions,
  runDiscardPoints,
  runOptions,
  runTrailingCheckpoints
} from './small-cases.ts';
import { runHttp, runNodeAnswer } from './http-cases.ts';
import { runStateStore } from './state-store-cases.ts';

/** What the engine and this runner can do, in the words of the cases. */
const ABILITIES = new Set([
  'transactions',
  'recordVersion0',
  'emptiedChunks',
  'merge',
  'stop',
  'seedCheckpoint',
  'seedState',
  'discardPointFunctions',
  'collisionTracker',
  'optionsFunction',
  'checkpointText',
  'trailingCheckpointFunction',
  'stateStore',
  'zone',
  'storeFailures',
  'remoteNodes'
]);

export interface ConformanceTotals {
  passed: number;
  failed: number;
  skipped: number;
}

export interface ConformanceRun {
  directories: readonly string[];
  /** Directory for the databases of the cases while they run. */
  scratchDirectory: string;
  onFailure: (caseId: string, differences: Differences) => void;
  fileSystem?: FileSystem;
}

export async function runConformance(run: ConformanceRun): Promise<ConformanceTotals> {
  const fileSystem = run.fileSystem ?? new NodeFileSystem();
  const totals: ConformanceTotals = { passed: 0, failed: 0, skipped: 0 };
  let count = 0;
  for (const directory of run.directories) {
    for (const found of readCases(fileSystem, directory)) {
      const scratch = fileSystem.join(run.scratchDirectory, `case-${++count}`);
      const differences = await tried(() => runFound(fileSystem, scratch, found));
      const left = await tried(() => {
        fileSystem.removeDirectory(scratch);
        return [];
      });
      if (differences === 'skipped') {
        totals.skipped++;
        continue;
      }
      differences.push(...left);
      if (differences.length === 0) {
        totals.passed++;
      } else {
        totals.failed++;
        run.onFailure(found.id, differences);
      }
    }
  }
  return totals;
}

/** A case, or why something is not a valid case. */
type FoundCase = { id: string } & ({ conformanceCase: ConformanceCase } | { fault: string });

function runFound(
  fileSystem: FileSystem,
  scratch: string,
  found: FoundCase
): Differences | 'skipped' | Promise<Differences> {
  if ('fault' in found) return [found.fault];
  const runCase = runnerOf(found.conformanceCase);
  return runCase ? runCase(fileSystem, scratch, found.conformanceCase) : 'skipped';
}

type CaseRunner = (
  fileSystem: FileSystem,
  scratch: string,
  conformanceCase: ConformanceCase
) => Differences | Promise<Differences>;

const RUNNERS: Record<string, CaseRunner> = {
  scenario: (fileSystem, scratch, conformanceCase) =>
    runScenario(fileSystem, scratch, conformanceCase as unknown as ScenarioCase),
  discardPoints: (_fileSystem, _scratch, conformanceCase) => runDiscardPoints(conformanceCase),
  collisions: (_fileSystem, _scratch, conformanceCase) => runCollisions(conformanceCase),
  options: (_fileSystem, _scratch, conformanceCase) => runOptions(conformanceCase),
  checkpointText: (_fileSystem, _scratch, conformanceCase) => runCheckpointText(conformanceCase),
  trailingCheckpoints: (_fileSystem, _scratch, conformanceCase) => runTrailingCheckpoints(conformanceCase),
  stateStore: runStateStore,
  schedule: (_fileSystem, _scratch, conformanceCase) => runSchedule(conformanceCase),
  duration: (_fileSystem, _scratch, conformanceCase) => runDuration(conformanceCase),
  enabled: (_fileSystem, _scratch, conformanceCase) => runEnabled(conformanceCase),
  eventData: (_fileSystem, _scratch, conformanceCase) => runEventData(conformanceCase),
  http: (_fileSystem, _scratch, conformanceCase) => runHttp(conformanceCase),
  nodeAnswer: (_fileSystem, _scratch, conformanceCase) => runNodeAnswer(conformanceCase)
};

/** undefined if the case needs something unavailable. Scenarios of a coordinator have no chunks. */
function runnerOf(conformanceCase: ConformanceCase): CaseRunner | undefined {
  if (!(conformanceCase.requires ?? []).every((ability) => ABILITIES.has(ability))) return undefined;
  if (conformanceCase.kind === 'scenario' && !Array.isArray(conformanceCase['chunks'])) {
    return (_fileSystem, _scratch, coordinatorCase) => runCoordinatorScenario(coordinatorCase);
  }
  return RUNNERS[conformanceCase.kind];
}

/** A failure of the engine, even of one of its own checks, is a difference like any other. */
async function tried<T>(action: () => T | Promise<T>): Promise<T | Differences> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof EngineError) return [`${error.code}: ${error.message}`];
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

/** All cases in a folder, in the order of its files; also finds `cases` inside it. */
function readCases(fileSystem: FileSystem, directory: string): FoundCase[] {
  const inside = fileSystem.join(directory, 'cases');
  const files = jsonFiles(fileSystem, directory);
  const [folder, names] = files.length > 0 ? [directory, files] : [inside, jsonFiles(fileSystem, inside)];
  if (names.length === 0) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: `${directory} contains no conformance cases.`,
      remedy: 'Name a folder with case files (*.json).',
      details: { field: 'DIR', file: directory }
    });
  }
  return names.flatMap((name) => {
    try {
      return casesIn(readFile(fileSystem, fileSystem.join(folder, name)), name);
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof EngineError)) throw error;
      return [{ id: name, fault: `the file cannot be read: ${error.message}` }];
    }
  });
}

function readFile(fileSystem: FileSystem, path: string): Uint8Array {
  const file = fileSystem.open(path, 'read');
  try {
    const bytes = new Uint8Array(file.size());
    file.read(bytes, 0, bytes.length, 0);
    return bytes;
  } finally {
    file.close();
  }
}

function casesIn(bytes: Uint8Array, file: string): FoundCase[] {
  const { cases } = (JSON.parse(new TextDecoder().decode(bytes)) ?? {}) as { cases?: unknown };
  if (!Array.isArray(cases)) return [{ id: file, fault: 'the file holds no list of cases' }];
  return cases.map((found: unknown, index) => {
    const isCase = typeof found === 'object' && found !== null && !Array.isArray(found);
    if (!isCase) return { id: `${file} ${index}`, fault: 'it is no case' };
    const conformanceCase = found as ConformanceCase;
    return { id: String(conformanceCase.id ?? `${file} ${index}`), conformanceCase };
  });
}

function jsonFiles(fileSystem: FileSystem, directory: string): string[] {
  return entriesIn(fileSystem, directory)
    .filter(({ name, isDirectory }) => !isDirectory && name.endsWith('.json'))
    .map(({ name }) => name)
    .sort();
}
