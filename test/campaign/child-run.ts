/** Scavenges in another process: ended, killed after a time, or left to a disk that runs full meanwhile. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../src-core/errors.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../src-core/scavenge/scavenge-request.ts';
import { ticksToIso } from '../../src-core/units/ticks.ts';
import type { HasherName } from './weak-hash.ts';

const CHILD = fileURLToPath(new URL('./scavenge-child.ts', import.meta.url));
const FLAG = '--disable-warning=ExperimentalWarning';

export interface ChildRun {
  request: ScavengeRequest;
  hasher: HasherName;
  /** Time of what the run writes into the log. */
  now: bigint;
  /** The built command line, to run that instead; it knows the real hash only. */
  commandLine?: string | undefined;
  /** When to kill it, after its start. */
  killAfterMs?: number;
  /** Called once it runs. */
  onStart?: () => void;
}

export type ChildEnd = { isKilled: true } | { isKilled: false; report: ScavengeReportData };

/** An error that the child told is thrown here as the same error. */
export function runChild(run: ChildRun): Promise<ChildEnd> {
  const { request, hasher, now, commandLine, killAfterMs, onStart } = run;
  const args = commandLine
    ? [FLAG, commandLine, ...commandLineOf(request)]
    : [FLAG, CHILD, JSON.stringify(request), hasher, ticksToIso(now)];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...(request.winnowHome ? { WINNOW_HOME: request.winnowHome } : {}) };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.on('error', reject);
    child.on('spawn', () => onStart?.());
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') {
        resolve({ isKilled: true });
        return;
      }
      try {
        const answer = JSON.parse(output) as ScavengeReportData & { error?: EngineError };
        if (answer.error) reject(new EngineError(answer.error));
        else resolve({ isKilled: false, report: answer });
      } catch {
        reject(new Error(`The child ended with ${code ?? signal}: ${errors}${output}`));
      }
    });
  });
}

function commandLineOf(request: ScavengeRequest): string[] {
  const { dataDirectory, scavengePoint, threshold, threads, now } = request;
  return [
    'scavenge',
    dataDirectory,
    ...['--yes', '--json', '--quiet', '--scavenge-point', scavengePoint],
    ...['--threshold', String(threshold), '--threads', String(threads)],
    ...(now === undefined ? [] : ['--now', now]),
    ...(request.pageSize === undefined ? [] : ['--page-size', String(request.pageSize)]),
    ...(request.merge ? [] : ['--no-merge']),
    ...(request.alwaysKeepScavenged ? ['--always-keep-scavenged'] : []),
    ...(request.unsafeIgnoreHardDeletes ? ['--unsafe-ignore-hard-deletes'] : []),
    ...(request.startAfresh ? ['--start-afresh'] : []),
    ...(request.singleNode ? ['--single-node'] : [])
  ];
}
