/** The settings of the service as options of a command, and what is in force as a table or as JSON. */
import { Option, type Command } from 'commander';
import { optionName } from '../../settings/setting-names.ts';
import { SETTINGS, type SettingDefinition } from '../../settings/setting-table.ts';
import type { Settings } from '../../settings/settings.ts';
import { settingRows } from '../../settings/settings-text.ts';
import type { CommandLine } from '../command-line.ts';
import type { GlobalOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';

/** Settings that these commands have as their argument. */
const NAMED_OTHERWISE = new Set(['Db']);

/** One option for each setting of the table; the given values are collected by name. */
export function addSettingOptions(command: Command): Map<string, string> {
  const collected = new Map<string, string>();
  for (const setting of SETTINGS as readonly SettingDefinition[]) {
    if (NAMED_OTHERWISE.has(setting.name)) continue;
    const name = optionName(setting.name);
    const option = new Option(flagsOf(setting), setting.help);
    command.addOption(option);
    // A parser of values never hears of a flag without one.
    command.on(`option:${option.name()}`, (value: string | null = null) => {
      const earlier = setting.isRepeatable ? collected.get(name) : undefined;
      const text = value ?? 'true';
      collected.set(name, earlier === undefined ? text : `${earlier},${text}`);
    });
  }
  return collected;
}

/** An option of its own name stands before an argument, which it must not take for its value. */
function hasNoValue({ kind, option }: SettingDefinition): boolean {
  return kind === 'flag' && option !== undefined;
}

function flagsOf(setting: SettingDefinition): string {
  const name = setting.option ?? optionName(setting.name);
  if (hasNoValue(setting)) return `--${name}`;
  return setting.kind === 'flag' ? `--${name} [value]` : `--${name} <${setting.valueName ?? 'value'}>`;
}

export async function writeSettings(
  line: CommandLine,
  settings: Settings,
  { json, areDefaultsLeftOut = false }: GlobalOptions & { areDefaultsLeftOut?: boolean }
): Promise<void> {
  const inForce = settings.list().filter(({ source }) => !areDefaultsLeftOut || source !== 'default');
  const rows = settingRows(inForce);
  for (const warning of settings.warnings) line.say(`${warning}\n`);
  if (json) {
    await line.writeJson({ settings: rows });
    return;
  }
  if (rows.length === 0) {
    await line.write('Every setting has its default.\n');
    return;
  }
  const columns = [{ title: 'setting' }, { title: 'value' }, { title: 'source' }];
  await line.write(
    formatTable(
      columns,
      rows.map(({ name, value, source }) => [name, value, source]),
      line.colours
    )
  );
}
