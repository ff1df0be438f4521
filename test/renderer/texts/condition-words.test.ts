/** Conditions of a schedule are worded on the engine's side; the German window has a sentence of its own for each. */
import { expect, test } from 'vitest';
import type { QuietHours } from '../../../src-core/index.ts';
import { scheduleChecklist, type ScheduleFacts } from '../../../src-main/hosting/schedule-checklist.ts';
import { conditionInGerman } from '../../../src-renderer/texts/german/condition-words.ts';

const quietHours: QuietHours = {
  from: '08:00',
  to: '18:00',
  timeZone: 'UTC',
  days: [1, 2]
} as unknown as QuietHours;
const plain: ScheduleFacts = {
  enablement: { result: 'enabled' },
  licence: {
    isValid: true,
    holder: 'ops',
    expiresAt: new Date('2027-01-01T00:00:00Z')
  } as ScheduleFacts['licence'],
  schedule: '0 6 * * SAT',
  pausedBy: null,
  quietHours: null,
  isQuietNow: false,
  remote: { accessFault: undefined, hasOwnSchedule: false },
  health: 'healthy',
  absent: [],
  holder: undefined,
  host: 'window'
};
const VARIANTS: Partial<ScheduleFacts>[] = [
  {},
  { enablement: 'no such file' },
  { enablement: { result: 'disabled', reason: 'dev mode' } as unknown as ScheduleFacts['enablement'] },
  { enablement: { result: 'disabled', reason: 'mem-db' } as unknown as ScheduleFacts['enablement'] },
  { enablement: { result: 'disabled', reason: 'setting' } as unknown as ScheduleFacts['enablement'] },
  { licence: { isValid: false, reason: 'no licence is given' } as ScheduleFacts['licence'] },
  { licence: { isValid: false, reason: 'it has expired' } as ScheduleFacts['licence'] },
  { schedule: null },
  { pausedBy: 'person' },
  { quietHours },
  { quietHours, isQuietNow: true },
  { quietHours, isQuietNow: true, schedule: null },
  { quietHours, isQuietNow: true, pausedBy: 'quietHours' },
  { health: 'unreachable' },
  { health: 'degraded' as ScheduleFacts['health'] },
  { absent: ['node-2'] },
  { remote: { accessFault: undefined, hasOwnSchedule: undefined } },
  { remote: { accessFault: undefined, hasOwnSchedule: true } },
  { host: 'service' },
  { holder: { pid: 12, url: null } },
  { holder: { pid: 12, url: 'http://localhost:2113' } }
];

test('every condition has German words, which keep what is particular to it', () => {
  const sentences = new Set(
    VARIANTS.flatMap((variant) => scheduleChecklist({ ...plain, ...variant }).map(({ words }) => words))
  );
  expect(sentences.size).toBeGreaterThan(25);
  for (const words of sentences) expect(conditionInGerman(words), words).not.toBe(words);
  expect(conditionInGerman('The schedule is 0 6 * * SAT.')).toBe('Der Zeitplan ist 0 6 * * SAT.');
  expect(conditionInGerman('node-2: not all members can be scavenged now.')).toMatch(/^node-2: Nicht alle/);
  expect(conditionInGerman('Process 12 runs the schedule and serves no HTTP: it is so.')).toContain(
    'Prozess 12'
  );
});

test('what nobody foresaw stays as it was said', () => {
  expect(conditionInGerman('The certificate cannot be read.')).toBe('The certificate cannot be read.');
});
