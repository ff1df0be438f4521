/**
 * Options of every command, options of every command that takes a database, and how both are read. The
 * database is named by its data directory or by a server's configuration file, never both.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ticksFromIso, ticksToIso, invalidRequest } from '../../src-core/index.ts';
import type { DatabaseLocation } from '../contract/operations/operation-contract.ts';
import {
  readNodeConfiguration,
  readScavengeSettings,
  type Environment,
  type NodeConfiguration
} from '../settings/node-configuration.ts';

export interface GlobalOptions {
  json?: boolean;
  quiet?: boolean;
  progress?: 'bar' | 'lines' | 'json';
}

export interface DatabaseOptions extends GlobalOptions {
  index?: string;
  config?: string;
}

export interface NamedDatabase {
  location: DatabaseLocation;
  /** The settings in the configuration file besides the directories; empty without a file. */
  configuration: NodeConfiguration;
}

/** Adds the options of every command. */
export function withGlobalOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON document (streams: one object per line) on stdout')
    .addOption(
      new Option('--progress <form>', 'how progress is shown on stderr').choices(['bar', 'lines', 'json'])
    )
    .option('-q, --quiet', 'show no progress');
}

/** Adds the argument and the options of every command that takes a database. */
export function withDatabaseOptions(command: Command, argument = '[db]'): Command {
  return withGlobalOptions(
    command
      .argument(argument, 'data directory of the node')
      .option('--index <dir>', 'index directory (default: index in the data directory)')
      .option('--config <file>', "the server's configuration file (YAML), instead of the data directory")
  );
}

/** The database that the arguments name. */
export function namedDatabase(directory: string | undefined, options: DatabaseOptions): NamedDatabase {
  if (options.config !== undefined) {
    if (directory !== undefined) {
      throw invalidRequest(
        `Both a data directory ("${directory}") and a configuration file are given.`,
        '--config',
        'Give only one of them.'
      );
    }
    const configuration = readNodeConfiguration(options.config);
    const index = options.index ?? configuration.indexDirectory;
    return { location: location(configuration.dataDirectory, index), configuration };
  }
  if (directory === undefined) {
    throw invalidRequest('No database is named.', 'DB', 'Give a data directory, or --config FILE.');
  }
  return { location: location(directory, options.index), configuration: { dataDirectory: directory } };
}

function location(dataDirectory: string, indexDirectory: string | undefined): DatabaseLocation {
  return indexDirectory === undefined ? { dataDirectory } : { dataDirectory, indexDirectory };
}

export interface NamedForScavenge extends NamedDatabase {
  /** Remarks about these settings for people. */
  warnings: readonly string[];
}

/** The database that the arguments name, with scavenge settings: the environment wins over the file. */
export function namedForScavenge(
  directory: string | undefined,
  options: DatabaseOptions,
  environment: Environment
): NamedForScavenge {
  const { location, configuration } = namedDatabase(directory, options);
  const { settings, warnings } = readScavengeSettings(options.config, environment);
  return { location, configuration: { ...configuration, ...settings }, warnings };
}

/** Parses an option's value as a whole number from `least` to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      const bound = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
      throw new InvalidArgumentError(`Give a whole number ${bound}.`);
    }
    return value;
  };
}

/** Parses an option's value as a time; returns it in UTC with seven fraction digits. */
export function isoTime(text: string): string {
  const ticks = ticksFromIso(text);
  if (ticks === undefined) {
    throw new InvalidArgumentError('Give a time in ISO 8601, such as 2026-01-31T18:00:00Z.');
  }
  return ticksToIso(ticks);
}

/** `value` under `name` if there is one: optional members are left out, not set to undefined. */
export function optional<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}
