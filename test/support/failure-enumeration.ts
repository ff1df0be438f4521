/**
 * Every refusal of the disk during an operation in one call: the n-th call that changes or flushes something fails,
 * for every n, once or with all that follow, with no space, an I/O error, no permission or an interrupted call. The operation must end
 * with a named error (or well, where the call was no part of its promise, but never after a failed flush), and with
 * every file closed; a
 * later reader sees the old or the new; and the next run ends as one without a fault. After a failed flush the
 * power goes as well: what it should have flushed is lost then, although later flushes of the same file went well.
 *
 *   const report = await enumerateFailures(subject);   // the subject of cut-enumeration.ts
 */
import { deepStrictEqual } from 'node:assert/strict';
import { EngineError } from '../../src-core/errors.ts';
import { chosenCalls, type CallChoice } from './chosen-calls.ts';
import { CountingFileSystem } from './counting-file-system.ts';
import {
  copyOf,
  named,
  runningOn,
  runUncut,
  type BesideContent,
  type CutSubject,
  type UncutRun
} from './cut-enumeration.ts';
import { NOTHING_UNFLUSHED } from './durable-state.ts';
import { FaultyFileSystem, type Faults } from './faulty-file-system.ts';
import type { MemoryFileSystem } from './memory-file-system.ts';

export const OS_CODES = ['ENOSPC', 'EIO', 'EACCES', 'EINTR'] as const;
export type OsCode = (typeof OS_CODES)[number];

export interface FailureChoice extends CallChoice {
  /** Which calls fail. Default: those that change or flush something. */
  calls?: 'changing' | 'reading';
  /** Default: all. With `oneCodeEach` each call fails with one of them, in turn. */
  osCodes?: readonly OsCode[];
  oneCodeEach?: boolean;
}

export interface FailureReport {
  /** Calls of the run without a fault. */
  calls: number;
  /** Runs with a fault. */
  runs: number;
  /** Those that ended with a named error, by code. */
  refused: Record<string, number>;
  endedWell: number;
  /** Which words of the system they failed with. */
  osCodes: readonly OsCode[];
  /** Runs of which a flush failed; none of them ended well. */
  failedFlushes: number;
  /** Power cuts after failed flushes. */
  cuts: number;
}

interface Failure {
  call: number;
  osCode: OsCode;
  isForEver: boolean;
}

export async function enumerateFailures<Content>(
  subject: CutSubject<Content>,
  choice: FailureChoice = {}
): Promise<FailureReport> {
  const { calls: kind = 'changing' } = choice;
  const uncut = await runUncut(subject);
  const { trail } = uncut;
  const calls = kind === 'reading' ? uncut.readCalls : uncut.calls;
  const { osCodes = OS_CODES } = choice;
  const report: FailureReport = {
    ...{ calls, runs: 0, refused: {}, endedWell: 0, osCodes, failedFlushes: 0, cuts: 0 }
  };
  for (const call of chosenCalls(calls, choice)) {
    for (const failure of failuresAt(call, choice)) {
      const { osCode, isForEver } = failure;
      const text = kind === 'reading' ? 'read' : trail[call - 1]!;
      const what = `call ${call} of ${calls} (${text}) fails with ${osCode}${isForEver ? ' for ever' : ''}`;
      const faults = kind === 'reading' ? { failReadAt: failure } : { failAt: failure };
      await named(what, () =>
        failOnce({ subject, uncut, faults, report, isFlush: text.startsWith('flush ') })
      );
    }
  }
  return report;
}

/** One line for people. */
export function failureReportText(name: string, report: FailureReport): string {
  const { calls, runs, refused, endedWell, cuts } = report;
  const codes = Object.entries(refused).map(([code, count]) => `${count} ${code}`);
  return (
    `${name}: ${calls} calls, ${runs} runs with a failing one: ${codes.join(', ')}, ${endedWell} ended well; ` +
    `${cuts} power cuts after failed flushes; nothing lost, all ended as the run without a fault`
  );
}

function failuresAt(call: number, { osCodes = OS_CODES, oneCodeEach = false }: FailureChoice): Failure[] {
  const codes = oneCodeEach ? [osCodes[call % osCodes.length]!] : osCodes;
  return codes.flatMap((osCode) => [false, true].map((isForEver) => ({ call, osCode, isForEver })));
}

interface FailOnce<Content> {
  subject: CutSubject<Content>;
  uncut: UncutRun<Content>;
  faults: Faults;
  isFlush: boolean;
  report: FailureReport;
}

async function failOnce<Content>(parts: FailOnce<Content>): Promise<void> {
  const { subject, uncut, faults, isFlush, report } = parts;
  const { beside } = subject;
  const { start, startBeside, before, after } = uncut;
  if (startBeside) beside?.restore(startBeside);
  const memory = copyOf(start);
  const faulty = new FaultyFileSystem(memory, { ...faults, ...(beside ? { beside } : {}) });
  report.runs++;
  if (isFlush) report.failedFlushes++;
  const counting = new CountingFileSystem(faulty);
  const end = await endOf(() => subject.act(counting, (what) => faulty.mark(what)));
  if (counting.openFiles > 0) throw new Error(`${counting.openFiles} files stay open`, { cause: end.error });
  if (end.isWell) {
    if (isFlush) throw new Error('the operation ended well after a failed flush');
    report.endedWell++;
    const fileSystem = runningOn(subject, memory);
    await subject.look?.(fileSystem, { before, after });
    deepStrictEqual(await subject.contentOf(fileSystem), after);
    return;
  }
  const { code } = requireNamed(end.error);
  report.refused[code] = (report.refused[code] ?? 0) + 1;
  const disks: { memory: MemoryFileSystem; state?: BesideContent }[] = [{ memory }];
  if (isFlush) {
    for (const state of beside?.capture() ?? [undefined]) {
      disks.push({ memory: faulty.survivors(NOTHING_UNFLUSHED), ...(state ? { state } : {}) });
      report.cuts++;
    }
  }
  for (const disk of disks) {
    if (disk.state) beside?.restore(disk.state);
    const fileSystem = runningOn(subject, disk.memory);
    await subject.look?.(fileSystem, { before, after });
    await (subject.resume ?? subject.act)(fileSystem, () => undefined);
    deepStrictEqual(await subject.contentOf(fileSystem), after);
  }
}

async function endOf(action: () => Promise<unknown>): Promise<{ isWell: boolean; error?: unknown }> {
  try {
    await action();
    return { isWell: true };
  } catch (error) {
    return { isWell: false, error };
  }
}

/** What a person is told: which file, and what to do. */
function requireNamed(error: unknown): EngineError {
  if (!(error instanceof EngineError)) throw new Error('the error is none of the engine', { cause: error });
  const { code, details, remedy } = error;
  if (code !== 'StorageFailed') throw new Error(`the error is ${code}: ${error.message}`, { cause: error });
  if (!details.file || !details.osCode || !remedy)
    throw new Error(`the error names too little: ${error.message}`);
  return error;
}
