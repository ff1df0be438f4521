/** The manual page is made from the commands, so it names all of them, and the one that is shipped is current. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageFacts from '../../../package.json' with { type: 'json' };
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { manualPage } from '../../../src-main/cli/manual-page.ts';
import { createProgram } from '../../../src-main/cli/program.ts';

const { stdin, stdout, stderr } = process;
const program = await createProgram(new CommandLine({ stdin, stdout, stderr, environment: {} }));
const page = manualPage(program, packageFacts.version);

it('the manual page that is shipped is current', () => {
  const shipped = new URL('../../../resources/man/winnow.1', import.meta.url);
  expect(readFileSync(shipped, 'utf8'), 'npx node scripts/make-manual-page.mjs').toBe(page);
});

it('the manual page names every command once, with its options', () => {
  for (const command of program
    .createHelp()
    .visibleCommands(program)
    .filter((candidate) => candidate.name() !== 'help')) {
    const heading = `.SS winnow ${command.name().replaceAll('-', '\\-')}`;
    const headings = page.split('\n').filter((line) => line === heading || line.startsWith(`${heading} `));
    expect(headings.length, command.name()).toBeGreaterThan(0);
  }
  expect(page).toContain('.B \\-\\-scratch\\-directory <dir>');
});

it('no line of the manual page is taken for a request of roff', () => {
  const requests = page.split('\n').filter((line) => /^[.']/.test(line));
  expect(requests.filter((line) => !/^\.(\\"|TH|SH|SS|TP|B|I|BR|RI)( |$)/.test(line))).toEqual([]);
});
