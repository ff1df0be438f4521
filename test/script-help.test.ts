/** Scripts that take options answer --help with what they do, and do nothing. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const scripts = ['scripts', 'scripts/bench'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => readFileSync(file, 'utf8').includes("answer-help.mjs';"))
);

function helpOf(...args: string[]): string {
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args, '--help'], {
    encoding: 'utf8',
    timeout: 20_000
  });
}

it('every script that takes options knows --help', () => {
  const campaigns = [
    'fuzz',
    'crash',
    'mutants',
    'coverage',
    'scale',
    'structure-fuzz',
    'cluster-fuzz',
    'test'
  ];
  expect(scripts).toEqual(expect.arrayContaining(campaigns.map((name) => `scripts/${name}.mjs`)));
});

it.each(scripts)('%s', (file) => {
  const help = helpOf(file);
  expect(`// ${help}`).toContain(readFileSync(file, 'utf8').split('\n')[0]);
  expect(help.split('\n').length).toBeLessThan(25);
});

it('npm run bench names its benchmarks, and asks the one that is named', () => {
  expect(helpOf('scripts/bench/run.mjs')).toMatch(/Names: answers, backup, /);
  expect(helpOf('scripts/bench/run.mjs', 'answers')).toContain('What questions about a database take');
});
