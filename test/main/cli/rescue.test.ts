/** `winnow rescue` as a user meets it: words, JSON, exit codes. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf } from '../../support/database-content.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const samples = new ScavengeSamples();
let sample = '';
beforeAll(async () => {
  sample = await samples.write({ sizeBytes: 300_000, chunkSizeBytes: 65_536, seed: 3 }, { withPoint: false });
});
afterAll(() => samples.removeAll());

function winnow(...words: string[]) {
  return runWinnow(words, { environment: { WINNOW_HOME: join(sample, '..', 'home') } });
}

const schema = new URL('../../../resources/schemas/rescue.json', import.meta.url);
const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

describe('winnow rescue', () => {
  it('needs an answer', async () => {
    const { exitCode, stderr } = await winnow('rescue', samples.copy(sample));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
  });

  it('shows a plan that changes nothing, then does it, with the chunks in the order done', async () => {
    const copy = samples.copy(sample);
    const before = filesOf(copy);
    const planned = await winnow('rescue', copy, '--now', SAMPLE_TIME, '--dry-run', '--json');
    expect(filesOf(copy)).toEqual(before);
    const ran = await winnow('rescue', copy, '--now', SAMPLE_TIME, '--yes', '--json');
    expect(ran.exitCode).toBe(0);
    const [plan, report] = [jsonOf(planned), jsonOf(ran)] as [Row, Row];
    expect(validate(plan), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    const numbersOf = ({ chunks, spaceSavedBytes, result }: Row) => ({
      result,
      spaceSavedBytes,
      chunks: chunks.map(({ newFile: _newFile, ...row }) => row)
    });
    expect(numbersOf(plan)).toEqual(numbersOf(report));
    expect(report.result).toBe('success');
    expect(report.spaceSavedBytes).toBeGreaterThan(0);
  });

  it('takes a directory or a number of bytes as scratch', async () => {
    const scratch = join(samples.directory(), 'scratch');
    mkdirSync(scratch);
    const inDirectory = await winnow('rescue', samples.copy(sample), '--scratch', scratch, '--yes', '--json');
    expect(inDirectory.exitCode).toBe(0);
    const none = await winnow('rescue', samples.copy(sample), '--scratch', '0', '--yes', '--json');
    expect(none.exitCode).toBe(15);
    expect(jsonOf(none)).toMatchObject({ error: { code: 'StorageFailed' } });
    const both = ['--scratch', scratch, '--scratch-directory', scratch];
    expect((await winnow('rescue', samples.copy(sample), ...both, '--yes')).exitCode).toBe(2);
    const wrong = await winnow('rescue', samples.copy(sample), '--scratch', '5QB', '--yes');
    expect(wrong.exitCode).toBe(2);
    expect(existsSync(join(scratch, 'winnow'))).toBe(false);
  });

  it('writes no scavenge point and refuses to', async () => {
    const { exitCode } = await winnow('rescue', sample, '--scavenge-point', 'new', '--yes');
    expect(exitCode).toBe(2);
  });

  it('tells the history of itself', async () => {
    const copy = samples.copy(sample);
    await winnow('rescue', copy, '--yes', '--quiet');
    const { runs } = jsonOf(await winnow('history', copy, '--json')) as { runs: unknown[] };
    expect(runs).toMatchObject([{ result: 'success', placement: 'detached', by: 'winnow' }]);
  });
});

interface Row {
  result: string;
  spaceSavedBytes: number;
  chunks: { newFile?: string }[];
}
