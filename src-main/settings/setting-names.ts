/**
 * The spellings of a setting: canonical in files, upper case with underscores in the environment, lower case
 * with hyphens on the command line; and the known name that a wrong one may stand for.
 */
import { SERVER_ONLY_SETTINGS, SETTINGS, type SettingDefinition } from './setting-table.ts';

/** `SERVICE_` wins if several name the same setting. */
export const ENVIRONMENT_PREFIXES: readonly string[] = ['SERVICE_', 'KURRENTDB_', 'EVENTSTORE_'];
/** With a larger distance, a name is not a misspelling of another. */
const MAX_DISTANCE = 5;

/** Names match without regard to case, hyphens and underscores: `ClusterSize`, `cluster-size`, `CLUSTER_SIZE`. */
export function plainName(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

/** `SCAVENGE_HISTORY_MAX_AGE`, `AUTO_SCAVENGE__ENABLED`: to follow one of the prefixes. */
export function environmentName(name: string): string {
  return words(name, '_', '__').toUpperCase();
}

/** `scavenge-history-max-age`, `auto-scavenge:enabled`. */
export function optionName(name: string): string {
  return words(name, '-', ':').toLowerCase();
}

/** By any spelling of its name or of an alias; undefined if there is none. */
export function findSetting(name: string): SettingDefinition | undefined {
  return BY_NAME.get(plainName(name.replaceAll('__', ':')));
}

/** Of a file, with settings of ours; any other counts as one setting of the server. */
export function isSection(name: string): boolean {
  return SECTIONS.has(plainName(name));
}

export function isServerOnly(name: string): boolean {
  return SERVER_ONLY.has(plainName(name));
}

/** The known name closest to a wrong one, in its canonical spelling. */
export function nearestSetting(name: string): string | undefined {
  const wanted = plainName(name);
  let best: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (const known of KNOWN) {
    const distance = editDistance(wanted, plainName(known));
    if (distance >= least) continue;
    least = distance;
    best = known;
  }
  return best;
}

const DEFINITIONS: readonly SettingDefinition[] = SETTINGS;
const BY_NAME = new Map<string, SettingDefinition>(
  DEFINITIONS.flatMap((setting) =>
    [setting.name, ...(setting.aliases ?? [])].map((name) => [plainName(name), setting] as const)
  )
);
const SECTIONS = new Set(
  DEFINITIONS.filter(({ name }) => name.includes(':')).map(({ name }) => plainName(name.split(':', 1)[0]!))
);
const SERVER_ONLY = new Set(SERVER_ONLY_SETTINGS.map(plainName));
const KNOWN = [...DEFINITIONS.map(({ name }) => name), ...SERVER_ONLY_SETTINGS];

function words(name: string, between: string, section: string): string {
  return name
    .split(':')
    .map((part) => part.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, between))
    .join(section);
}

/** Number of letters to insert, remove or replace to turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = row[j]! + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
