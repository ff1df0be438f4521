/**
 * The contract between window and main process about the application itself: its preferences, the settings of
 * a node with their sources, users of the node service, past operations, and what the application consists of. Types
 * only; joined into contract.ts, checked in application-validate.ts.
 *
 * Invariants: no path goes in; a password goes in and never comes out; the value of a secret never comes out.
 */
import type { ActivityEntry } from '../operations/activity-reports.ts';
import type { ErrorReport } from '../operations/reports.ts';

export type { ActivityEntry };

/** An operation of the record with what people call it. */
export interface TitledActivity extends ActivityEntry {
  title: string;
}

/** How numbers are written: as the language does, `1,234.5`, `1.234,5`, `1 234,5` or `1’234.5`. */
export type NumberStyle = 'language' | 'comma' | 'point' | 'space' | 'apostrophe';

/** The languages of the window. */
export type Language = 'en' | 'de';
/** `system`: the first language of the system that the window has, else English. */
export type LanguageChoice = 'system' | Language;

/** How the application looks and behaves, besides the theme. */
export interface Preferences {
  language: LanguageChoice;
  numbers: NumberStyle;
  /** `always`: even if the system does not ask for it. */
  reducedMotion: 'system' | 'always';
  zoomPercent: number;
  /** A system notification when long work ends while the window is not in front. */
  notices: boolean;
}

export interface SettingRow {
  name: string;
  /** For people; for a secret only that it is set. */
  value: string;
  /** Empty if there is none. */
  default: string;
  source: 'default' | 'file' | 'environment' | 'commandLine';
  /** `node.yaml:12`, `SERVICE_DB`; empty for a default. */
  place: string;
  meaning: string;
  deprecated: string | null;
}

export interface SettingsReport {
  /** The configuration file that the node was opened with; null: its directory. */
  file: string | null;
  rows: SettingRow[];
  warnings: string[];
  /** The file or the environment is wrong: the rows show the defaults. */
  error: ErrorReport | null;
}

export interface UserRow {
  name: string;
  roles: ('$admins' | '$ops')[];
}

export interface UsersReport {
  file: string;
  users: UserRow[];
}

export interface BundledLibrary {
  name: string;
  version: string;
  licence: string;
}

export interface AboutReport {
  /** Winnow, Electron, Chromium, Node and the platform. */
  versions: { name: string; version: string }[];
  /** Versions of the formats that are read and written. */
  formats: { name: string; versions: string }[];
  libraries: BundledLibrary[];
  /** Number of components in the bill of materials; null: this build has none. */
  componentCount: number | null;
}

/** What became of a text that was to be saved. */
export interface SavedText {
  file: string;
  /** For a page in a browser, which makes a download of it. */
  text?: string;
}

export interface ApplicationVerbs {
  preferences: { request: Record<string, never>; reply: Preferences };
  changePreferences: { request: Partial<Preferences>; reply: Preferences };
  /** One step larger or smaller, or the default. */
  zoom: { request: { step: 'in' | 'out' | 'reset' }; reply: Preferences };
  /** From a node's configuration file and the environment; null: from the environment only. */
  listSettings: { request: { nodeId: string | null }; reply: SettingsReport };
  listUsers: { request: Record<string, never>; reply: UsersReport };
  addUser: {
    request: { name: string; role: 'admin' | 'ops' | 'none'; password: string };
    reply: UsersReport;
  };
  changeUserPassword: { request: { name: string; password: string }; reply: UsersReport };
  removeUser: { request: { name: string }; reply: UsersReport };
  /** Newest first. */
  listActivity: { request: Record<string, never>; reply: TitledActivity[] };
  /** Text for a bug report, without data; with names of streams only on request. */
  describeActivity: { request: { id: string; hasStreamNames: boolean }; reply: { text: string } };
  about: { request: Record<string, never>; reply: AboutReport };
  /** The complete licence of a bundled library. */
  readLicence: { request: { name: string; version: string }; reply: { text: string } };
  /** Asks for a file with a dialog, and writes the bill of materials there; null: the user chose nothing. */
  saveBillOfMaterials: { request: Record<string, never>; reply: SavedText | null };
  /** The commands of the page that cannot be carried out now: their items in the application menu are shown as such. */
  tellObstacles: { request: { commands: string[] }; reply: null };
}

export type ApplicationVerbName = keyof ApplicationVerbs;

export type ApplicationEvent =
  | { kind: 'preferences'; preferences: Preferences }
  /** An operation of this process began or ended. */
  | { kind: 'activity' }
  /** Chosen in the application menu: a command of the page, by its id. */
  | { kind: 'command'; id: string };
