/** Which point a scavenge works toward, by its checkpoint, the newest point of the log and what was asked for. */
import { describe, expect, it } from 'vitest';
import type { ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import {
  decideStart,
  foreseeStart,
  type StartQuestion
} from '../../../src-core/scavenge/points/start-decision.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';

const point = (number: number): ScavengePoint => ({
  number,
  position: 1000 * (number + 1),
  effectiveNow: ticksFromIso('2026-01-01T00:00:00Z')!,
  threshold: 0
});
const DONE = { stage: 'done', scavengePoint: point(3) } as const;
const CUT = { stage: 'cleaning', scavengePoint: point(3) } as const;

const question = (change: Partial<StartQuestion>): StartQuestion => ({
  checkpoint: undefined,
  latest: undefined,
  placement: 'auto',
  mayWritePoint: false,
  threshold: 7,
  ...change
});

describe('a scavenge', () => {
  it.each<[what: string, Partial<StartQuestion>, kind: string, number: number | null, because: RegExp]>([
    [
      'has nothing to do in a log without a point',
      { placement: 'existing' },
      'nothing',
      null,
      /no unreached/
    ],
    [
      'has nothing to do where the newest point is reached',
      { placement: 'existing', checkpoint: DONE, latest: point(3) },
      'nothing',
      null,
      /no unreached/
    ],
    [
      'takes a newer point',
      { checkpoint: DONE, latest: point(4) },
      'existing',
      4,
      /point 4, at position 5000/
    ],
    ['resumes whatever there is', { checkpoint: CUT, latest: point(9) }, 'resume', 3, /will be resumed/],
    ['writes a point of its own where it may', { mayWritePoint: true }, 'new', 0, /only for a single node/],
    [
      'writes one behind the newest where that is asked for',
      { placement: 'new', latest: point(4) },
      'new',
      5,
      /Point 5/
    ],
    ['that is detached needs none', { placement: 'detached' }, 'detached', null, /writes nothing to the log/],
    [
      'that is detached waits for one that was cut',
      { placement: 'detached', checkpoint: CUT },
      'refused',
      null,
      /must be finished/
    ],
    [
      'is refused a point where nothing says that the node is single',
      {},
      'refused',
      null,
      /nothing says that this is a single node/
    ],
    [
      'is refused a point in a member of a cluster, with its name',
      { clusterName: 'blue' },
      'refused',
      null,
      /member of the cluster "blue"/
    ]
  ])('%s', (_, change, kind, number, because) => {
    expect(foreseeStart(question(change))).toEqual({
      kind,
      point: number,
      because: expect.stringMatching(because) as string
    });
  });

  it.each([
    [undefined, '--single-node', { field: 'scavengePoint', number: 5, threshold: 7 }],
    [
      'blue',
      'winnow cluster scavenge blue',
      { field: 'scavengePoint', number: 5, threshold: 7, cluster: 'blue' }
    ]
  ])('that may write no point says what to do instead: cluster %s', (clusterName, remedy, details) => {
    expect(() =>
      decideStart(
        question({ clusterName, checkpoint: { ...DONE, scavengePoint: point(4) }, latest: point(4) })
      )
    ).toThrow(
      expect.objectContaining({
        code: 'InvalidRequest',
        remedy: expect.stringContaining(remedy) as string,
        details
      })
    );
  });
});
