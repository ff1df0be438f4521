import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActivityLog } from '../../../src-main/activity/activity-log.ts';
import { recordedEngine } from '../../../src-main/activity/recorded-engine.ts';
import { APPLICATION_VERBS } from '../../../src-main/contract/verbs/application-channels.ts';
import type { ApplicationEvent } from '../../../src-main/contract/verbs/application-contract.ts';
import {
  absentApplicationVerbs,
  applicationVerbs,
  type ApplicationVerbHandlers
} from '../../../src-main/verbs/application-verbs.ts';
import { verbRequests } from '../../../src-main/contract/verbs/validate.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { WindowSettings } from '../../../src-main/settings/window-settings.ts';
import { fakeEngine } from './fake-engine.ts';

let home: string;
let verbs: ApplicationVerbHandlers;
let registry: NodeRegistry;
let events: ApplicationEvent[];
let zoomed: number[];
let timesSpoken: number;
let environment: Record<string, string>;
let chosen: string | undefined;
let obstacles: string[][];
let activity: ActivityLog;
const inHome = (name: string): string => path.join(home, name);

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'winnow-application-'));
  registry = new NodeRegistry(home, () => 1000);
  events = [];
  obstacles = [];
  zoomed = [];
  timesSpoken = 0;
  environment = {};
  activity = new ActivityLog({ home, clock: () => 1 });
  writeFileSync(
    inHome('licences.md'),
    '# Licenses\n\n## zod - 4.6.7 (MIT)\n\nMIT License\n\nCopyright\n\n## @scope/lib - 1.0.0 (ISC)\n\nISC\n'
  );
  verbs = applicationVerbs({
    settings: {
      home,
      environment,
      registry,
      settings: new WindowSettings(home),
      applyZoom: (percent) => void zoomed.push(percent),
      applyLanguage: () => void timesSpoken++,
      send: (event) => void events.push(event)
    },
    activity: { activity, environment: ['Electron: 42'] },
    about: {
      versions: [{ name: 'Winnow', version: '1.2.3' }],
      licenceFiles: [inHome('licences.md'), inHome('missing.md')],
      billOfMaterials: inHome('winnow.cdx.json'),
      chooseSaveFile: () => Promise.resolve(chosen)
    },
    tellObstacles: (commands) => void obstacles.push(commands)
  });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('preferences', () => {
  test('are kept for the next start and told to the page', async () => {
    await verbs.changePreferences({ numbers: 'point', notices: false });
    expect(new WindowSettings(home).values).toMatchObject({ numbers: 'point', notices: false });
    expect(events).toMatchObject([
      { kind: 'preferences', preferences: { numbers: 'point', notices: false } }
    ]);
  });

  test('hold the language, which menu and dialogs take at once', async () => {
    expect(await verbs.preferences({})).toMatchObject({ language: 'system', numbers: 'language' });
    expect(await verbs.changePreferences({ language: 'de' })).toMatchObject({ language: 'de' });
    expect([new WindowSettings(home).values.language, timesSpoken]).toEqual(['de', 1]);
  });

  test('hold the size of the page, which is set at once', async () => {
    expect(await verbs.zoom({ step: 'in' })).toMatchObject({ zoomPercent: 110 });
    await verbs.zoom({ step: 'out' });
    await verbs.zoom({ step: 'out' });
    expect(zoomed).toEqual([110, 100, 90]);
    expect(new WindowSettings(home).values.zoomPercent).toBe(90);
  });

  test('refuse what no page may ask for', () => {
    for (const wrong of [{ zoomPercent: 900 }, { numbers: 'roman' }, { theme: 'dark' }, { notices: 1 }]) {
      expect(verbRequests.changePreferences.safeParse(wrong).success).toBe(false);
    }
  });
});

describe('settings of a node', () => {
  test('come with value, source, default and meaning, from its file and the environment', async () => {
    const file = inHome('kurrentdb.conf');
    writeFileSync(file, 'Db: ./data\nClusterSize: 3\nDisableScavengeMerging: true\n');
    environment['KURRENTDB_CLUSTER_SIZE'] = '5';
    const { id } = registry.open({ dataDirectory: home, configurationFile: file });
    const { rows, error, ...report } = await verbs.listSettings({ nodeId: id });
    expect([error, report.file]).toEqual([null, file]);
    const row = (name: string) => rows.find((candidate) => candidate.name === name);
    expect(row('DisableScavengeMerging')).toMatchObject({ value: 'true', source: 'file', default: 'false' });
    expect(row('DisableScavengeMerging')!.place).toBe(`${file}:3`);
    expect(row('ClusterSize')).toMatchObject({ value: '5', source: 'environment' });
    expect(row('ScavengeHistoryMaxAge')).toMatchObject({ value: '30', source: 'default', place: '' });
    expect(rows.every(({ meaning }) => meaning !== '')).toBe(true);
  });

  test('never show a secret', async () => {
    environment['KURRENTDB_LICENSING__LICENSE_KEY'] = 'eyJ-secret';
    const report = await verbs.listSettings({ nodeId: null });
    expect(JSON.stringify(report)).not.toContain('eyJ-secret');
    expect(
      report.rows.some(({ source, value }) => source === 'environment' && value.includes('not shown'))
    ).toBe(true);
  });

  test('say what is wrong with a file, beside the defaults', async () => {
    const file = inHome('kurrentdb.conf');
    writeFileSync(file, 'ClusterSize: many\n');
    const { id } = registry.open({ dataDirectory: home, configurationFile: file });
    const { rows, error } = await verbs.listSettings({ nodeId: id });
    expect(error).toMatchObject({ code: 'InvalidRequest' });
    expect(rows.every(({ source }) => source === 'default')).toBe(true);
  });
});

describe('users of the node service', () => {
  test('are added, given another password and removed, and no password comes out', async () => {
    expect((await verbs.listUsers({})).users).toEqual([]);
    await verbs.addUser({ name: 'alice', role: 'ops', password: 'a long password' });
    const changed = await verbs.changeUserPassword({ name: 'alice', password: 'another password' });
    expect(changed.users).toEqual([{ name: 'alice', roles: ['$ops'] }]);
    expect((await verbs.removeUser({ name: 'alice' })).users).toEqual([]);
  });

  test('are refused with a short password', async () => {
    await expect(
      Promise.resolve(verbs.addUser({ name: 'bob', role: 'admin', password: 'short' }))
    ).rejects.toThrow(/8 to/);
  });
});

describe('activity', () => {
  test('is listed as it was recorded, and told as text without names', async () => {
    const engine = recordedEngine(fakeEngine(), { log: activity, clock: () => 5, door: 'window' });
    await engine.call('verifyDatabase', { dataDirectory: '/data/acme/node-1' });
    const [entry] = await verbs.listActivity({});
    expect(entry).toMatchObject({ operation: 'verifyDatabase', outcome: 'done', door: 'window' });
    const { text } = await verbs.describeActivity({ id: entry!.id, hasStreamNames: false });
    expect(text).toContain('verifyDatabase');
    expect(text).toContain('Electron: 42');
    expect(text).not.toContain('acme');
    expect(() => verbs.describeActivity({ id: 'gone', hasStreamNames: false })).toThrow(
      /no longer in the record/
    );
  });
});

describe('what the application is made of', () => {
  test('is told with versions, formats and each bundled library once', async () => {
    const about = await verbs.about({});
    expect(about.versions).toEqual([{ name: 'Winnow', version: '1.2.3' }]);
    expect(about.formats.map(({ name }) => name)).toContain('Index tables');
    expect(about.libraries).toEqual([
      { name: '@scope/lib', version: '1.0.0', licence: 'ISC' },
      { name: 'zod', version: '4.6.7', licence: 'MIT' }
    ]);
    expect((await verbs.readLicence({ name: 'zod', version: '4.6.7' })).text).toBe(
      'MIT License\n\nCopyright'
    );
  });

  test('is saved as a bill of materials where a person chose', async () => {
    await expect(verbs.saveBillOfMaterials({})).rejects.toThrow(/no bill of materials/);
    writeFileSync(inHome('winnow.cdx.json'), '{"components":[{},{}]}');
    expect((await verbs.about({})).componentCount).toBe(2);
    expect(await verbs.saveBillOfMaterials({})).toBeNull();
    chosen = inHome('saved.json');
    expect(await verbs.saveBillOfMaterials({})).toEqual({ file: chosen });
    expect(readFileSync(chosen, 'utf8')).toBe('{"components":[{},{}]}');
    expect(existsSync(chosen)).toBe(true);
  });
});

test('a page in a browser is refused all of it', () => {
  const absent = absentApplicationVerbs();
  for (const name of Object.keys(APPLICATION_VERBS) as (keyof ApplicationVerbHandlers)[]) {
    expect(() => absent[name]({} as never), name).toThrow(/in the window of Winnow/);
  }
});
