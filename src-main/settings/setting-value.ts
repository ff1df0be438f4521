/** Turns the text of a source into the value of a setting, or describes what the value must be. */
import type { SettingDefinition, SettingValue } from './setting-table.ts';

export type ReadValue = { value: SettingValue } | { wanted: string };

/** Texts from any source count like values of a file: `"5"` is 5, `True` is true. */
export function readValue(setting: SettingDefinition, raw: unknown): ReadValue {
  switch (setting.kind) {
    case 'flag':
      return readFlag(raw);
    case 'number':
      return readNumber(setting, raw);
    case 'choice': {
      const choices = setting.choices ?? [];
      const text = typeof raw === 'string' ? raw.toLowerCase() : undefined;
      const found = choices.find((choice) => choice === text);
      return found === undefined ? { wanted: `one of ${choices.join(', ')}` } : { value: found };
    }
    case 'text':
      return typeof raw === 'string' ? { value: raw } : { wanted: setting.isPath ? 'a path' : 'a text' };
  }
}

/** A flag may have no value on the command line; then its text is empty. */
function readFlag(raw: unknown): ReadValue {
  if (typeof raw === 'boolean') return { value: raw };
  const text = typeof raw === 'string' ? raw.toLowerCase() : '';
  if (text === 'true') return { value: true };
  if (text === 'false') return { value: false };
  return { wanted: 'true or false' };
}

function readNumber(setting: SettingDefinition, raw: unknown): ReadValue {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, unit } = setting;
  const isText = typeof raw === 'string' && /^[+-]?\d+$/.test(raw.trim());
  const value = isText ? Number(raw) : raw;
  const ofWhat = unit === undefined ? 'a whole number' : `a whole number, ${unit},`;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { wanted: ofWhat.replace(/,$/, '') };
  if (value >= min && value <= max && isPageSize(setting, value)) return { value };
  if (setting.name === PAGE_SIZE)
    return { wanted: 'a power of two: 1 to 64 in KiB, or 512 to 65536 in bytes' };
  if (max === Number.MAX_SAFE_INTEGER) return { wanted: `${ofWhat} of at least ${min}` };
  return { wanted: `${ofWhat} from ${min} to ${max}` };
}

const PAGE_SIZE = 'ScavengeBackendPageSize';

function isPageSize(setting: SettingDefinition, value: number): boolean {
  if (setting.name !== PAGE_SIZE) return true;
  const isPowerOfTwo = Number.isInteger(Math.log2(value));
  return isPowerOfTwo && (value <= 64 || value >= 512);
}
