import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { environmentName, nearestSetting, optionName } from '../../../src-main/settings/setting-names.ts';
import { SETTINGS } from '../../../src-main/settings/setting-table.ts';
import { loadSettings, type Settings, type SettingSources } from '../../../src-main/settings/settings.ts';
import { settingRows, settingsPage } from '../../../src-main/settings/settings-text.ts';

let directory: string;
let file: string;
beforeAll(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-settings-'));
  file = path.join(directory, 'node.yaml');
});
afterAll(() => fs.rmSync(directory, { recursive: true }));

function load(text: string, sources: Partial<SettingSources> = {}): Settings {
  fs.writeFileSync(file, text);
  return loadSettings({ file, unknownNames: 'refuse', ...sources });
}

function failureOf(action: () => unknown): EngineError {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('where a value comes from', () => {
  const places = (settings: Settings): Record<string, string> =>
    Object.fromEntries(settingRows(settings.list()).map(({ name, source }) => [name, source]));

  it('command line over environment over file over default', () => {
    const settings = load('ScavengeHistoryMaxAge: 1\nClusterSize: 3\nDev: true\n', {
      environment: { SERVICE_SCAVENGE_HISTORY_MAX_AGE: '2', SERVICE_CLUSTER_SIZE: '5' },
      commandLine: new Map([['scavenge-history-max-age', '4']])
    });
    expect(settings.number('ScavengeHistoryMaxAge')).toBe(4);
    expect(settings.number('ClusterSize')).toBe(5);
    expect(settings.flag('Dev')).toBe(true);
    expect(settings.number('ScavengeBackendCacheSize')).toBe(67_108_864);
    expect(places(settings)).toMatchObject({
      ScavengeHistoryMaxAge: 'command line --scavenge-history-max-age',
      ClusterSize: 'environment SERVICE_CLUSTER_SIZE',
      Dev: `file ${file}:3`,
      ScavengeBackendCacheSize: 'default'
    });
  });

  it('how the service is reached has the same sources, under the names of its options', () => {
    const settings = load('Winnow:\n  Port: 2200\n  UsersFile: users.json\n', {
      environment: { SERVICE_WINNOW__HOST: '127.0.0.2', KURRENTDB_WINNOW__PAGE: 'true' },
      commandLine: new Map([['winnow:public-name', 'a,b']])
    });
    expect(settings.number('Winnow:Port')).toBe(2200);
    expect(settings.text('Winnow:UsersFile')).toBe(path.join(directory, 'users.json'));
    expect(settings.flag('Winnow:Page')).toBe(true);
    expect(places(settings)).toMatchObject({
      'Winnow:Host': 'environment SERVICE_WINNOW__HOST',
      'Winnow:PublicName': 'command line --public-name',
      'Winnow:CertificateFile': 'default'
    });
  });

  it('a secret on the command line is warned of, without being repeated', () => {
    const commandLine = new Map([['licensing:license-key', 'hunter2']]);
    const { warnings } = load('', { commandLine });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('SERVICE_LICENSING__LICENSE_KEY');
    expect(warnings[0]).not.toContain('hunter2');
    expect(load('Licensing:\n  LicenseKey: hunter2\n').warnings).toEqual([]);
  });

  it('the three prefixes of the environment, SERVICE_ first; an empty variable is not set', () => {
    const environment = {
      EVENTSTORE_CLUSTER_SIZE: '7',
      KURRENTDB_CLUSTER_SIZE: '5',
      SERVICE_CLUSTER_SIZE: ''
    };
    expect(loadSettings({ environment, unknownNames: 'refuse' }).number('ClusterSize')).toBe(5);
  });

  it('members of sections, in each source', () => {
    const named = (sources: Partial<SettingSources>): boolean | undefined =>
      load('Db: x\n', sources).flag('AutoScavenge:Enabled');
    expect(load('AutoScavenge:\n  Enabled: false\n').flag('AutoScavenge:Enabled')).toBe(false);
    expect(named({ environment: { SERVICE_AUTO_SCAVENGE__ENABLED: 'False' } })).toBe(false);
    expect(named({ commandLine: new Map([['auto-scavenge__enabled', 'false']]) })).toBe(false);
    expect(named({ commandLine: new Map([['auto-scavenge:enabled', '']]) })).toBe(true);
    expect(named({})).toBeUndefined();
  });

  it('paths of a file count from its folder, those of other sources from where one stands', () => {
    const settings = load('Db: data\n', { environment: { SERVICE_INDEX: 'index' } });
    expect(settings.text('Db')).toBe(path.join(directory, 'data'));
    expect(settings.text('Index')).toBe('index');
  });
});

describe('what is refused, with its place', () => {
  it.each([
    ['a wrong type', 'Db: x\nClusterSize: three\n', 'ClusterSize', 2, 'must be a whole number, not "three"'],
    [
      'a number outside its range',
      'ScavengeHistoryMaxAge: 0\n',
      'ScavengeHistoryMaxAge',
      1,
      'from 1 to 36500'
    ],
    ['a flag that is none', '\nMemDb: 1\n', 'MemDb', 2, 'true or false, not "1"'],
    [
      'a placement that is none',
      'ScavengePointPlacement: here\n',
      'ScavengePointPlacement',
      1,
      'one of auto'
    ],
    [
      'a page size that is none',
      'ScavengeBackendPageSize: 100\n',
      'ScavengeBackendPageSize',
      1,
      'power of two'
    ],
    ['a list as text', 'Db: [a]\n', 'Db', 1, 'must be a path.']
  ])('%s', (_what, text, field, line, words) => {
    const failure = failureOf(() => load(text));
    expect(failure.code).toBe('InvalidRequest');
    expect(failure.details).toMatchObject({ field, file, line });
    expect(failure.message).toContain(`${file}:${line}`);
    expect(failure.message).toContain(words);
  });

  it.each([
    ['ScavengeHistroyMaxAge: 3\n', 'ScavengeHistoryMaxAge', 1],
    ['Db: x\nAutoScavenge:\n  Enabeld: true\n', 'AutoScavenge:Enabled', 3],
    ['KurrentDB:\n  Db: x\n  NodPort: 2113\n', 'NodePort', 3]
  ])('an unknown name, with the nearest known one: %j', (text, nearest, line) => {
    const failure = failureOf(() => load(text));
    expect(failure.message).toContain(`(${file}:${line}). Did you mean ${nearest}?`);
  });

  it('an unknown option, in the spelling of the command line', () => {
    const commandLine = new Map([['cluster-sice', '3']]);
    const failure = failureOf(() => loadSettings({ commandLine, unknownNames: 'refuse' }));
    expect(failure.message).toBe(
      'There is no setting "cluster-sice" (--cluster-sice). Did you mean --cluster-size?'
    );
  });

  it('a file that is no YAML, one that holds no settings, one that is not there', () => {
    expect(failureOf(() => load('Db: x\nDb: y\n')).message).toContain('(line 2)');
    expect(failureOf(() => load('- a\n')).message).toContain('does not contain settings by name');
    expect(failureOf(() => loadSettings({ file: `${file}.no`, unknownNames: 'refuse' })).message).toContain(
      'cannot be read'
    );
  });

  it('a long file in linear time, and says of a few unknown names what they are', () => {
    const names = Array.from({ length: 60_000 }, (_, i) => `N${i}: 1\n`).join('');
    const { warnings } = load(`AllowUnknownOptions: true\n${names}`);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('59980 more names are not settings.');
    expect(failureOf(() => load(`${names}N7: 1\n`)).message).toContain(
      'names "N7" a second time (line 60001)'
    );
  });

  it('a file that is nested without end, and one that is too large', () => {
    for (const text of ['['.repeat(100_000), `Metrics: ${'{a: '.repeat(100_000)}`]) {
      const { code, message } = failureOf(() => load(text));
      expect(code).toBe('InvalidRequest');
      expect(message).toMatch(/is nested too deeply|is not valid YAML/);
    }
    expect(failureOf(() => load('#'.repeat(2 ** 20 + 1))).message).toContain('it has 1048577 bytes');
  });

  it('an alias, without ever following it', () => {
    const bomb = Array.from(
      { length: 40 },
      (_, i) => `A${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`
    ).join('');
    const text = `A0: &a0 [x]\n${bomb}`;
    load(text, { unknownNames: 'ignore' });
    for (const setting of ['Db', 'ScavengePointPlacement', 'ClusterSize', 'AlwaysKeepScavenged']) {
      const failure = failureOf(() => load(`${text}${setting}: *a40\n`, { unknownNames: 'ignore' }));
      expect(failure.message).toMatch(new RegExp(`The setting ${setting} .* must be`));
    }
  });

  it('nothing that only a server knows, and nothing at all where unknown names are let pass', () => {
    load('NodePort: 2113\nIntHttpPort: 2112\nGossipSeed: [a, b]\nMetrics:\n  Meters: x\n');
    expect(load('Nonsense: 1\n', { unknownNames: 'ignore' }).warnings).toEqual([]);
    const [warning] = load('AllowUnknownOptions: true\nNonsense: 1\n').warnings;
    expect(warning).toContain('There is no setting "Nonsense"');
  });
});

describe('what is told', () => {
  it('deprecated settings and the unit of the page size', () => {
    const { warnings } = load('AlwaysKeepScavenged: true\nScavengeBackendPageSize: 16\n');
    expect(warnings[0]).toContain('AlwaysKeepScavenged');
    expect(warnings[1]).toContain('16 is read as KiB');
    expect(warnings[1]).toContain('16384 bytes');
    expect(load('ScavengeBackendPageSize: 4096\n').warnings[0]).toContain('read as bytes');
  });

  it('says what statistics events in the log ask for, where they are switched on', () => {
    expect(load('WriteStatsToDb: false\n').warnings).toEqual([]);
    const [note] = load('WriteStatsToDb: true\n').warnings;
    expect(note).toMatch(/WriteStatsToDb .*:1\): .* expire after 24 hours: scavenge at least once a week/);
  });

  it('never a secret, in force or refused', () => {
    const settings = load('Licensing:\n  LicenseKey: hunter2\n');
    expect(settings.text('Licensing:LicenseKey')).toBe('hunter2');
    expect(JSON.stringify(settingRows(settings.list()))).not.toContain('hunter2');
    expect(failureOf(() => load('Licensing:\n  LicenseKey: 12345678\n')).message).not.toContain('12345678');
  });

  it('the page of the documentation as it is in the repository', () => {
    const page = new URL('../../../docs/operations/settings.md', import.meta.url);
    expect(fs.readFileSync(page, 'utf8'), 'npx node scripts/make-settings-page.mjs').toBe(settingsPage());
  });
});

describe('names', () => {
  it.each([
    ['DisableScavengeMerging', 'disable-scavenge-merging', 'DISABLE_SCAVENGE_MERGING'],
    ['ScavengeHistoryMaxAge', 'scavenge-history-max-age', 'SCAVENGE_HISTORY_MAX_AGE'],
    ['AutoScavenge:Enabled', 'auto-scavenge:enabled', 'AUTO_SCAVENGE__ENABLED']
  ])('%s', (name, option, variable) => {
    expect(optionName(name)).toBe(option);
    expect(environmentName(name)).toBe(variable);
  });

  it('nothing is near to a name that resembles none', () => {
    expect(nearestSetting('CompletelyDifferentWords')).toBeUndefined();
  });

  it('each setting has its own', () => {
    const names = SETTINGS.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });
});
