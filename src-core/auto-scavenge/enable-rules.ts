/**
 * Whether auto-scavenge is there at all: decided once at start from the settings. The licence comes on top of it.
 */
export interface EnableSettings {
  /** undefined: not set, which means on. */
  enabled: boolean | undefined;
  isDevMode: boolean;
  isMemoryDatabase: boolean;
}

export type Enablement =
  | { result: 'enabled' }
  | { result: 'disabled'; reason: string }
  /** Asked for where it cannot be. `setting` is the one in the way. */
  | { result: 'startFails'; setting: 'dev' | 'memDb'; reason: string };

export function decideEnablement(settings: EnableSettings): Enablement {
  if (settings.enabled === false) {
    return { result: 'disabled', reason: 'AutoScavenge: Enabled is false' };
  }
  const setting = settings.isDevMode ? 'dev' : settings.isMemoryDatabase ? 'memDb' : undefined;
  if (setting === undefined) return { result: 'enabled' };
  const reason = `auto-scavenge is not compatible with ${setting === 'dev' ? 'dev mode' : 'an in-memory database (mem-db)'}`;
  return settings.enabled === true
    ? { result: 'startFails', setting, reason }
    : { result: 'disabled', reason };
}
