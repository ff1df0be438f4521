/** The settings as people read them: what is in force, and the page of the documentation. */
import { ENVIRONMENT_PREFIXES, environmentName, optionName } from './setting-names.ts';
import { SETTINGS, type SettingDefinition, type SettingValue } from './setting-table.ts';
import type { EffectiveSetting } from './settings.ts';

const SOURCES = { default: 'default', file: 'file', environment: 'environment', commandLine: 'command line' };

/** Rows of name, value and source. For a secret only whether it is set. */
export function settingRows(
  settings: readonly EffectiveSetting[]
): { name: string; value: string; source: string }[] {
  return settings.map(({ setting, value, source, place }) => ({
    name: setting.name,
    value: setting.isSecret && value !== undefined ? '(set, not shown)' : valueText(value),
    source: place === '' ? SOURCES[source] : `${SOURCES[source]} ${place}`
  }));
}

/** The complete page docs/operations/settings.md. */
export function settingsPage(): string {
  const rows = (SETTINGS as readonly SettingDefinition[]).map((setting) => {
    const cells = [
      `\`${setting.name}\``,
      `\`--${setting.option ?? optionName(setting.name)}\``,
      `\`${ENVIRONMENT_PREFIXES[0]}${environmentName(setting.name)}\``,
      kindText(setting),
      setting.default === undefined ? '' : `\`${valueText(setting.default)}\``,
      setting.deprecated === undefined ? setting.help : `${setting.help} Deprecated: ${setting.deprecated}.`
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `${HEAD}\n${rows.join('\n')}\n`;
}

function kindText(setting: SettingDefinition): string {
  if (setting.kind === 'choice') return (setting.choices ?? []).join(', ');
  const kind = { flag: 'true or false', number: 'whole number', text: setting.isPath ? 'path' : 'text' }[
    setting.kind
  ];
  return setting.unit === undefined ? kind : `${kind}, ${setting.unit}`;
}

function valueText(value: SettingValue | undefined): string {
  return value === undefined ? '(not set)' : String(value);
}

const HEAD = `# Settings of the node service

Written by \`npx node scripts/make-settings-page.mjs\` from \`src-main/settings/setting-table.ts\`; a test keeps it current.

Sources, lowest to highest: defaults, the file named by \`--config\` (YAML; a server's own file will do), the
environment (also with the prefixes \`${ENVIRONMENT_PREFIXES.slice(1).join('` and `')}\`), the command line. Names match without regard to case.
A wrong value, a wrong type and an unknown name are refused with file and line. \`winnow config\` (or \`winnow serve
--print-config\`) shows each value with its source. A secret is never shown; one given on the command line draws a warning.

A server does not start with names that it does not know. Put names that begin with \`Winnow:\` in the environment or in a file
of Winnow's own, not in the server's.

Commands that work on a stopped node (\`scavenge\`, \`plan\`, \`explain\`, \`rescue\`) take the settings of a scavenge and
\`ClusterSize\` from the same sources; only the command line and the file that it names determine where the data is. Unknown
names in the file and notes about values are written to stderr.

| setting | command line | environment | type | default | what it does |
|---|---|---|---|---|---|`;
