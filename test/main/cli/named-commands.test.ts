/** Every command that a message names exists, with its options. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { createProgram } from '../../../src-main/cli/program.ts';

const { stdin, stdout, stderr } = process;
const program = await createProgram(new CommandLine({ stdin, stdout, stderr, environment: {} }));
const SOURCES = ['src-core', 'src-main', 'src-renderer'];
/** Stands for what the reader puts in. */
const BLANKS = /^(?:[A-Z@:/-]+|\$\{.*|…|\.\.\.)$/;

function sources(): string[] {
  return SOURCES.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|svelte)$/.test(name))
      .map((name) => path.join(root, name))
  );
}

interface Named {
  place: string;
  words: string[];
}

/** `"winnow …"` within the texts of a program. */
function namedIn(file: string): Named[] {
  const text = readFileSync(file, 'utf8').replaceAll(/' \+\s*'/g, '');
  return [...text.matchAll(/"winnow ([a-z-][^"\n]*)"/g)].map(([, words]) => ({
    place: file,
    words: words!.trim().split(/\s+/)
  }));
}

/** What of it does not exist; undefined: all of it does. */
function faultOf(words: readonly string[]): string | undefined {
  let command: Command = program;
  for (const word of words) {
    if (word.startsWith('--')) {
      const [name] = word.split('=');
      const isKnown = [...command.options, ...program.options].some(({ long }) => long === name);
      if (!isKnown) return `${command.name()} has no ${word}`;
      continue;
    }
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next) command = next;
    else if (command.commands.length > 0 && !BLANKS.test(word)) return `${command.name()} has no ${word}`;
  }
  return undefined;
}

const named = sources().flatMap(namedIn);

it('there are many of them', () => expect(named.length).toBeGreaterThan(60));

it('each exists, with its options', () => {
  const faults = named.flatMap(({ place, words }) => {
    const fault = faultOf(words);
    return fault === undefined ? [] : [`${place}: "winnow ${words.join(' ')}": ${fault}`];
  });
  expect(faults).toEqual([]);
});

/** Options that are named alone. */
it('each option that is named alone is one of some command', () => {
  const all = new Set<string | undefined>();
  const visit = (command: Command): void => {
    for (const { long } of command.options) all.add(long);
    command.commands.forEach(visit);
  };
  visit(program);
  const faults = sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/"(--[a-z][a-z-]+)(?: [a-zA-Z-]+)*"/g)]
      .filter(([, option]) => !all.has(option))
      .map(([words]) => `${file}: ${words}`)
  );
  expect(faults).toEqual([]);
});
