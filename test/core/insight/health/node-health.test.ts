/** Which of several checks says how a node is. */
import { describe, expect, it } from 'vitest';
import {
  checkOfSight,
  checkOfStart,
  checkOfVerification
} from '../../../../src-core/insight/health/health-check.ts';
import {
  healthOf,
  replacesCheck,
  type HealthCheck,
  type KeptCheck
} from '../../../../src-core/insight/health/node-health.ts';

const EARLY = '2026-01-01T06:00:00.0000000Z';
const LATE = '2026-01-01T07:00:00.0000000Z';
const damage = {
  severity: 'damage' as const,
  code: 'chunkHashMismatch',
  file: 'chunk-000001.000000',
  message: 'The hash differs.',
  remedy: 'Restore it.'
};
const behind = {
  severity: 'hint' as const,
  code: 'chaserBehind',
  file: 'chaser.chk',
  message: 'It lags.',
  remedy: 'Nothing.'
};
const orphan = { ...behind, code: 'orphanFile' };

function looked(
  starts: boolean,
  findings: (typeof damage | typeof behind)[] = [],
  isPartial = false
): HealthCheck {
  const effect = starts ? 'none' : 'refuses';
  return checkOfStart(
    {
      prediction: { starts, words: starts ? 'This node will start.' : 'This node will not start.' },
      findings: findings.map((finding) => ({ ...finding, effect })),
      isPartial
    },
    LATE
  );
}

function verified(
  findings: (typeof damage | typeof behind)[] = [],
  isQuick = false
): HealthCheck | undefined {
  return checkOfVerification({ findings, isQuick }, EARLY);
}

const current = (check: HealthCheck | undefined): KeptCheck => ({ check: check!, validity: 'current' });
const seen = (keepsFromStarting: boolean): HealthCheck =>
  checkOfSight({ findings: [damage], keepsFromStarting }, LATE)!;

describe('the health of a node', () => {
  it('is not checked while nobody has checked', () => {
    expect(healthOf({ seen: undefined })).toMatchObject({
      state: 'notChecked',
      checkedAt: null,
      by: 'inspect',
      before: null
    });
  });

  it('is sound by the check that proves more', () => {
    expect(healthOf({ seen: undefined, doctor: current(looked(true)) })).toMatchObject({
      state: 'sound',
      by: 'doctor',
      checkedAt: LATE
    });
    const both = { seen: undefined, doctor: current(looked(true)), verify: current(verified()) };
    expect(healthOf(both)).toMatchObject({ state: 'sound', by: 'verify', checkedAt: EARLY });
  });

  it('stays with the findings of a verification when a later look says that the server starts', () => {
    const health = healthOf({
      seen: undefined,
      doctor: current(looked(true)),
      verify: current(verified([damage]))
    });
    expect(health).toMatchObject({
      state: 'findings',
      by: 'verify',
      damageCount: 1,
      code: 'chunkHashMismatch'
    });
  });

  it('is what the doctor says of a start that fails, whatever a verification found', () => {
    for (const verify of [verified(), verified([damage])]) {
      const health = healthOf({
        seen: undefined,
        doctor: current(looked(false, [damage])),
        verify: current(verify)
      });
      expect(health).toMatchObject({
        state: 'willNotStart',
        by: 'doctor',
        words: 'This node will not start.'
      });
    }
  });

  it('is never sound beside damage that the inspection sees', () => {
    const health = healthOf({
      seen: seen(false),
      doctor: current(looked(true)),
      verify: current(verified())
    });
    expect(health).toMatchObject({ state: 'findings', by: 'inspect' });
  });

  it('takes the inspection for a guess where the doctor has gone through the start', () => {
    expect(healthOf({ seen: seen(true) })).toMatchObject({ state: 'willNotStart', by: 'inspect' });
    expect(healthOf({ seen: seen(true), doctor: current(looked(true)) }).state).toBe('findings');
  });

  it('is unclean where the last stop left something to the next start', () => {
    expect(healthOf({ seen: undefined, doctor: current(looked(true, [behind])) })).toMatchObject({
      state: 'unclean',
      code: 'chaserBehind'
    });
    expect(
      healthOf({ seen: undefined, doctor: current(looked(true, [behind])), verify: current(verified()) })
    ).toMatchObject({ state: 'unclean', by: 'doctor' });
    expect(healthOf({ seen: undefined, doctor: current(looked(true, [orphan])) }).state).toBe('sound');
  });

  it('of a changed directory is not checked, and says what it was', () => {
    const outdated = { check: looked(true), validity: 'outdated' as const };
    const health = healthOf({
      seen: undefined,
      doctor: outdated,
      verify: { check: verified()!, validity: 'outdated' }
    });
    expect(health).toMatchObject({
      state: 'notChecked',
      checkedAt: null,
      before: { state: 'sound', by: 'doctor', checkedAt: LATE }
    });
  });

  it('tells of the newest of the checks that no longer count', () => {
    const doctor = looked(true);
    const verify = verified([damage])!;
    const outdated = (check: HealthCheck): KeptCheck => ({ check, validity: 'outdated' });
    for (const [newer, older] of [
      [doctor, verify],
      [verify, doctor]
    ] as const) {
      const kept = {
        [newer.by]: outdated({ ...newer, checkedAt: LATE }),
        [older.by]: outdated({ ...older, checkedAt: EARLY })
      };
      expect(healthOf({ seen: undefined, ...kept })).toMatchObject({
        state: 'notChecked',
        before: { by: newer.by, checkedAt: LATE }
      });
    }
  });

  it('that does not start has the code of what stops it, or else of the first finding', () => {
    const finding = (code: string, effect: 'none' | 'refuses') => ({ ...damage, code, effect });
    const prediction = { starts: false, words: 'This node will not start.' };
    const codeOf = (findings: ReturnType<typeof finding>[]) =>
      checkOfStart({ prediction, findings, isPartial: false }, LATE).code;
    expect(codeOf([finding('first', 'none'), finding('second', 'refuses')])).toBe('second');
    expect(codeOf([finding('first', 'none')])).toBe('first');
  });

  it('keeps damage in a file that has not changed, but not what it meant for a start', () => {
    const remains = { check: looked(false, [damage]), validity: 'damageRemains' as const };
    expect(healthOf({ seen: undefined, doctor: remains })).toMatchObject({ state: 'findings', by: 'doctor' });
  });
});

describe('half a check', () => {
  it('says nothing of the whole unless it finds damage', () => {
    expect(verified([], true)).toBeUndefined();
    expect(verified([behind], true)).toBeUndefined();
    expect(verified([damage], true)?.state).toBe('findings');
  });

  it('takes nothing back that a whole one saw in the same files', () => {
    const whole = looked(false, [damage]);
    expect(replacesCheck(whole, looked(true, [], true), true)).toBe(false);
    expect(replacesCheck(whole, looked(true, [], true), false)).toBe(true);
    expect(replacesCheck(whole, looked(true), true)).toBe(true);
    expect(replacesCheck(looked(true), looked(false, [damage], true), true)).toBe(true);
  });

  it('takes back what lay with the machine', () => {
    const full = looked(false, [{ ...damage, code: 'diskFull' }]);
    expect(replacesCheck(full, looked(true, [], true), true)).toBe(true);
  });
});
