/**
 * A power cut within the recovery from a power cut. The operation of a subject of cut-enumeration.ts is cut at some of its
 * calls; what is done on the disk that was left is cut once more, at calls that a seed draws; on each disk that is left
 * then everything must be readable, and the next recovery ends as the uncut run.
 */
import { chosenCalls, type CallChoice } from './chosen-calls.ts';
import {
  copyOf,
  CUT_WAYS,
  cutOnce,
  goOn,
  named,
  runningOn,
  runUncut,
  type CutSubject,
  type Disk,
  type UncutRun
} from './cut-enumeration.ts';
import { Prng } from './prng.ts';

/** Calls of the operation that are the first cut. */
export interface RecoveryChoice extends CallChoice {
  /** Calls of each recovery that are cut. Default 2. */
  secondCuts?: number;
  seed: number;
}

export interface RecoveryReport {
  /** W of the operation. */
  calls: number;
  /** First cuts of which the recovery was cut too. */
  firstCuts: number;
  /** Disks that second cuts left, each of which was looked at and recovered. */
  secondDisks: number;
  seed: number;
}

export async function enumerateRecoveryCuts<Content>(
  subject: CutSubject<Content>,
  { secondCuts = 2, seed, ...choice }: RecoveryChoice
): Promise<RecoveryReport> {
  const uncut = await runUncut(subject);
  const random = new Prng(seed);
  const report: RecoveryReport = { calls: uncut.calls, firstCuts: 0, secondDisks: 0, seed };
  for (const cutAt of chosenCalls(uncut.calls, { ...choice, seed })) {
    const way = random.pick(CUT_WAYS);
    const [disk] = await cutOnce(subject, uncut, { cutAt, ways: [way], seed: seed * 100_003 + cutAt });
    if (!disk) continue;
    const recovery: CutSubject<Content> = {
      ...subject,
      act: (fileSystem, mark) => (subject.resume ? subject.resume(fileSystem) : subject.act(fileSystem, mark))
    };
    const calls = await callsOf(recovery, disk);
    if (calls === 0) continue;
    report.firstCuts++;
    for (let i = 0; i < secondCuts; i++) {
      const again = { cutAt: 1 + random.below(calls), ways: CUT_WAYS, seed: random.below(2 ** 20) };
      const what = `cut at call ${cutAt} of ${uncut.calls} (${way}), its recovery at call ${again.cutAt} of ${calls}`;
      await named(`${what}, seed ${seed}`, async () => {
        report.secondDisks += await cutAgain({ recovery, uncut, disk, again });
      });
    }
  }
  return report;
}

/** Calls of a recovery that change or flush something. */
async function callsOf<Content>(recovery: CutSubject<Content>, disk: Disk): Promise<number> {
  if (disk.beside) recovery.beside?.restore(disk.beside);
  const fileSystem = runningOn(recovery, copyOf(disk.memory));
  await recovery.act(fileSystem, (what) => fileSystem.mark(what));
  return fileSystem.calls;
}

interface CutAgain<Content> {
  recovery: CutSubject<Content>;
  uncut: UncutRun<Content>;
  disk: Disk;
  again: Parameters<typeof cutOnce>[2];
}

async function cutAgain<Content>({ recovery, uncut, disk, again }: CutAgain<Content>): Promise<number> {
  const left = await cutOnce(recovery, { start: disk.memory, startBeside: disk.beside }, again);
  for (const second of left) {
    await named(second.way, () => goOn(recovery, uncut, { ...second, isSeen: false }));
  }
  return left.length;
}
