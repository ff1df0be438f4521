/**
 * The order of test files: those that take longest begin first, so that none of them runs alone at the end while the
 * other processors idle. The rest is in the order of vitest, which knows no durations in a fresh clone and takes sizes
 * for them; these are the files that are much longer than their size says.
 */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONGEST = [
  // Waits for the next minute of the clock.
  'main/cluster/remote-cluster',
  'main/operations/looking-changes-nothing',
  'main/operations/golden-reads',
  'main/operations/kept-streams',
  'main/cli/repair-encoded',
  'main/cluster/scheduled-nights',
  'main/cli/nights',
  'main/bench/scale',
  'renderer/window-controls',
  'crash/repair-power-cut',
  'scenarios/erasure/backup-erasure',
  'crash/command-kills',
  'crash/startup-cuts',
  'scenarios/scavenge/plan-equals-run',
  'crash/undo-cuts-history',
  'crash/rescue-cuts',
  'crash/undo-cuts-existing',
  'scenarios/explain/explain-goldens',
  'crash/scavenge-refused',
  'fuzz/structures',
  'crash/scavenge-cut-again',
  'crash/scavenge-cuts',
  'crash/scavenge-cuts-threads'
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // toSorted is stable: what is not in the list stays as it was.
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const name = moduleId.split(path.sep).join('/');
  const rank = LONGEST.findIndex((file) => name.endsWith(`/test/${file}.test.ts`));
  return rank === -1 ? LONGEST.length : rank;
}
