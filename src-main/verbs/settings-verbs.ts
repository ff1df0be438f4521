/** The verbs about preferences and the settings of a node; with those about the users of the node service. */
import path from 'node:path';
import { unknownNode, type NodeRegistry } from '../settings/node-registry.ts';
import { loadSettings, type EffectiveSetting, type Settings } from '../settings/settings.ts';
import { settingRows } from '../settings/settings-text.ts';
import type { WindowSettings } from '../settings/window-settings.ts';
import { zoomStep } from '../settings/zoom.ts';
import { UserStore } from '../access/user-store.ts';
import type {
  ApplicationEvent,
  Preferences,
  SettingRow,
  SettingsReport
} from '../contract/verbs/application-contract.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';
import { userVerbs, type UserVerbName } from './user-verbs.ts';

type SettingsVerbName = 'preferences' | 'changePreferences' | 'zoom' | 'listSettings' | UserVerbName;

export interface SettingsVerbParts {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  registry: Pick<NodeRegistry, 'find'>;
  settings: Pick<WindowSettings, 'values' | 'change'>;
  /** Applies the preferences of the window itself; the page applies the rest. */
  applyZoom: (percent: number) => void;
  /** The same for menu and dialogs. */
  applyLanguage: () => void;
  send: (event: ApplicationEvent) => void;
}

export function settingsVerbs(parts: SettingsVerbParts): Pick<VerbHandlers, SettingsVerbName> {
  const change = (changes: Partial<Preferences>): Preferences => {
    parts.settings.change(changes);
    if (changes.zoomPercent !== undefined) parts.applyZoom(changes.zoomPercent);
    if (changes.language !== undefined) parts.applyLanguage();
    const preferences = preferencesOf(parts.settings);
    parts.send({ kind: 'preferences', preferences });
    return preferences;
  };
  return {
    preferences: () => preferencesOf(parts.settings),
    changePreferences: change,
    zoom: ({ step }) => change({ zoomPercent: zoomStep(parts.settings.values.zoomPercent, step) }),
    listSettings: ({ nodeId }) => {
      const node = nodeId === null ? undefined : parts.registry.find(nodeId);
      if (nodeId !== null && node === undefined) throw unknownNode(nodeId);
      return settingsOf(node?.configurationFile, parts.environment);
    },
    ...userVerbs(new UserStore(path.join(parts.home, 'users.json')))
  };
}

export function preferencesOf({ values }: Pick<WindowSettings, 'values'>): Preferences {
  const { language, numbers, reducedMotion, zoomPercent, notices } = values;
  return { language, numbers, reducedMotion, zoomPercent, notices };
}

/** Settings that are in force. `file`: the configuration file that they come from. */
export function settingsReport(settings: Settings, file: string | undefined): SettingsReport {
  return {
    file: file ?? null,
    rows: rowsOf(settings.list()),
    warnings: [...settings.warnings],
    error: null
  };
}

/** An error in the file or the environment is reported together with the defaults, not instead of them. */
function settingsOf(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>
): SettingsReport {
  try {
    const settings = loadSettings({ file, environment, unknownNames: 'ignore' });
    return settingsReport(settings, file);
  } catch (error) {
    const rows = rowsOf(loadSettings({ unknownNames: 'ignore' }).list());
    return { file: file ?? null, rows, warnings: [], error: errorReportOf(error) };
  }
}

function rowsOf(settings: readonly EffectiveSetting[]): SettingRow[] {
  const shown = settingRows(settings);
  return settings.map(({ setting, source, place }, i) => ({
    name: setting.name,
    value: shown[i]?.value ?? '',
    default: setting.default === undefined ? '' : String(setting.default),
    source,
    place,
    meaning: setting.help,
    deprecated: setting.deprecated ?? null
  }));
}
