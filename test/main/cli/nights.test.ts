/** `winnow scavenge --window` over three nights, with the command that users start and a clock that stands where a night needs it. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScavengeReport } from '../../../src-main/contract/operations/reports.ts';
import { contentOf } from '../../support/database-content.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

/** Loaded before the command, and by each of its threads: the clock of the machine, put elsewhere. */
const CLOCK = `data:text/javascript,${encodeURIComponent(`
  const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS);
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) {
      if (parts.length === 0) super(Real.now() + offsetMs);
      else super(...parts);
    }
    static now() { return Real.now() + offsetMs; }
  };
`)}`;

/** A night of the test, which begins when the window is nearly over. */
const NIGHT_MS = 9000;
const BYTES_PER_SECOND = 4 * 1024 * 1024;

const samples = new ScavengeSamples();
let work: string;
let directory: string;
let reference: string;

beforeAll(async () => {
  work = mkdtempSync(path.join(os.tmpdir(), 'winnow-command-nights-'));
  const untouched = await samples.write(
    { sizeBytes: 10 * 1024 * 1024, chunkSizeBytes: 512 * 1024, seed: 11 },
    { withPoint: true }
  );
  directory = path.join(work, 'db');
  reference = path.join(work, 'reference');
  cpSync(untouched, directory, { recursive: true });
  cpSync(untouched, reference, { recursive: true });
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  samples.removeAll();
});

const ARGUMENTS = ['--scavenge-point', 'existing', '--yes', '--quiet', '--json'];

/** The command, begun when its clock shows `startMs`. */
async function atTime(
  startMs: number,
  words: string[]
): Promise<{ exitCode: number | null; report: ScavengeReport }> {
  const environment = {
    WINNOW_HOME: path.join(work, 'home'),
    NODE_OPTIONS: `--import=${CLOCK}`,
    TEST_CLOCK_OFFSET_MS: String(startMs - Date.now())
  };
  const finished = await runWinnow(words, { environment, deadlineMs: 120_000 });
  return { exitCode: finished.exitCode, report: jsonOf(finished) as ScavengeReport };
}

const clock = (night: number, hour: number, minute: number): number =>
  new Date(2026, 10, 23 + night, hour, minute).getTime();

describe('the command in a window of several nights', () => {
  it(
    'stops at the end of each, goes on in the next, and leaves what one run leaves',
    { timeout: 180_000 },
    async () => {
      const window = ['--window', '02:00-02:30'];
      const scavenge = [
        'scavenge',
        directory,
        ...ARGUMENTS,
        ...window,
        '--throttle',
        String(BYTES_PER_SECOND)
      ];
      const early = await atTime(clock(1, 1, 59), scavenge);
      expect(early).toMatchObject({ exitCode: 2, report: { error: { code: 'InvalidRequest' } } });

      const endsAt = (night: number): number => clock(night, 2, 30);
      const nights: ScavengeReport[] = [];
      for (const night of [1, 2]) {
        const { exitCode, report } = await atTime(endsAt(night) - NIGHT_MS, scavenge);
        expect({ exitCode, result: report.result, stoppedAtTime: report.stoppedAtTime }).toEqual({
          exitCode: 0,
          result: 'stopped',
          stoppedAtTime: new Date(endsAt(night)).toISOString()
        });
        nights.push(report);
      }
      // As fast as it goes, with the whole night before it: it ends before the night does.
      const last = await atTime(clock(3, 2, 0), ['scavenge', directory, ...ARGUMENTS, ...window]);
      expect(last).toMatchObject({ exitCode: 0, report: { result: 'success', resumed: true } });
      expect(last.report.stoppedAtTime).toBeUndefined();
      nights.push(last.report);

      const whole = await atTime(clock(0, 12, 0), ['scavenge', reference, ...ARGUMENTS]);
      expect(whole.report.result).toBe('success');
      expect(nights.reduce((sum, { spaceSavedBytes }) => sum + spaceSavedBytes, 0)).toBe(
        whole.report.spaceSavedBytes
      );
      expect(await contentOf(directory)).toEqual(await contentOf(reference));
      const chunks = (place: string): string[] =>
        readdirSync(place)
          .filter((name) => name.startsWith('chunk-'))
          .toSorted();
      expect(chunks(directory)).toEqual(chunks(reference));
    }
  );
});
