/** How benches run, without their times. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FULL, partsOf, QUICK, selectParts } from '../../../scripts/bench/all-parts.mjs';
import { runMeasured, TimeIsUp } from '../../../scripts/bench/measured-process.mjs';
import { processesBelow, proportionalBytes, residentBytes } from '../../../scripts/bench/process-tree.mjs';

const MIB = 2 ** 20;
const BENCHES = path.resolve(import.meta.dirname, '../../../scripts/bench');

describe('a measured process', () => {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'winnow-measured-'));
  });
  afterEach(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  const script = (text: string) => {
    const file = path.join(scratch, 'script.mjs');
    writeFileSync(file, text);
    return file;
  };

  test('gives what it printed, and memory that it no longer has', async () => {
    const file = script(
      `let large = Buffer.alloc(${200 * MIB}, 1); large = undefined; console.log(JSON.stringify(process.argv.slice(2)));`
    );
    const { result, peakBytes } = await runMeasured(file, ['one', 2]);
    expect(result).toEqual(['one', '2']);
    expect(peakBytes).toBeGreaterThan(200 * MIB);
  });

  test('is ended when its time is up', async () => {
    await expect(runMeasured(script('setInterval(() => {}, 1000)'), [], { limitMs: 1 })).rejects.toThrow(
      TimeIsUp
    );
  });

  test('that fails is named', async () => {
    await expect(runMeasured(script('process.exit(3)'))).rejects.toThrow('script.mjs ended with 3.');
  });

  test.runIf(process.platform === 'linux')(
    'counts the memory of the processes that one has started',
    async () => {
      const text = `const large = Buffer.alloc(${100 * MIB}, 1); process.stdout.write('ready'); process.stdin.resume().on('end', () => large);`;
      const child = spawn(process.execPath, ['-e', text], { stdio: ['pipe', 'pipe', 'inherit'] });
      try {
        await once(child.stdout, 'data');
        expect(processesBelow(process.pid)).toContain(child.pid);
        expect(residentBytes([child.pid!])).toBeGreaterThan(100 * MIB);
        expect(proportionalBytes([child.pid!])).toBeGreaterThan(100 * MIB);
        expect(residentBytes([])).toBe(0);
      } finally {
        child.stdin.end();
        await once(child, 'exit');
      }
    }
  );
});

describe('the parts of the whole run', () => {
  test('are chosen by name, or by what is before the colon', () => {
    const parts = partsOf(FULL);
    expect(selectParts(parts, ['answers', 'size']).map(({ name }) => name)).toEqual([
      ...['answers', 'size:512MiB', 'size:2GiB', 'size:8GiB']
    ]);
    expect(() => selectParts(parts, ['nothing'])).toThrow('No such part: nothing.');
  });

  test('end with what takes longest, in some twenty minutes', () => {
    const parts = partsOf(FULL);
    expect(parts.at(-1)?.name).toBe('streams:10000000');
    expect(parts.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(22 * 60);
    expect(partsOf(QUICK).map(({ name }) => name.split(':')[0])).toContain('streams');
  });
});

describe('a benchmark', () => {
  test('imports only what there is', async () => {
    const missing: string[] = [];
    for (const name of readdirSync(BENCHES).filter((file) => file.endsWith('.mjs'))) {
      const text = readFileSync(path.join(BENCHES, name), 'utf8');
      for (const [, names = '', from = ''] of text.matchAll(/^import \{([^}]+)\} from '(\.[^']+\.ts)'/gm)) {
        const module = (await import(path.resolve(BENCHES, from))) as object;
        const wanted = names.split(',').map((one) => one.trim().split(' as ')[0]!);
        missing.push(
          ...wanted.filter((one) => one !== '' && !(one in module)).map((one) => `${name}: ${one}`)
        );
      }
    }
    expect(missing).toEqual([]);
  });
});
