/** A licence that expires or comes while a service runs: asked at each decision, on a clock that the test holds. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TimeZone, wallTimeAt, type NodeReply } from '../../../src-core/index.ts';
import {
  AutoScavenge,
  type AutoScavengeMode,
  type CoordinatorParts
} from '../../../src-main/cluster/auto-scavenge.ts';
import { readLicence, refusalOf } from '../../../src-main/access/licence.ts';

const EXPIRY = '2026-09-01T00:00:00Z';
const MINUTE_MS = 60_000;
/** Looks are made by the test. */
const NEVER_MS = 1_000_000_000;

let directory: string;
let trustedKeyFile: string;
let privateKey: CryptoKey;
let nowMs: number;
let key: string;
let said: string[];
let started: string[];
let reply: NodeReply;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-licence-'));
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  privateKey = pair.privateKey;
  trustedKeyFile = path.join(directory, 'key.json');
  fs.writeFileSync(trustedKeyFile, JSON.stringify(await exportJWK(pair.publicKey)));
});
afterAll(() => fs.rmSync(directory, { recursive: true }));
beforeEach(async () => {
  nowMs = Date.parse(EXPIRY) - 90_000;
  key = await token(EXPIRY);
  said = [];
  started = [];
  reply = { kind: 'inProgress' };
});

function token(expiry: string): Promise<string> {
  const signed = new SignJWT({ ALL: true }).setProtectedHeader({ alg: 'EdDSA' });
  return signed.setExpirationTime(new Date(expiry)).sign(privateKey);
}

const utc = new TimeZone('UTC');

function coordinated(): AutoScavenge {
  return new AutoScavenge({ kind: 'here', parts: coordinatorParts() }, NEVER_MS);
}

function coordinatorParts(): CoordinatorParts {
  let ids = 0;
  const node = { address: 'one', port: 2113 };
  return {
    options: { clusterSize: 1, order: 'registered', self: undefined, afterStoreFailure: 'recover' },
    store: {
      load: async () => ({ configuration: undefined, history: [] }),
      append: async () => 'stored',
      probe: async () => undefined
    },
    scavenger: async (request) => {
      if (request.kind !== 'start') return reply;
      started.push(`scavenge-${++ids}`);
      return { kind: 'started', scavengeId: `scavenge-${ids}` };
    },
    gossip: async () => [
      {
        id: node,
        state: 'Leader',
        isAlive: true,
        isReadOnlyReplica: false,
        writerCheckpoint: 1,
        hasInstance: true
      }
    ],
    now: () => wallTimeAt(utc, nowMs),
    newId: () => `cycle-${++ids}`,
    refusal: async () =>
      refusalOf(await readLicence({ key, file: undefined, trustedKeyFile }, new Date(nowMs))),
    log: (level, message) => void (level === 'warning' && said.push(message))
  };
}

/** As the timer does. */
async function lookAt(auto: AutoScavenge, isoTime: string): Promise<void> {
  nowMs = Date.parse(isoTime);
  await auto.start();
}

describe('a licence that expires', () => {
  it('lets the cycle that is open go on to its end, begins no other, and says so everywhere', async () => {
    const auto = coordinated();
    await auto.start();
    expect(await auto.call({ schedule: '* * * * *' })).toMatchObject({ status: 200 });
    expect(await auto.isEnabled()).toBe(true);
    await lookAt(auto, '2026-08-31T23:59:01Z');
    expect(started).toHaveLength(1);

    await lookAt(auto, '2026-09-01T00:00:30Z');
    expect(await auto.isEnabled()).toBe(true);
    expect(auto.hasOpenCycle).toBe(true);
    const during = await auto.call('status');
    expect(during).toMatchObject({ status: 200, body: { state: 'InProgress' } });
    expect((during.body as { refusal: string }).refusal).toContain('it expired on 2026-09-01');
    expect(said).toEqual([
      'AutoScavenge has no valid licence: it expired on 2026-09-01. No further cycle will begin. ' +
        'The open cycle continues to its end.'
    ]);

    reply = { kind: 'success' };
    await lookAt(auto, '2026-09-01T00:03:00Z');
    await lookAt(auto, '2026-09-01T00:09:00Z');
    expect(started).toHaveLength(1);
    expect(await auto.isEnabled()).toBe(false);
    expect(auto.hasOpenCycle).toBe(false);
    for (const call of ['status', 'pause', 'resume'] as const) {
      expect(await auto.call(call)).toEqual({
        status: 503,
        detail: 'AutoScavenge has no valid licence: it expired on 2026-09-01'
      });
    }
    expect(said).toHaveLength(1);
    await auto.close();
  });

  it('is noticed by the cycle that would begin in the moment of its expiry', async () => {
    const auto = coordinated();
    await auto.start();
    await auto.call({ schedule: '0 0 * * *' });
    await lookAt(auto, '2026-08-31T23:59:59Z');
    expect(await auto.isEnabled()).toBe(true);
    await lookAt(auto, EXPIRY);
    expect(started).toEqual([]);
    expect(await auto.isEnabled()).toBe(false);
    await auto.close();
  });

  it('and is replaced by another lets cycles begin again, without a new start', async () => {
    const auto = coordinated();
    await auto.start();
    await auto.call({ schedule: '* * * * *' });
    await lookAt(auto, '2026-09-01T00:05:00Z');
    expect(started).toEqual([]);
    key = await token('2027-09-01T00:00:00Z');
    nowMs += MINUTE_MS;
    await auto.start();
    expect(started).toHaveLength(1);
    expect(await auto.isEnabled()).toBe(true);
    await auto.close();
  });
});

describe('a licence that comes', () => {
  it.each<[string, (auto: AutoScavenge) => Promise<unknown>]>([
    ['the question whether it is enabled', (auto) => auto.isEnabled()],
    ['a call', async (auto) => (await auto.call('status')).status === 200],
    ['the look of the timer', (auto) => auto.start().then(() => auto.isEnabled())]
  ])('counts at once for %s', async (_what, ask) => {
    let isLicensed = false;
    const parts = coordinatorParts();
    const tryAgain = (): Promise<AutoScavengeMode> => {
      const refused = { kind: 'refused', reason: 'no licence is given', tryAgain } as const;
      return Promise.resolve(isLicensed ? { kind: 'here', parts } : refused);
    };
    const auto = new AutoScavenge(await tryAgain(), NEVER_MS);
    await auto.start();
    expect(await auto.isEnabled()).toBe(false);
    expect(await auto.call('status')).toEqual({
      status: 503,
      detail: 'AutoScavenge is not enabled',
      note: 'no licence is given'
    });
    isLicensed = true;
    expect(await ask(auto)).toBe(true);
    expect(await auto.call('status')).toMatchObject({ status: 200, body: { state: 'NotConfigured' } });
    await auto.close();
  });

  it('is asked for once by those who ask at the same time, so that the lease is taken once', async () => {
    let asked = 0;
    const tryAgain = async (): Promise<AutoScavengeMode> => {
      asked++;
      return Promise.resolve({ kind: 'here', parts: coordinatorParts() });
    };
    const auto = new AutoScavenge({ kind: 'refused', reason: 'none', tryAgain }, NEVER_MS);
    const answers = await Promise.all([auto.isEnabled(), auto.call('status'), auto.holder(), auto.start()]);
    expect(answers).toMatchObject([true, { status: 200 }, undefined, undefined]);
    expect(asked).toBe(1);
    await auto.close();
  });
});
