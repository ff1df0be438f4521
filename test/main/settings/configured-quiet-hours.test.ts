/** The hours without scheduled scavenges as settings say them: as quiet hours, or as the window in which scavenges may run. */
import { expect, it } from 'vitest';
import { configuredQuietHours } from '../../../src-main/settings/configured-quiet-hours.ts';
import { loadSettings } from '../../../src-main/settings/settings.ts';

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const configured = (environment: Record<string, string>) =>
  configuredQuietHours(loadSettings({ file: undefined, environment, unknownNames: 'refuse' }));

it('there are none where nothing is set', () => {
  expect(configured({})).toBeUndefined();
});

it('a maintenance window is quiet hours from its end to its beginning', () => {
  const window = configured({ SERVICE_AUTO_SCAVENGE__MAINTENANCE_WINDOW: '02:00-04:00' });
  expect(window).toEqual({ from: '04:00', to: '02:00', days: EVERY_DAY });
  expect(window).toEqual(configured({ SERVICE_AUTO_SCAVENGE__QUIET_HOURS: '04:00-02:00' }));
});

it('both at once are refused, and so is what is no window', () => {
  const quiet = { SERVICE_AUTO_SCAVENGE__QUIET_HOURS: '08:00-20:00' };
  const window = { SERVICE_AUTO_SCAVENGE__MAINTENANCE_WINDOW: '02:00-04:00' };
  expect(() => configured({ ...quiet, ...window })).toThrow(/MaintenanceWindow are both set/);
  for (const wrong of ['02:00', '02:00-02:00', '25:00-26:00', 'nightly']) {
    expect(() => configured({ SERVICE_AUTO_SCAVENGE__MAINTENANCE_WINDOW: wrong }), wrong).toThrow(
      /is not a /
    );
  }
});
