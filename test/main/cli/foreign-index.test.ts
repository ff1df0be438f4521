/** The index of another node under a sound log, through every command that meets it: the index is named, never a chunk. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem, ticksFromIso, writeSampleDatabase } from '../../../src-core/index.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { runWinnow } from './run-winnow.ts';

interface Report {
  ok?: boolean;
  findings?: { severity: string; code: string; file: string; message: string; command: string | null }[];
  warnings?: { code: string; message: string; remedy: string }[];
  actions?: { code: string; done: boolean }[];
}

const CODE = 'indexEntryWithoutRecord';
let samples: string;
let directory: string;

beforeAll(async () => {
  samples = mkdtempSync(join(tmpdir(), 'winnow-foreign-'));
  for (const [name, seed, sizeBytes] of [
    ['own', 3, 200_000],
    ['other', 4, 200_000],
    ['long', 3, 400_000]
  ] as const) {
    await writeSampleDatabase({
      fileSystem: new NodeFileSystem(),
      dataDirectory: join(samples, name),
      sizeBytes,
      chunkSizeBytes: 32_768,
      seed,
      now: ticksFromIso('2026-01-01T00:00:00Z')!,
      control: uncontrolled()
    });
  }
});
afterAll(() => rmSync(samples, { recursive: true, force: true }));
beforeEach(() => {
  directory = mkdtempSync(join(samples, 'case-'));
});

/** `own` with the index of another database. */
function mixed(index: string): string {
  const copy = join(directory, 'copy');
  cpSync(join(samples, 'own'), copy, { recursive: true });
  rmSync(join(copy, 'index'), { recursive: true });
  cpSync(join(samples, index, 'index'), join(copy, 'index'), { recursive: true });
  return copy;
}

async function run(...words: string[]): Promise<{ exitCode: number | null; report: Report }> {
  const { exitCode, stdout, stderr } = await runWinnow([...words, '--json']);
  expect(stderr).not.toContain('Report this');
  return { exitCode, report: JSON.parse(stdout) as Report };
}

const damages = ({ findings = [] }: Report) =>
  findings.filter(({ severity }) => severity === 'damage').map(({ code, file }) => `${code} ${file}`);

describe('an index of another node under a sound log', () => {
  it('is what verify and doctor name, and what repair rebuilds', async () => {
    const copy = mixed('other');
    for (const command of ['verify', 'doctor']) {
      const { exitCode, report } = await run(command, copy);
      expect({ command, exitCode, damages: damages(report) }).toEqual({
        command,
        exitCode: 1,
        damages: [`${CODE} indexmap`]
      });
      expect(report.findings?.find(({ code }) => code === CODE)?.command).toBe('winnow index rebuild');
    }
    const { report } = await run('repair', copy, '--yes');
    expect(report.actions).toMatchObject([{ code: CODE, done: true }]);
    expect(await run('verify', copy)).toMatchObject({ exitCode: 0, report: { ok: true } });
  });

  it('is put right by the command that it names', async () => {
    const copy = mixed('other');
    expect((await run('index', 'rebuild', copy, '--yes')).exitCode).toBe(0);
    expect(await run('verify', copy)).toMatchObject({ exitCode: 0, report: { ok: true } });
  });

  it('is named before and after a restore, which leaves it out', async () => {
    const copy = mixed('other');
    const to = join(directory, 'to');
    const before = await run('restore', copy, '--to', to, '--dry-run');
    expect(before.report.warnings?.map(({ code }) => code)).toContain(CODE);
    const { exitCode, report } = await run('restore', copy, '--to', to, '--apply-truncation', '--yes');
    expect(exitCode).toBe(0);
    const warning = report.warnings?.filter(({ code }) => code === CODE);
    expect(warning).toHaveLength(1);
    expect(warning?.[0]?.message).toContain('It was not restored.');
    expect(existsSync(join(to, 'index', 'indexmap'))).toBe(false);
    expect(damages((await run('verify', to)).report)).toEqual([]);
  });

  it('is what a rehearsal names', async () => {
    const { exitCode, report } = await run('backup', 'rehearse', mixed('other'));
    expect({ exitCode, damages: damages(report) }).toEqual({ exitCode: 1, damages: [`${CODE} indexmap`] });
  });
});

describe('an index that is ahead of its log', () => {
  it('is named before and after the restore of a copy made by hand', async () => {
    const copy = mixed('long');
    const to = join(directory, 'to');
    const before = await run('restore', copy, '--to', to, '--dry-run');
    const after = await run('restore', copy, '--to', to, '--yes');
    for (const { exitCode, report } of [before, after]) {
      expect(exitCode).toBe(0);
      const [warning] = report.warnings?.filter(({ code }) => code === 'indexAheadOfLog') ?? [];
      expect(warning?.remedy).toContain('winnow index rebuild');
    }
    const words = await runWinnow(['restore', copy, '--to', join(directory, 'again'), '--yes']);
    expect(words.stdout).toContain('Warning: The index reaches to position');
  });
});

describe('an index beside a log without chaser.chk', () => {
  it.each(['index', 'index entries'])('is refused by %s, which names the file', async (words) => {
    const copy = mixed('own');
    rmSync(join(copy, 'chaser.chk'));
    const { exitCode, stdout, stderr } = await runWinnow([...words.split(' '), copy]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 13, stdout: '' });
    expect(stderr).toContain('chaser.chk is missing.');
    expect(stderr).toContain('"winnow repair"');
    expect(stderr).not.toContain('the log ends at 0');
  });

  it('is listed again after that repair', async () => {
    const copy = mixed('own');
    rmSync(join(copy, 'chaser.chk'));
    expect((await runWinnow(['repair', copy, '--yes'])).exitCode).toBe(0);
    expect((await runWinnow(['index', 'entries', copy])).exitCode).toBe(0);
  });
});
