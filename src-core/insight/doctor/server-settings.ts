/**
 * Those settings of the server that decide how a start goes, read from its command line the way the server reads it:
 * names in any case and with or without hyphens, values attached with `=` or as the next word. A value that begins
 * with a hyphen is never taken as the next word: the server then refuses its own command line.
 */
import { DEFAULT_MAX_TRUNCATION_BYTES } from '../../log/truncation.ts';

export interface ServerSettings {
  /** Does not hash chunks in the background. */
  skipDbVerify: boolean;
  /** Does not hash index tables. */
  skipIndexVerify: boolean;
  /** The most that a start may cut off; -1 for any amount. */
  maxTruncationBytes: number;
  /** undefined: not given, which in the server is "no limit". */
  maxAutoMergeLevel: number | undefined;
  /** Bytes of the filter of existing streams, 0 for none; undefined: not given, 256,000,000 in the server. */
  existenceFilterBytes: number | undefined;
  /** Statistics go into the log as events. */
  writesStatistics: boolean;
  /** The server does not accept the command line. */
  refusal: SettingRefusal | undefined;
}

export interface SettingRefusal {
  /** As the server names the setting. */
  setting: string;
  /** Its value is the next word and negative, so that the server does not take it. */
  isDetached: boolean;
  /** The server's own words. */
  says: string;
}

export function defaultServerSettings(): ServerSettings {
  return {
    skipDbVerify: false,
    skipIndexVerify: false,
    maxTruncationBytes: DEFAULT_MAX_TRUNCATION_BYTES,
    maxAutoMergeLevel: undefined,
    existenceFilterBytes: undefined,
    writesStatistics: false,
    refusal: undefined
  };
}

const NUMBERS = {
  maxtruncation: 'MaxTruncation',
  streamexistencefiltersize: 'StreamExistenceFilterSize',
  maxautomergeindexlevel: 'MaxAutoMergeIndexLevel'
} as const;

/** Reads the words of a server's command line; those without effect on the start are ignored. */
export function parseServerArguments(words: readonly string[]): ServerSettings {
  const settings = defaultServerSettings();
  for (let i = 0; i < words.length; i++) {
    const [, written = '', attached] = /^(--?[^=]*)(?:=(.*))?$/s.exec(words[i]!) ?? [];
    const name = written.replaceAll('-', '').toLowerCase();
    const next = words[i + 1];
    switch (name) {
      case 'skipdbverify':
      case 'skipdbverification':
        settings.skipDbVerify = isTrue(attached, next);
        break;
      case 'skipindexverify':
        settings.skipIndexVerify = isTrue(attached, next);
        break;
      case 'writestatstodb':
        settings.writesStatistics = isTrue(attached, next);
        break;
      case 'maxtruncation':
      case 'streamexistencefiltersize':
      case 'maxautomergeindexlevel': {
        const key = NUMBERS[name];
        const value = attached ?? (next?.startsWith('-') === false ? next : `-${next ?? ''}=true`);
        if (!/^\s*[+-]?\d+\s*$/.test(value))
          settings.refusal ??= notConverted(key, value, attached === undefined && /^-\d/.test(next ?? ''));
        else if (key === 'MaxTruncation') settings.maxTruncationBytes = Number(value);
        else if (key === 'StreamExistenceFilterSize') settings.existenceFilterBytes = Number(value);
        else settings.maxAutoMergeLevel = Number(value);
        break;
      }
      default:
    }
  }
  return settings;
}

/** A switch without a value is on; a word that is no value of a switch belongs to nobody. */
function isTrue(attached: string | undefined, next: string | undefined): boolean {
  return (attached ?? next ?? 'true').toLowerCase() !== 'false';
}

function notConverted(setting: string, value: string, isDetached: boolean): SettingRefusal {
  return {
    setting,
    isDetached,
    says: `Invalid Configuration: Failed to convert configuration value '${value}' at '${setting}' to type 'System.Int64'.`
  };
}
