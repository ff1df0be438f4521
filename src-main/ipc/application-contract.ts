/**
 * What the window and the main process say to each other about the application itself: its preferences, the settings of
 * a node with their sources, users of the node service, what was ever done, and what the application is made of. Types
 * only; joined into contract.ts, checked in application-validate.ts.
 *
 * Invariants: no path goes in; a password goes in and never comes out; the value of a secret never comes out.
 */
import type { ActivityEntry } from '../activity/activity-reports.ts';
import type { ErrorReport } from '../operations/reports.ts';

export type { ActivityEntry };

/** How numbers are written: `1,234.5`, `1.234,5`, `1 234,5` or `1’234.5`. */
export type NumberStyle = 'comma' | 'point' | 'space' | 'apostrophe';

/** How the application looks and behaves, besides the theme. */
export interface Preferences {
  numbers: NumberStyle;
  /** `always`: also where the system asks for nothing. */
  reducedMotion: 'system' | 'always';
  zoomPercent: number;
  /** A notice of the system when long work ends while the window is not in front. */
  notices: boolean;
}

export interface SettingRow {
  name: string;
  /** As people read it; of a secret only that it is set. */
  value: string;
  /** Empty where there is none. */
  default: string;
  source: 'default' | 'file' | 'environment' | 'commandLine';
  /** `node.yaml:12`, `SERVICE_DB`; empty for a default. */
  place: string;
  meaning: string;
  deprecated: string | null;
}

export interface SettingsReport {
  /** The configuration file that the node was opened by; null: by its directory. */
  file: string | null;
  rows: SettingRow[];
  warnings: string[];
  /** The file or the environment is wrong: the rows are the defaults. */
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
  /** Of the formats that are read and written. */
  formats: { name: string; versions: string }[];
  libraries: BundledLibrary[];
  /** What the bill of materials lists; null: this build has none. */
  componentCount: number | null;
}

export interface ApplicationVerbs {
  preferences: { request: Record<string, never>; reply: Preferences };
  changePreferences: { request: Partial<Preferences>; reply: Preferences };
  /** Larger or smaller by a step, or as it was made. */
  zoom: { request: { step: 'in' | 'out' | 'reset' }; reply: Preferences };
  /** Of a node's configuration file and the environment; null: of the environment alone. */
  listSettings: { request: { nodeId: string | null }; reply: SettingsReport };
  listUsers: { request: Record<string, never>; reply: UsersReport };
  addUser: {
    request: { name: string; role: 'admin' | 'ops' | 'none'; password: string };
    reply: UsersReport;
  };
  changeUserPassword: { request: { name: string; password: string }; reply: UsersReport };
  removeUser: { request: { name: string }; reply: UsersReport };
  /** Newest first. */
  listActivity: { request: Record<string, never>; reply: ActivityEntry[] };
  /** Text for a bug report, without data; names of streams only when they are asked for. */
  describeActivity: { request: { id: string; hasStreamNames: boolean }; reply: { text: string } };
  about: { request: Record<string, never>; reply: AboutReport };
  /** The licence of a bundled library, whole. */
  readLicence: { request: { name: string; version: string }; reply: { text: string } };
  /** Asks with a dialog where to, and writes the bill of materials there; null: the user chose nothing. */
  saveBillOfMaterials: { request: Record<string, never>; reply: { file: string } | null };
}

export type ApplicationVerbName = keyof ApplicationVerbs;

export type ApplicationEvent =
  | { kind: 'preferences'; preferences: Preferences }
  /** An operation of this process began or ended. */
  | { kind: 'activity' }
  /** Asked for in the menu of the application. */
  | { kind: 'show'; view: 'settings' | 'about' };
