/** `winnow complete`: what a completion script asks while somebody types a name. */
import { statSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { ClusterRegistry } from '../../settings/cluster-registry.ts';
import { NodeRegistry } from '../../settings/node-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import type { CommandLine } from '../command-line.ts';
import { COMPLETED_NAMES, type CompletedName } from '../completion-script.ts';
import { namedDatabase } from '../global-options.ts';

const MOST_STREAMS = 100;
/** Longer than that nobody waits for a name: a log that was never read takes a while for the first answer. */
const STREAMS_MS = 2000;

export function addComplete(command: Command, line: CommandLine): void {
  command
    .description('Prints the names that begin with what was typed, one a line. Completion scripts call it.')
    .addArgument(new Argument('<what>', 'what is named').choices(COMPLETED_NAMES))
    .argument('[prefix]', 'what was typed of it', '')
    .argument('[words...]', 'the words of the command so far: they may name the database')
    .addHelpText('after', '\nExample:\n  $ winnow complete stream order- -- winnow read /var/lib/kurrentdb')
    .action(async (what: CompletedName, typed: string, words: string[]) => {
      const prefix = withoutQuotes(typed);
      const names = await namesOf(line, what, prefix, words).catch(() => []);
      // A name on two lines would be two names.
      const plain = names.filter((name) => name.startsWith(prefix) && !/[\n\r]/.test(name));
      await line.write(plain.map((name) => `${name}\n`).join(''));
    });
}

/** As the shell would read it: it hands out what stands on the line. */
function withoutQuotes(typed: string): string {
  return /^['"]/.test(typed) ? typed.slice(1) : typed.replaceAll(/\\(.)/g, '$1');
}

/** Whatever prevents an answer: the shell has nothing to offer then. */
async function namesOf(
  line: CommandLine,
  what: CompletedName,
  prefix: string,
  words: readonly string[]
): Promise<string[]> {
  const home = winnowHome(line.parts.environment, process.platform);
  switch (what) {
    case 'cluster':
      return new ClusterRegistry(home).list().map(({ name }) => name);
    case 'node':
      return new NodeRegistry(home, Date.now).list().map(({ dataDirectory }) => dataDirectory);
    case 'stream':
      return streamsOf(line, home, prefix, words);
  }
}

async function streamsOf(
  line: CommandLine,
  home: string,
  prefix: string,
  words: readonly string[]
): Promise<string[]> {
  const config = valueAfter(words, '--config');
  const index = valueAfter(words, '--index');
  const db = config === undefined ? words.find((word, at) => at > 0 && isDirectory(word)) : undefined;
  if (db === undefined && config === undefined) return [];
  const { location } = namedDatabase(db, { ...(config && { config }), ...(index && { index }) });
  const patience = setTimeout(() => line.stop(), STREAMS_MS);
  const names: string[] = [];
  try {
    const request = { ...location, winnowHome: home, sort: 'name' as const, prefix, limit: MOST_STREAMS };
    await line.stream('listStreams', request, { quiet: true }, (rows) => {
      names.push(...rows.map(({ stream }) => stream));
      return Promise.resolve();
    });
    return names;
  } finally {
    clearTimeout(patience);
  }
}

function valueAfter(words: readonly string[], option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

function isDirectory(word: string): boolean {
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
}
