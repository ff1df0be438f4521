// Writes resources/man/winnow.1 from the commands. Run with Node 24: npx node scripts/make-manual-page.mjs. A test
// checks that the page is current.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommandLine } from '../src-main/cli/command-line.ts';
import { manualPage } from '../src-main/cli/manual-page.ts';
import { createProgram } from '../src-main/cli/program.ts';

const { version } = (await import('../package.json', { with: { type: 'json' } })).default;
const { stdin, stdout, stderr } = process;
const line = new CommandLine({ stdin, stdout, stderr, environment: {} });
const directory = new URL('../resources/man/', import.meta.url);
mkdirSync(directory, { recursive: true });
writeFileSync(fileURLToPath(new URL('winnow.1', directory)), manualPage(await createProgram(line), version));
