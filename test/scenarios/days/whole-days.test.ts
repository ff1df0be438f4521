/**
 * A service through sixty days of a clock that the test holds, both changes of a zone's clocks among them: backups and
 * scavenges by their schedules, a clock that is set back and one that leaps ahead, a licence that ends. What should have
 * begun is counted by a calendar written here; what the process holds must not grow.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepChosenLicence } from '../../../src-main/access/chosen-licence.ts';
import { startWorkerEngine } from '../../../src-main/engine/engine-host.ts';
import { serve } from '../../../src-main/http/serve.ts';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { loadSettings } from '../../../src-main/settings/settings.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Morocco sets its clocks back before Ramadan and forward after it: two changes within sixty days. */
const ZONE = 'Africa/Casablanca';
const BACK = Date.UTC(2026, 1, 15, 2);
const FORWARD = Date.UTC(2026, 2, 22, 2);
const BEGIN = Date.UTC(2026, 1, 1, 12);
const DAYS = Number(process.env['WINNOW_DAYS'] ?? 60);
const STEP = HOUR;
/** The clock stands three hours back for the afternoon of a day, and leaps over three nights once. */
const SET_BACK_DAY = 20;
const LEAP_DAY = 30;
const LEAP = 3 * DAY;
const LICENCE_ENDS = BEGIN + 50 * DAY;
const PASSWORD = 'correct horse';
/** The timers of the schedule of scavenges and of that of backups: the test lets them end. */
const HELD_MS = new Set([5000, 20_000]);

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-days-'));
const realTimeout = globalThis.setTimeout;
const realInterval = globalThis.setInterval;
const once = new Set<() => void>();
const again = new Set<() => void>();

beforeAll(() => {
  const held = (list: Set<() => void>, run: () => void) => {
    list.add(run);
    const timer = realTimeout(() => undefined, 1);
    const cleared = { ...timer, unref: () => cleared, ref: () => cleared, [Symbol.toPrimitive]: () => 0 };
    return cleared;
  };
  globalThis.setTimeout = ((run: () => void, ms?: number, ...rest: unknown[]) =>
    ms === 5000 && isOurs() ? held(once, run) : realTimeout(run as never, ms, ...(rest as []))) as never;
  globalThis.setInterval = (run: () => void, ms?: number, ...rest: unknown[]) =>
    HELD_MS.has(ms ?? 0) && isOurs() ? held(again, run) : realInterval(run as never, ms, ...(rest as []));
});
afterAll(() => {
  globalThis.setTimeout = realTimeout;
  globalThis.setInterval = realInterval;
  fs.rmSync(root, { recursive: true, force: true });
});

function isOurs(): boolean {
  const [, , , caller = ''] = (new Error().stack ?? '').split('\n');
  return /cluster\/auto-scavenge\.ts|verbs\/backup-schedules\.ts/.test(caller);
}

/** By hand: what the clocks of the zone show, as if it were UTC. */
function wall(ms: number): number {
  return ms + (ms >= BACK && ms < FORWARD ? 0 : HOUR);
}

it(
  'begins everything once that was promised, and holds no more at its end than before',
  { timeout: 600_000 },
  async () => {
    const home = path.join(root, 'home');
    const database = path.join(root, 'db');
    const target = path.join(root, 'backups');
    fs.mkdirSync(target);
    let nowMs = BEGIN;
    const clock = () => nowMs;
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const trustedKeyFile = path.join(root, 'key.json');
    fs.writeFileSync(trustedKeyFile, JSON.stringify(await exportJWK(pair.publicKey)));
    const licence = await new SignJWT({ ALL: true })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime(new Date(LICENCE_ENDS))
      .sign(pair.privateKey);
    const licenceFile = path.join(root, 'licence.key');
    fs.writeFileSync(licenceFile, licence);
    keepChosenLicence(home, licenceFile);
    const users = new UserStore(path.join(home, 'users.json'));
    await users.add('ops', ['$ops'], PASSWORD);
    const own = startWorkerEngine();
    await own.call('writeSample', {
      dataDirectory: database,
      sizeBytes: 512 * 1024,
      chunkSizeBytes: 128 * 1024
    });
    const begun: Record<string, number[]> = {};
    const failed: string[] = [];
    let isRefused = false;
    let refused = 0;
    let running = 0;
    const engine = new Proxy(own, {
      get: (host, name) => {
        if (name !== 'call') {
          const value: unknown = Reflect.get(host, name);
          return typeof value === 'function' ? (value.bind(host) as unknown) : value;
        }
        return async (operation: string, ...rest: unknown[]) => {
          // A backup that met a scavenge tries again: that is still the same one.
          if (operation !== 'createBackup' || !isRefused) (begun[operation] ??= []).push(nowMs);
          running++;
          try {
            const reply = await (host.call as (...all: unknown[]) => Promise<unknown>).call(
              host,
              operation,
              ...rest
            );
            if (operation === 'createBackup') isRefused = false;
            return reply;
          } catch (error) {
            isRefused = operation === 'createBackup' && (error as { code?: string }).code === 'DatabaseInUse';
            if (isRefused) refused++;
            else failed.push(`${operation}: ${String(error)}`);
            throw error;
          } finally {
            running--;
          }
        };
      }
    });
    let log = '';
    const service = await serve(
      {
        settings: loadSettings({
          commandLine: new Map([['db', database]]),
          unknownNames: 'refuse'
        }),
        host: '127.0.0.1',
        port: 0,
        publicNames: [],
        usersFile: users.file,
        certificateFile: undefined,
        keyFile: undefined,
        saidSingleNode: true,
        trustedKeyFile,
        clusterName: undefined,
        environment: {},
        winnowHome: home,
        pageDirectory: undefined,
        allowedPaths: []
      },
      { engine, logger: pino({ base: null }, { write: (text: string) => void (log += text) }), clock }
    );
    const ask = async (what: string, body?: unknown) => {
      const [method = 'GET', url = '/'] = what.split(' ');
      const answer = await fetch(`${service.url}${url}`, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`ops:${PASSWORD}`).toString('base64')}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      });
      return { status: answer.status, text: await answer.text() };
    };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    /** Lets all timers end, until nothing of ours runs and the schedule waits for its timer. */
    const settle = async () => {
      for (let quiet = 0; quiet < 2;) {
        const due = [...once];
        once.clear();
        for (const run of [...due, ...again]) run();
        const before = Object.values(begun).flat().length;
        do await new Promise((resolve) => realTimeout(resolve, 1));
        while (running > 0 || once.size < due.length);
        quiet = Object.values(begun).flat().length === before ? quiet + 1 : 0;
        await turn();
      }
    };
    const held = () => {
      setFlagsFromString('--expose-gc');
      (runInNewContext('gc') as () => void)();
      const resources: Record<string, number> = {};
      for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
      return {
        heapBytes: process.memoryUsage().heapUsed,
        files: fs.readdirSync('/proc/self/fd').length,
        resources
      };
    };

    try {
      const registry = new NodeRegistry(home, clock);
      const { id } = registry.open({ dataDirectory: fs.realpathSync(database) });
      registry.edit(id, { backupTarget: target });
      const schedule = { expression: '30 2 * * *', timeZone: ZONE, retention: { last: 3 } };
      expect((await ask('PUT /backups/schedule', schedule)).status).toBe(200);
      const configured = await ask('POST /auto-scavenge/configure', {
        schedule: '0 4 * * *',
        timeZone: ZONE
      });
      expect(configured.status, `${configured.text} ${log}`).toBe(200);

      const backups: string[] = [];
      const cycles: string[] = [];
      let early: ReturnType<typeof held> | undefined;
      let calendarMs = nowMs;
      let wantedBackups = 0;
      let wantedCycles = 0;
      for (let sinceBegin = STEP; sinceBegin <= DAYS * DAY; sinceBegin += STEP) {
        const isSetBack = Math.floor(sinceBegin / DAY) === SET_BACK_DAY && sinceBegin % DAY < 4 * HOUR;
        const isLeaping = sinceBegin >= LEAP_DAY * DAY && sinceBegin < LEAP_DAY * DAY + LEAP;
        if (isLeaping) continue;
        nowMs = BEGIN + sinceBegin - (isSetBack ? 3 * HOUR : 0);
        const counts = () => [begun['createBackup']?.length ?? 0, begun['runScavenge']?.length ?? 0] as const;
        const [hadBackups, hadCycles] = counts();
        await settle();
        const [nowBackups, nowCycles] = counts();
        for (let i = hadBackups; i < nowBackups; i++) backups.push(new Date(nowMs).toISOString());
        for (let i = hadCycles; i < nowCycles; i++) cycles.push(new Date(nowMs).toISOString());
        // The calendar: a time that passed since the last look is one run, however many passed. Skipped 02:30 is 03:00.
        if (nowMs > calendarMs) {
          if (hasPassed(calendarMs, nowMs, 2.5 * HOUR)) wantedBackups++;
          if (hasPassed(calendarMs, nowMs, 4 * HOUR) && nowMs < LICENCE_ENDS) wantedCycles++;
          calendarMs = nowMs;
        }
        expect(backups.length, `backups by ${new Date(nowMs).toISOString()}: ${backups.join(' ')}`).toBe(
          wantedBackups
        );
        expect(cycles.length, `cycles by ${new Date(nowMs).toISOString()}: ${cycles.join(' ')}`).toBe(
          wantedCycles
        );
        if (sinceBegin === 10 * DAY) early = held();
      }
      const late = held();
      console.log(
        JSON.stringify({
          days: DAYS,
          backups: backups.length,
          cycles: cycles.length,
          early,
          late,
          failed,
          refused
        })
      );
      expect(failed).toEqual([]);
      expect(isRefused, 'the last backup was taken').toBe(false);
      if (early) {
        expect(late.files).toBeLessThanOrEqual(early.files + 2);
        expect(late.heapBytes).toBeLessThan(early.heapBytes + 8 * 1024 * 1024);
      }
    } finally {
      await service.close();
      await own.close();
    }
  }
);

/** Whether the clocks showed this time of day after `fromMs` and up to `toMs`; the second pass of an hour does not count. */
function hasPassed(fromMs: number, toMs: number, timeOfDay: number): boolean {
  for (let day = Math.floor(wall(fromMs) / DAY); day <= Math.floor(wall(toMs) / DAY); day++) {
    const shown = day * DAY + timeOfDay;
    const moments = [shown - HOUR, shown].filter((moment) => wall(moment) === shown);
    // Shown never: as the clocks leap over it. Shown twice: the first time.
    const moment = moments[0] ?? FORWARD;
    if (moment > fromMs && moment <= toMs) return true;
  }
  return false;
}
