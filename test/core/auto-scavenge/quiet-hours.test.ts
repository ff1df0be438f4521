/** Hours without scavenges: when they are, with clock changes, and what the coordinator does at their ends. */
import { describe, expect, it } from 'vitest';
import { Coordinator } from '../../../src-core/auto-scavenge/coordinator.ts';
import type { StoredEvent } from '../../../src-core/auto-scavenge/coordinator-event.ts';
import type { NodeReply, NodeRequest } from '../../../src-core/auto-scavenge/coordinator-rules.ts';
import { TimeZone } from '../../../src-core/auto-scavenge/local-time.ts';
import {
  decodeQuietHours,
  formatQuietHours,
  parseQuietHours,
  quietOutside,
  quietWindowAt,
  windowBetween
} from '../../../src-core/auto-scavenge/quiet-hours.ts';
import { wallTimeAt } from '../../../src-core/auto-scavenge/wall-time.ts';

const BERLIN = new TimeZone('Europe/Berlin');

function windowAt(text: string, instant: string, zone = BERLIN): [string, string] | undefined {
  const window = quietWindowAt(parseQuietHours(text), zone, Date.parse(instant));
  return window && [isoOf(window.startMs), isoOf(window.endMs)];
}

function isoOf(instantMs: number): string {
  return new Date(instantMs).toISOString().replace(':00.000Z', 'Z');
}

describe('the texts of quiet hours', () => {
  it.each([
    ['08:00-20:00', '08:00-20:00'],
    ['8:00-20:00 mon-fri', '08:00-20:00 mon-fri'],
    ['22:00-24:00 Sat,sunday', '22:00-00:00 sun,sat'],
    ['22:00-06:00 fri-mon', '22:00-06:00 sun-mon,fri-sat'],
    ['00:00-00:00 mo,we', '00:00-00:00 mon,wed']
  ])('reads %s as %s', (text, normalised) => {
    expect(formatQuietHours(parseQuietHours(text))).toBe(normalised);
    expect(parseQuietHours(normalised)).toEqual(parseQuietHours(text));
    expect(decodeQuietHours(parseQuietHours(text))).toEqual(parseQuietHours(text));
  });

  it.each(['', '08:00', '08:00-', '8-20', '08:00-25:00', '24:30-08:00', '08:00-20:00 m', '08:00-20:00 mon-'])(
    'refuses "%s"',
    (text) => expect(() => parseQuietHours(text)).toThrow(/is not a /)
  );

  it.each([undefined, {}, { from: '08:00', to: '20:00', days: [] }, { from: '8', to: '9', days: [1] }])(
    'takes nothing from a file that has not the form: %j',
    (value) => expect(decodeQuietHours(value)).toBeUndefined()
  );
});

describe('a maintenance window', () => {
  const clock = (minute: number): string =>
    `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

  it('leaves quiet exactly the minutes outside of it, whichever it is, and is read back from them', () => {
    const dayMs = Date.parse('2026-03-04T00:00:00Z');
    const utc = new TimeZone('UTC');
    for (let from = 0; from < 1440; from += 173) {
      for (let length = 1; length < 1440; length += 271) {
        const to = from + length;
        const window = `${clock(from)}-${clock(to)}`;
        const quiet = quietOutside(window);
        expect(windowBetween(quiet), window).toBe(window);
        for (let minute = 0; minute < 1440; minute += 37) {
          const isInside = (minute >= from && minute < to) || minute + 1440 < to;
          const found = quietWindowAt(quiet, utc, dayMs + minute * 60_000);
          expect(found === undefined, `${window} at ${clock(minute)}`).toBe(isInside);
        }
      }
    }
  });

  it('is not what quiet hours leave that are not the same every day, or that never end', () => {
    expect(windowBetween(parseQuietHours('08:00-20:00 mon-fri'))).toBeUndefined();
    expect(windowBetween(parseQuietHours('00:00-00:00'))).toBeUndefined();
  });

  it.each(['', '2-4', '02:00', '02:00-02:00', '25:00-02:00', '02:00-03:00-04:00'])('is not "%s"', (text) =>
    expect(() => quietOutside(text)).toThrow(/is not a /)
  );
});

describe('when quiet hours are', () => {
  it('has its end outside', () => {
    expect(windowAt('08:00-20:00', '2026-08-03T17:59:59Z')).toEqual([
      '2026-08-03T06:00Z',
      '2026-08-03T18:00Z'
    ]);
    expect(windowAt('08:00-20:00', '2026-08-03T18:00:00Z')).toBeUndefined();
    expect(windowAt('08:00-20:00', '2026-08-03T05:59:59Z')).toBeUndefined();
  });

  it('counts the day on which they begin, also for the part after midnight', () => {
    // A Saturday night into Sunday; Sunday's own hours do not begin.
    expect(windowAt('22:00-06:00 sat', '2026-08-02T03:59:00Z')).toEqual([
      '2026-08-01T20:00Z',
      '2026-08-02T04:00Z'
    ]);
    expect(windowAt('22:00-06:00 sat', '2026-08-02T21:00:00Z')).toBeUndefined();
    expect(windowAt('08:00-20:00 mon-fri', '2026-08-01T10:00:00Z')).toBeUndefined();
  });

  it('goes on from one day to the next when it ends where it begins', () => {
    expect(windowAt('08:00-08:00', '2026-08-03T06:00:00Z')).toEqual([
      '2026-08-03T06:00Z',
      '2026-08-04T06:00Z'
    ]);
  });

  it('begins and ends with the first minute after hours that the clocks skip', () => {
    // 02:00 becomes 03:00 on 2026-03-29, at 01:00 UTC.
    expect(windowAt('02:30-04:00', '2026-03-29T01:00:00Z')).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-29T02:00Z'
    ]);
    expect(windowAt('00:30-02:30', '2026-03-29T00:59:00Z')).toEqual([
      '2026-03-28T23:30Z',
      '2026-03-29T01:00Z'
    ]);
    expect(windowAt('02:10-02:50', '2026-03-29T01:00:00Z')).toBeUndefined();
  });

  it('is there once when the clocks show it twice', () => {
    // 03:00 becomes 02:00 on 2026-10-25, at 01:00 UTC: 02:30 is shown at 00:30 and 01:30.
    expect(windowAt('02:30-05:00', '2026-10-25T01:10:00Z')).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T04:00Z'
    ]);
    expect(windowAt('01:00-02:30', '2026-10-25T00:29:00Z')).toEqual([
      '2026-10-24T23:00Z',
      '2026-10-25T00:30Z'
    ]);
    expect(windowAt('01:00-02:30', '2026-10-25T01:10:00Z')).toBeUndefined();
  });
});

/** A cluster of one whose runs end when the test says so. */
class World {
  events: StoredEvent[] = [];
  nowMs = Date.parse('2026-08-03T03:59:00Z');
  running: string | undefined;
  started = 0;
  isStopSlow = false;
  coordinator = this.restarted();

  restarted(ignoresQuietHours = false): Coordinator {
    const isConfiguration = ({ type }: StoredEvent): boolean => type === '$configuration-updated';
    const zoneOf = (name: string | undefined): TimeZone => (name === undefined ? BERLIN : new TimeZone(name));
    this.coordinator = new Coordinator(
      {
        clusterSize: 1,
        order: 'registered',
        self: undefined,
        afterStoreFailure: 'recover',
        ignoresQuietHours
      },
      {
        store: {
          load: async () => ({
            configuration: this.events.findLast(isConfiguration),
            history: this.events.filter((event) => !isConfiguration(event))
          }),
          append: async (event) => {
            this.events.push(event);
            return 'stored';
          },
          probe: async () => undefined
        },
        scavenger: async (request) => this.answer(request),
        now: (name) => wallTimeAt(zoneOf(name), this.nowMs),
        zone: zoneOf,
        newId: () => 'cycle',
        log: () => undefined
      }
    );
    return this.coordinator;
  }

  answer(request: NodeRequest): NodeReply {
    switch (request.kind) {
      case 'start':
        this.running = `run-${++this.started}`;
        return { kind: 'started', scavengeId: this.running };
      case 'poll':
        return { kind: this.running === request.scavengeId ? 'inProgress' : 'success' };
      case 'stop':
        if (this.isStopSlow) return { kind: 'failed' };
        this.running = undefined;
        return { kind: 'stopped' };
      case 'resign':
        return { kind: 'resigning' };
    }
  }

  /** The clock in Berlin, on 2026-08-03 or another day of that month. */
  async at(clock: string, day = 3): Promise<string | null> {
    this.nowMs = Date.parse(`2026-08-${String(day).padStart(2, '0')}T${clock}:00+02:00`);
    await this.coordinator.receiveGossip([
      {
        id: { address: '/data', port: 0 },
        state: 'Stopped',
        isAlive: true,
        isReadOnlyReplica: false,
        writerCheckpoint: 0,
        hasInstance: true
      }
    ]);
    return this.coordinator.status;
  }

  async body(): Promise<Record<string, unknown>> {
    return (await this.coordinator.readStatus()).body as Record<string, unknown>;
  }
}

async function configured(expression: string, quiet = '08:00-20:00'): Promise<World> {
  const world = new World();
  await world.at('06:00');
  await world.coordinator.configure(expression);
  await world.coordinator.setQuietHours(parseQuietHours(quiet));
  return world;
}

describe('a coordinator with quiet hours', () => {
  it('stops the run at their beginning and goes on at their end', async () => {
    const world = await configured('0 7 * * *');
    expect(await world.at('07:00')).toBe('MonitoringNodeScavenge');
    expect(await world.at('07:59')).toBe('MonitoringNodeScavenge');
    expect(await world.at('08:00')).toBe('PausedWhileScavengingCluster');
    expect(world.running).toBeUndefined();
    expect(await world.at('19:59')).toBe('PausedWhileScavengingCluster');
    expect(await world.at('20:00')).toBe('MonitoringNodeScavenge');
    expect(world.started).toBe(2);
  });

  it('starts nothing that becomes due inside them, and does not catch it up', async () => {
    const world = await configured('0 12 * * *');
    expect(await world.at('08:00')).toBe('PausedWhileIdle');
    expect(await world.at('12:00')).toBe('PausedWhileIdle');
    expect(await world.at('20:00')).toBe('Waiting');
    expect(world.started).toBe(0);
  });

  it('leaves the pause of a person alone, made before or inside them', async () => {
    const before = await configured('0 7 * * *');
    await before.coordinator.pause();
    await before.at('10:00');
    expect(await before.at('20:00')).toBe('PausedWhileIdle');
    const inside = await configured('0 7 * * *');
    await inside.at('07:00');
    expect(await inside.at('10:00')).toBe('PausedWhileScavengingCluster');
    expect((await inside.body())['pausedBy']).toBe('quietHours');
    await inside.coordinator.pause();
    expect((await inside.body())['pausedBy']).toBe('person');
    inside.restarted();
    expect(await inside.at('20:00')).toBe('PausedWhileScavengingCluster');
    await inside.coordinator.resume();
    expect(inside.coordinator.status).toBe('MonitoringNodeScavenge');
  });

  it('leaves the pause of a person alone that was asked for while theirs was still going on', async () => {
    const world = await configured('0 7 * * *');
    await world.at('07:00');
    world.isStopSlow = true;
    expect(await world.at('08:00')).toBe('Pausing');
    expect((await world.coordinator.pause()).status).toBe(202);
    world.isStopSlow = false;
    expect(await world.at('08:01')).toBe('PausedWhileScavengingCluster');
    expect(await world.at('20:00')).toBe('PausedWhileScavengingCluster');
  });

  it('lets a person go on inside them, until the cycle is over or the next ones begin', async () => {
    const world = await configured('0 7 * * *');
    await world.at('07:00');
    await world.at('08:00');
    await world.coordinator.resume();
    expect(await world.at('09:00')).toBe('MonitoringNodeScavenge');
    world.restarted();
    expect(await world.at('10:00')).toBe('MonitoringNodeScavenge');
    expect(await world.at('08:00', 4)).toBe('PausedWhileScavengingCluster');
    await world.coordinator.resume();
    world.running = undefined;
    expect(await world.at('09:00', 4)).toBe('PausedWhileIdle');
  });

  it('finds them again when it starts in the middle of them', async () => {
    const world = await configured('0 7 * * *');
    await world.at('07:00');
    world.restarted();
    expect(await world.at('12:00')).toBe('PausedWhileScavengingCluster');
    world.restarted();
    expect(await world.at('12:01')).toBe('PausedWhileScavengingCluster');
    world.restarted();
    expect(await world.at('21:00')).toBe('MonitoringNodeScavenge');
  });

  it('resumes at once when they are removed', async () => {
    const world = await configured('0 7 * * *');
    expect(await world.at('09:00')).toBe('PausedWhileIdle');
    await world.coordinator.setQuietHours(null);
    expect(world.coordinator.status).toBe('Waiting');
    expect(await world.body()).not.toHaveProperty('quietHours');
  });

  it('says them in the status, and whether they are now', async () => {
    const world = await configured('0 7 * * *', '08:00-20:00 mon');
    expect(await world.body()).toMatchObject({
      quietHours: { from: '08:00', to: '20:00', days: [1], isNow: false },
      pausedBy: null
    });
    await world.at('08:00');
    expect(await world.body()).toMatchObject({ quietHours: { isNow: true }, pausedBy: 'quietHours' });
  });

  it('reckons with the zone that was chosen for the schedule', async () => {
    const world = await configured('0 7 * * *');
    expect((await world.coordinator.configure('0 7 * * *', 'Nowhere/Land')).status).toBe(400);
    await world.coordinator.configure('0 7 * * *', 'UTC');
    world.restarted();
    // 08:30 in Berlin is 06:30 in UTC.
    expect(await world.at('08:30')).toBe('Waiting');
    expect(await world.at('09:00')).toBe('MonitoringNodeScavenge');
    expect(await world.at('10:00')).toBe('PausedWhileScavengingCluster');
    expect(await world.body()).toMatchObject({ timeZone: 'UTC' });
  });

  it('pauses again when they have ended and another zone is chosen, in which they go on', async () => {
    const world = await configured('0 7 * * *');
    await world.at('07:00');
    await world.at('08:00');
    expect(await world.at('20:00')).toBe('MonitoringNodeScavenge');
    // 20:00 in Berlin is 18:00 in UTC.
    await world.coordinator.configure('0 7 * * *', 'UTC');
    expect(world.coordinator.status).toBe('PausedWhileScavengingCluster');
    await world.coordinator.resume();
    expect(await world.at('21:00')).toBe('MonitoringNodeScavenge');
  });

  it('does not mind them when a person scavenges now', async () => {
    const world = await configured('0 7 * * *');
    expect(await world.at('07:00')).toBe('MonitoringNodeScavenge');
    world.restarted(true);
    expect(await world.at('12:00')).toBe('MonitoringNodeScavenge');
  });
});
