/** The hours in which no scheduled scavenge runs, as the settings say: named, or all that are outside a maintenance window. */
import { invalidRequest, parseQuietHours, quietOutside, type QuietHours } from '../../src-core/index.ts';
import type { Settings } from './settings.ts';

/** undefined: none. Throws InvalidRequest. */
export function configuredQuietHours(settings: Settings): QuietHours | undefined {
  const quiet = settings.text('AutoScavenge:QuietHours');
  const window = settings.text('AutoScavenge:MaintenanceWindow');
  if (quiet !== undefined && window !== undefined) {
    throw invalidRequest(
      'AutoScavenge: QuietHours and AutoScavenge: MaintenanceWindow are both set.',
      'AutoScavenge:MaintenanceWindow',
      'Set one of them: a window is quiet hours from its end to its beginning.'
    );
  }
  if (window !== undefined) return quietOutside(window);
  return quiet === undefined ? undefined : parseQuietHours(quiet);
}
