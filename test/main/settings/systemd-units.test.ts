/** The units of `resources/systemd`: what systemd itself says of them, and that their commands do what they are there for. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWinnow } from '../cli/run-winnow.ts';

const UNITS = fileURLToPath(new URL('../../../resources/systemd/', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/operations/service.md', import.meta.url));
const WINNOW = '/usr/bin/winnow';
const MOST_EXPOSED = 25; // tenths

const names = readdirSync(UNITS);
const services = names.filter((name) => name.endsWith('.service'));
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-units-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The unit with a program that is there in place of the installed one, and with a drop-in if there is one. */
function writeUnit(folder: string, name: string, dropIn = ''): string {
  const file = path.join(directory, folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const text = readFileSync(path.join(UNITS, name), 'utf8');
  writeFileSync(file, `${text}\n${dropIn}`.replaceAll(WINNOW, process.execPath));
  return file;
}

function analyze(words: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

const dropIns = [
  ...readFileSync(PAGE, 'utf8').matchAll(/<!-- drop-in: (\S+) -->\s+```ini\n([\s\S]*?)```/g)
].map(([, unit = '', text = ''], at) => ({ title: `${unit}, example ${at + 1}`, unit, text }));

// A machine without systemd has no verifier of units.
describe.skipIf(!hasSystemd)('systemd', () => {
  it.each(names)('has nothing against %s', (name) => {
    for (const other of names) writeUnit('all', other);
    const file = writeUnit('all', name);
    expect(analyze(['--man=no', 'verify', file])).toEqual({ status: 0, text: '' });
  });

  it.each(services)('rates the exposure of %s below 2.5', (name) => {
    const file = writeUnit('rated', name);
    const { status, text } = analyze([
      ...['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, file]
    ]);
    expect(text).toContain('Overall exposure level');
    expect(status, text).toBe(0);
  });

  it.each(dropIns)('has nothing against the addition on the page to $title', ({ title, unit, text }) => {
    const file = writeUnit(title.replaceAll(/\W+/g, '-'), unit, text);
    expect(analyze(['--man=no', 'verify', file])).toEqual({ status: 0, text: '' });
  });
});

it('shows three additions on its page', () => {
  expect(dropIns).toHaveLength(3);
});

describe('the command of', () => {
  let sample: string;
  beforeAll(async () => {
    sample = path.join(directory, 'sample');
    await runWinnow(['sample', sample, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
    writeFileSync(path.join(directory, 'node.yaml'), `Db: ${sample}\n`);
  }, 60_000);

  /** The words of ExecStart, with what systemd would put into them. */
  function commandOf(name: string, environment: Record<string, string>): string[] {
    const [, line = ''] =
      /^ExecStart=\/usr\/bin\/winnow (.*)$/m.exec(readFileSync(path.join(UNITS, name), 'utf8')) ?? [];
    return line
      .replaceAll('/etc/winnow/%i', path.join(directory, 'node'))
      .split(' ')
      .flatMap((word) => {
        const [, alone] = /^\$(\w+)$/.exec(word) ?? [];
        if (alone !== undefined) return (environment[alone] ?? '').split(' ').filter((part) => part !== '');
        return [word.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => environment[key] ?? '')];
      });
  }
  const home = (): { environment: Record<string, string> } => ({
    environment: { WINNOW_HOME: path.join(directory, 'home') }
  });

  it('winnow-verify verifies the node of its configuration', async () => {
    const done = await runWinnow(commandOf('winnow-verify@.service', {}), home());
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, coverage: { isWhole: true } });
    expect(done.exitCode).toBe(0);
  });

  it('winnow-backup takes a backup into the target of its environment', async () => {
    const environment = { WINNOW_TARGET: path.join(directory, 'backups'), WINNOW_OPTIONS: '--compress' };
    mkdirSync(environment.WINNOW_TARGET);
    const done = await runWinnow(commandOf('winnow-backup@.service', environment), home());
    expect(done.stderr).toBe('');
    expect(done.exitCode).toBe(0);
    const listed = await runWinnow(['backup', 'list', environment.WINNOW_TARGET, '--json'], home());
    expect(JSON.parse(listed.stdout)).toMatchObject({
      backups: [{ mode: 'full', encodings: ['zstd'], node: { dataDirectory: sample } }]
    });
  });

  it('winnow-serve has the settings of its configuration', async () => {
    const words = [...commandOf('winnow-serve@.service', {}), '--print-config', '--json'];
    const done = await runWinnow(words, home());
    const { settings } = JSON.parse(done.stdout) as { settings: { name: string; value: unknown }[] };
    expect(settings.find(({ name }) => name === 'Db')?.value).toBe(sample);
  });
});
