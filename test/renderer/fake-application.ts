/** What the main process answers about the application itself, for tests of the window. */
import type {
  AboutReport,
  TitledActivity,
  ApplicationVerbName,
  Preferences,
  SettingsReport,
  UsersReport,
  Verbs
} from '../../src-main/contract/verbs/workbench-contract.ts';

export const preferences: Preferences = {
  language: 'system',
  numbers: 'language',
  reducedMotion: 'system',
  zoomPercent: 100,
  notices: true
};

export const settingsReport: SettingsReport = {
  file: '/etc/kurrentdb/kurrentdb.conf',
  warnings: ['AlwaysKeepScavenged (kurrentdb.conf:4) is deprecated: newer servers refuse to start with it.'],
  error: null,
  rows: [
    {
      name: 'ClusterSize',
      value: '3',
      default: '',
      source: 'file',
      place: '/etc/kurrentdb/kurrentdb.conf:2',
      meaning: 'Full members of the cluster.',
      deprecated: null
    },
    {
      name: 'ScavengeHistoryMaxAge',
      value: '30',
      default: '30',
      source: 'default',
      place: '',
      meaning: 'How long the history of scavenges is kept.',
      deprecated: null
    }
  ]
};

export const activities: TitledActivity[] = [
  {
    id: 'activity-2',
    operation: 'runScavenge',
    title: 'Scavenge',
    door: 'commandLine',
    dataDirectory: '/data/node-1',
    target: null,
    startedAt: '2026-03-01T10:00:00.0000000Z',
    endedAt: '2026-03-01T10:01:00.0000000Z',
    elapsedMs: 60_000,
    outcome: 'failed',
    verdict: null,
    options: { threshold: 0 },
    figures: {},
    log: ['Chunk 3 was rewritten.'],
    error: { code: 'StorageFailed', message: 'The disk is full.', remedy: 'Free space.', details: {} },
    version: '0.1.0',
    hostName: 'db-1',
    pid: 12
  },
  {
    id: 'activity-1',
    operation: 'verifyDatabase',
    title: 'Verify',
    door: 'window',
    dataDirectory: '/data/node-1',
    target: null,
    startedAt: '2026-03-01T09:00:00.0000000Z',
    endedAt: '2026-03-01T09:00:04.0000000Z',
    elapsedMs: 4000,
    outcome: 'done',
    verdict: 'damage',
    options: { quick: false, 'unknownThings.count': 3 },
    figures: {
      chunksRead: 55,
      bytesRead: 1_500_000,
      elapsedMs: 4000,
      verdictOfAll: 'willNotStart',
      'notChecked.count': 0,
      ok: false
    },
    log: [],
    error: null,
    version: '0.1.0',
    hostName: 'db-1',
    pid: 12
  }
];

const about: AboutReport = {
  versions: [
    { name: 'Winnow', version: '0.1.0' },
    { name: 'Electron', version: '42.0.0' }
  ],
  formats: [{ name: 'Chunk files', versions: '2 to 4' }],
  libraries: [{ name: 'zod', version: '4.6.7', licence: 'MIT' }],
  componentCount: 512
};

type Answers = { [V in ApplicationVerbName]: (request: Verbs[V]['request']) => unknown };

/** Keeps what was changed, as the main process does. */
export function applicationAnswers(send: (changed: Preferences) => void): Answers {
  let current = preferences;
  let users: UsersReport = { file: '/home/.winnow/users.json', users: [{ name: 'ops', roles: ['$ops'] }] };
  return {
    preferences: () => current,
    changePreferences: (change) => {
      current = { ...current, ...change };
      send(current);
      return current;
    },
    zoom: ({ step }) => {
      const percent = step === 'reset' ? 100 : current.zoomPercent + (step === 'in' ? 10 : -10);
      current = { ...current, zoomPercent: percent };
      send(current);
      return current;
    },
    listSettings: () => settingsReport,
    listUsers: () => users,
    addUser: ({ name }) => (users = { ...users, users: [...users.users, { name, roles: ['$admins'] }] }),
    changeUserPassword: () => users,
    removeUser: ({ name }) => (users = { ...users, users: users.users.filter((user) => user.name !== name) }),
    listActivity: () => activities,
    describeActivity: ({ hasStreamNames }) => ({
      text: `details ${hasStreamNames ? 'with' : 'without'} names`
    }),
    about: () => about,
    readLicence: () => ({ text: 'MIT License' }),
    saveBillOfMaterials: () => ({ file: '/home/winnow.cdx.json' }),
    tellObstacles: () => null
  };
}
