import { describe, expect, test } from 'vitest';
import type { RehearseReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { rehearsalSteps } from '../../../src-renderer/state/rehearsal-steps.ts';

const report: RehearseReport = {
  backup: 'b',
  findings: [],
  checked: { files: 9, bytes: 5, records: 7, indexEntries: 7 },
  notChecked: [],
  ok: true,
  streams: 3,
  truncatesTo: 100
};
const damage = (code: string): RehearseReport['findings'][number] => ({
  severity: 'damage',
  code,
  file: null,
  offset: null,
  position: null,
  message: '',
  remedy: '',
  command: null
});
const states = (changes: Partial<RehearseReport>): string[] =>
  rehearsalSteps({ ...report, ...changes }).map(({ state }) => state);

describe('a rehearsal', () => {
  test('that passed has passed every step', () => {
    expect(states({})).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
  });

  test('of a backup that cannot be restored tried nothing else', () => {
    const findings = [damage('backupDamaged')];
    expect(states({ findings, ok: false })).toEqual(['failed', 'skipped', 'skipped', 'skipped', 'skipped']);
  });

  test('tells damage of the log, of the index and of streams apart', () => {
    const notChecked = ['the last event of each stream: the log is damaged'];
    expect(states({ findings: [damage('chunkHashMismatch')], notChecked })).toEqual([
      'passed',
      'passed',
      'failed',
      'passed',
      'skipped'
    ]);
    expect(states({ findings: [damage('tableHashMismatch')] })[3]).toBe('failed');
    expect(states({ findings: [damage('indexEntryWithoutRecord')] })[4]).toBe('failed');
    expect(states({ findings: [{ ...damage('chunkHashMismatch'), severity: 'hint' }] })[2]).toBe('passed');
  });
});
