/**
 * The settings in force, each with its source. Sources, lowest to highest: defaults, configuration file,
 * environment, command line. A wrong value, a wrong type or an unknown name is refused with its place.
 */
import path from 'node:path';
import { EngineError } from '../../src-core/index.ts';
import {
  ENVIRONMENT_PREFIXES,
  environmentName,
  findSetting,
  isServerOnly,
  nearestSetting,
  optionName
} from './setting-names.ts';
import { SETTINGS, type SettingDefinition, type SettingName, type SettingValue } from './setting-table.ts';
import { readValue } from './setting-value.ts';
import { readSettingsFile } from './settings-file.ts';

export type SettingSource = 'default' | 'file' | 'environment' | 'commandLine';

export interface EffectiveSetting {
  setting: SettingDefinition;
  /** undefined: not set, and without a default. */
  value: SettingValue | undefined;
  source: SettingSource;
  /** `node.yaml:12`, `SERVICE_DB`, `--db`; empty for a default. */
  place: string;
}

export interface SettingSources {
  file?: string | undefined;
  environment?: Readonly<Record<string, string | undefined>>;
  /** Option names without hyphens, and their texts. */
  commandLine?: ReadonlyMap<string, string>;
  /** Files of newer servers may have names that are unknown here: `warn` and `ignore` accept them. */
  unknownNames: 'refuse' | 'warn' | 'ignore';
}

export class Settings {
  readonly #effective: Map<string, EffectiveSetting>;
  /** Sentences for people: deprecated settings, units that are easily confused, unknown names that were accepted. */
  readonly warnings: readonly string[];

  constructor(effective: Map<string, EffectiveSetting>, warnings: readonly string[]) {
    this.#effective = effective;
    this.warnings = warnings;
  }

  /** In the order of the table. */
  list(): EffectiveSetting[] {
    return [...this.#effective.values()];
  }

  /** undefined if it is not set and has no default. */
  value(name: SettingName): SettingValue | undefined {
    return this.#effective.get(name)?.value;
  }

  flag(name: SettingName): boolean | undefined {
    return this.value(name) as boolean | undefined;
  }

  number(name: SettingName): number | undefined {
    return this.value(name) as number | undefined;
  }

  text(name: SettingName): string | undefined {
    return this.value(name) as string | undefined;
  }

  isSet(name: SettingName): boolean {
    return this.#effective.get(name)?.source !== 'default';
  }
}

export function loadSettings(sources: SettingSources): Settings {
  const loader = new SettingsLoader(sources);
  loader.readFile();
  loader.readEnvironment();
  loader.readCommandLine();
  return loader.finish();
}

/** Further unknown names are only counted. */
const MOST_UNKNOWN_TOLD = 20;

class SettingsLoader {
  readonly #sources: SettingSources;
  readonly #effective = new Map<string, EffectiveSetting>();
  readonly #warnings: string[] = [];
  readonly #unknown: { name: string; place: string; file?: string; line?: number }[] = [];

  constructor(sources: SettingSources) {
    this.#sources = sources;
    for (const setting of SETTINGS as readonly SettingDefinition[]) {
      this.#effective.set(setting.name, { setting, value: setting.default, source: 'default', place: '' });
    }
  }

  readFile(): void {
    const { file } = this.#sources;
    if (file === undefined) return;
    const folder = path.dirname(path.resolve(file));
    for (const { name, value, line } of readSettingsFile(file)) {
      const setting = findSetting(name);
      const place = `${file}:${line}`;
      if (setting === undefined) {
        if (!isServerOnly(name)) this.#unknown.push({ name, place, file, line });
        continue;
      }
      // An empty value means that the setting is not set.
      if (value === null || value === '') continue;
      const checked = this.#check(setting, value, place, { file, line });
      const resolved = setting.isPath ? path.resolve(folder, String(checked)) : checked;
      this.#effective.set(setting.name, { setting, value: resolved, source: 'file', place });
    }
  }

  readEnvironment(): void {
    const { environment } = this.#sources;
    if (environment === undefined) return;
    for (const setting of SETTINGS as readonly SettingDefinition[]) {
      const names = ENVIRONMENT_PREFIXES.map((prefix) => `${prefix}${environmentName(setting.name)}`);
      const place = names.find((name) => (environment[name] ?? '') !== '');
      if (place === undefined) continue;
      const value = this.#check(setting, environment[place], place);
      this.#effective.set(setting.name, { setting, value, source: 'environment', place });
    }
  }

  readCommandLine(): void {
    for (const [name, text] of this.#sources.commandLine ?? []) {
      const setting = findSetting(name);
      const place = `--${setting?.option ?? name}`;
      if (setting === undefined) {
        this.#unknown.push({ name, place });
        continue;
      }
      const raw = setting.kind === 'flag' && text === '' ? 'true' : text;
      const value = this.#check(setting, raw, place);
      this.#effective.set(setting.name, { setting, value, source: 'commandLine', place });
    }
  }

  finish(): Settings {
    this.#refuseUnknown();
    for (const { setting, source, place, value } of this.#effective.values()) {
      if (source === 'default') continue;
      if (setting.deprecated !== undefined) {
        this.#warnings.push(`${setting.name} (${place}) is deprecated: ${setting.deprecated}.`);
      }
      if (setting.isNoteworthyWhenOn && value === true)
        this.#warnings.push(`${setting.name} (${place}): ${setting.help}`);
      if (setting.isSecret && source === 'commandLine')
        this.#warnings.push(openSecretNote(setting.name, place));
      if (setting.name === 'ScavengeBackendPageSize') this.#warnings.push(pageSizeNote(Number(value), place));
    }
    return new Settings(this.#effective, this.#warnings);
  }

  #refuseUnknown(): void {
    if (this.#sources.unknownNames === 'ignore') return;
    const isAllowed =
      this.#sources.unknownNames === 'warn' || this.#effective.get('AllowUnknownOptions')?.value === true;
    const told = this.#unknown.slice(0, isAllowed ? MOST_UNKNOWN_TOLD : 1);
    for (const { name, place, file, line } of told) {
      const nearest = nearestSetting(name);
      const hint = nearest === undefined ? '' : ` Did you mean ${spelled(nearest, place)}?`;
      const message = `There is no setting "${name}" (${place}).${hint}`;
      if (isAllowed) {
        this.#warnings.push(message);
        continue;
      }
      const remedy = 'Correct the name, or set AllowUnknownOptions to true.';
      const position = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
      throw new EngineError({
        code: 'InvalidRequest',
        message,
        remedy,
        details: { field: name, ...position }
      });
    }
    const untold = this.#unknown.length - told.length;
    if (untold > 0) this.#warnings.push(`${untold} more names are not settings.`);
  }

  /** Repeats the value only if it cannot be a secret. */
  #check(
    setting: SettingDefinition,
    raw: unknown,
    place: string,
    position: { file?: string; line?: number } = {}
  ): SettingValue {
    const read = readValue(setting, raw);
    if ('value' in read) return read.value;
    const isPlain = ['string', 'number', 'boolean'].includes(typeof raw);
    const found = setting.isSecret || !isPlain ? '' : `, not "${String(raw)}"`;
    throw new EngineError({
      code: 'InvalidRequest',
      message: `The setting ${setting.name} (${place}) must be ${read.wanted}${found}.`,
      remedy: 'Correct the value.',
      details: { field: setting.name, ...position }
    });
  }
}

function spelled(name: string, place: string): string {
  return place.startsWith('--') ? `--${optionName(name)}` : name;
}

function openSecretNote(name: string, place: string): string {
  const variable = `${ENVIRONMENT_PREFIXES[0]}${environmentName(name)}`;
  return `${place} holds a secret that every user of this machine can read in the list of processes: set ${variable}, or put it in a file.`;
}

function pageSizeNote(value: number, place: string): string {
  const bytes = value <= 64 ? value * 1024 : value;
  const how = value <= 64 ? 'KiB; a server takes the number as bytes' : 'bytes, as a server takes it';
  return `ScavengeBackendPageSize (${place}): ${value} is read as ${how}. That is ${bytes} bytes.`;
}
