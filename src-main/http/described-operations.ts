/**
 * What the OpenAPI description says of each operation besides its path: the bodies it takes and the answers it gives, each
 * with an example. A test holds the examples, and every answer that other tests get, against these shapes.
 */
import type { RunKind } from './node-runs.ts';
import type { ServiceAnswer, ServiceSchemaName } from '../contract/answers/answer-schemas.ts';

export interface DescribedContent {
  description: string;
  /** undefined: no body. */
  content?: { type: string; schema?: ServiceSchemaName; example: unknown };
  /** Headers by their names, each with its meaning. */
  headers?: Readonly<Record<string, string>>;
}

export interface DescribedOperation {
  /** By status. Those of the guards (401, 403, 429) and `default` are added for every operation. */
  answers: Readonly<Record<number, DescribedContent>>;
  body?: { schema: ServiceSchemaName; example: unknown };
}

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

const nothing = (description: string): DescribedContent => ({ description });
const text = (description: string, example: string): DescribedContent => ({
  description,
  content: { type: 'text/plain', example }
});
const json = <Name extends ServiceSchemaName>(
  schema: Name,
  description: string,
  example: ServiceAnswer<Name>
): DescribedContent => ({ description, content: { type: JSON_TYPE, schema, example } });
const problem = (status: number, title: string, detail: string): DescribedContent => ({
  description: title,
  content: {
    type: PROBLEM_TYPE,
    schema: 'Problem',
    example: {
      type: `https://www.rfc-editor.org/rfc/rfc9110#section-15.${Math.floor(status / 100) + 1}`,
      ...{ title, status, detail }
    }
  }
});
const body = <Name extends ServiceSchemaName>(schema: Name, example: ServiceAnswer<Name>) => ({
  schema,
  example
});

const RUN = '28bc7aa0-6c04-47c9-8e85-3ace37240e93';
const SCAVENGE = '524f8ee4-1f63-4147-a735-5cff943c09bc';
const STREAMS = 'http://127.0.0.1:2113/streams/%24scavenges';
const scavengeLink = `/admin/scavenge/${SCAVENGE}`;

const started = (header: string, what: string): DescribedContent => ({
  description: `The ${what} runs.`,
  headers: { [header]: `id of the ${what}`, Warning: 'names of parameters that were ignored' }
});

const stopped = (id: string): DescribedOperation => ({
  answers: {
    200: json('StoppedRun', 'It has ended; its id.', id),
    404: text('Nothing with this id runs.', 'Run Id does not exist')
  }
});

const runAnswers = (
  kind: RunKind,
  noun: string,
  last: DescribedContent
): Readonly<Record<string, DescribedOperation>> => {
  const runLink = `/admin/${kind}/${RUN}`;
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  return {
    [`start${name}`]: {
      answers: {
        200: started('X-Run-Id', noun),
        400: text('A wrong value, or one is running already.', 'It is already running.')
      }
    },
    [`current${name}`]: {
      answers: {
        200: json('CurrentRun', 'Empty strings: nothing runs.', { runId: RUN, runLink })
      }
    },
    [`last${name}`]: { answers: { 200: last } },
    [`stop${name}`]: stopped(RUN),
    [`stopCurrent${name}`]: stopped(RUN),
    [`stopLast${name}`]: stopped(RUN)
  };
};
const ofRun = (kind: string) =>
  ({ runId: RUN, runLink: `/admin/${kind}/${RUN}`, runResult: 'Success', error: null }) as const;
const stillGoing = (kind: string) => ({ ...ofRun(kind), runResult: 'InProgress', report: null }) as const;

const feed = (description: string): DescribedOperation => ({
  answers: {
    200: json('Feed', description, {
      title: "Event stream '$scavenges'",
      id: STREAMS,
      updated: '2026-11-25T03:22:42.4810000Z',
      streamId: '$scavenges',
      author: { name: 'Winnow' },
      headOfStream: true,
      selfUrl: STREAMS,
      links: [{ uri: `${STREAMS}/head/backward/20`, relation: 'first', type: null }],
      entries: []
    }),
    304: nothing('Not changed since the ETag that was sent.'),
    400: text('A wrong number or count.', "'x' is not valid event number"),
    404: nothing('No such stream, or no events in it.'),
    406: json('StreamMetadata', 'Only JSON is served.', {
      title: 'No type in the header Accept is supported',
      supported: [JSON_TYPE]
    })
  }
});

const refusal = (words: string) => json('Refusal', "A refusal in the server's words.", words);
/** What any call of auto-scavenge may answer. */
const autoScavenge = (
  answers: Readonly<Record<number, DescribedContent>>
): DescribedOperation['answers'] => ({
  ...answers,
  503: problem(503, 'Service Unavailable', 'Auto-scavenge is not enabled: there is no licence for it.')
});
const notJson = nothing('The body is not JSON.');
const BACKUP_SCHEDULE: ServiceAnswer<'BackupSchedule'> = {
  dataDirectory: '/var/lib/kurrentdb',
  target: '/mnt/backups',
  schedule: {
    expression: '0 1 * * *',
    words: 'At 01:00',
    timeZone: 'Europe/Berlin',
    compress: true,
    retention: { last: 0, daily: 7, weekly: 4, monthly: 0 },
    next: ['2026-11-26T00:00:00.000Z'],
    waiting: null,
    last: null
  }
};

/** By the id of the operation. */
export const DESCRIBED_OPERATIONS: Readonly<Record<string, DescribedOperation>> = {
  readHealth: { answers: { 204: nothing('It is up.') } },
  readInfo: {
    answers: {
      200: json('Info', 'Name and version.', {
        winnowVersion: '0.2.0',
        state: 'maintenance',
        features: { projections: false, userManagement: false, atomPub: false },
        authentication: { type: 'internal', properties: [] }
      })
    }
  },
  readMetrics: {
    answers: { 200: text('Metrics in the Prometheus format.', 'winnow_log_bytes{node="node1"} 2098673\n') }
  },
  readDescription: {
    answers: { 200: { description: 'This document.', content: { type: JSON_TYPE, example: {} } } }
  },
  ping: {
    answers: { 200: json('Ping', 'It answers.', { text: 'Ping request successfully handled' }) }
  },
  readGossip: {
    answers: {
      200: json('Gossip', 'The hosted directory as the only member.', {
        members: [
          {
            instanceId: 'b67862a3-f564-4a30-87a4-d065333abda4',
            timeStamp: '2026-11-25T03:22:42.048Z',
            state: 'Unknown',
            isAlive: true,
            httpEndPointIp: '127.0.0.1',
            httpEndPointPort: 2113,
            writerCheckpoint: 2098673,
            chaserCheckpoint: 2098673,
            epochPosition: 1678179,
            epochNumber: 4,
            epochId: '71e19d2f-a23c-42ed-8182-2003eb827b4a'
          }
        ],
        serverIp: '127.0.0.1',
        serverPort: 2113
      })
    }
  },
  readStatistics: {
    answers: {
      200: json('Statistics', 'Levels by name.', { es: { checksum: 2098673 } }),
      400: text('A part needs grouping.', 'Dynamic stats selection works only with grouping enabled')
    }
  },
  readPartOfStatistics: {
    answers: {
      200: json('Statistics', 'A number, a text, or the levels below.', 2098673),
      400: text('A part needs grouping.', 'Dynamic stats selection works only with grouping enabled'),
      404: nothing('No such part.')
    }
  },
  readSettings: {
    answers: {
      200: json('Settings', 'Without the values of secrets.', [
        {
          name: 'Db',
          description: 'Data directory of the node.',
          value: '/var/lib/kurrentdb',
          configurationSource: 'Command Line',
          deprecationMessage: null,
          schema: { type: 'string' }
        }
      ])
    }
  },
  resignNode: {
    answers: {
      400: text(
        'Always: no server runs.',
        'No server runs on this directory: there is no leadership to resign from.'
      )
    }
  },
  mergeIndexes: {
    answers: { 400: text('Always: no server runs.', 'No server runs on this directory.') }
  },
  startScavenge: {
    answers: {
      200: started('X-Scavenge-Id', 'scavenge'),
      400: text('A wrong value, or one is running already.', 'Scavenge is already running'),
      500: text('The directory cannot be scavenged as it is.', 'The log is damaged.')
    }
  },
  currentScavenge: {
    answers: {
      200: json('CurrentScavenge', 'Empty strings: nothing runs.', { scavengeId: SCAVENGE, scavengeLink })
    }
  },
  lastScavenge: {
    answers: {
      200: json('LastScavenge', 'The last one since the service started.', {
        ...{ scavengeId: SCAVENGE, scavengeLink },
        scavengeResult: 'Success'
      })
    }
  },
  stopScavenge: stopped(SCAVENGE),
  stopCurrentScavenge: stopped(SCAVENGE),
  stopLastScavenge: stopped(SCAVENGE),
  ...runAnswers(
    'verify',
    'verification',
    json('LastVerification', 'With the report of `winnow verify --json`.', {
      ...ofRun('verify'),
      report: {
        ok: true,
        findings: [],
        checked: { files: 12, bytes: 2883584, records: 9959, indexEntries: 8960 },
        notChecked: []
      }
    })
  ),
  ...runAnswers(
    'rescue',
    'rescue',
    json('LastRescue', 'With the report of `winnow rescue --json`.', stillGoing('rescue'))
  ),
  ...runAnswers(
    'rebuild',
    'rebuild of the index',
    json('LastRebuild', 'With the report of `winnow index rebuild --json`.', stillGoing('rebuild'))
  ),
  ...runAnswers(
    'diff',
    'comparison',
    json('LastComparison', 'With the report of `winnow diff --json`.', stillGoing('diff'))
  ),
  ...runAnswers(
    'plan',
    'plan',
    json('LastPlan', 'With the report of `winnow plan --json`.', stillGoing('plan'))
  ),
  ...runAnswers(
    'projections',
    'price of projections',
    json('LastPrice', 'With the report of `winnow projections --json`.', stillGoing('projections'))
  ),
  ...runAnswers(
    'startup',
    'forecast',
    json('LastStartup', 'With the report of `winnow startup --json`.', stillGoing('startup'))
  ),
  ...runAnswers(
    'fleet',
    'look at the fleet',
    json('LastFleet', 'With the report of `winnow fleet --json`.', stillGoing('fleet'))
  ),
  readForecast: {
    answers: {
      200: json('Forecast', 'As `winnow forecast --json` prints it; `unknown` says why nothing is known.', {
        ...{ fullAt: null, fullAtAfterScavenges: null, bytesPerDay: null, byCategory: [] },
        ...{ unknown: 'notRead', freeBytes: 52_428_800_000, indexFreeBytes: null, growth: null },
        ...{
          freedNowBytes: null,
          full: { withoutScavenges: null, withScavenges: null },
          curve: [],
          warnings: []
        }
      }),
      400: text('A parameter is wrong.', 'days must be a whole number from 1 to 365.'),
      503: text('A scavenge runs.', 'A scavenge runs; ask again when it has ended.')
    }
  },
  readCoverage: {
    answers: {
      200: json('Coverage', 'The member `coverage` of `winnow inspect --json`.', null),
      503: text('A scavenge runs.', 'A scavenge runs; ask again when it has ended.')
    }
  },
  followScavenge: {
    answers: {
      200: {
        description:
          'Server-sent events: `started`, `progress` (the schema ScavengeProgress), `ended`, `idle`.',
        content: {
          type: 'text/event-stream',
          example: `event: started\ndata: {"scavengeId":"${SCAVENGE}"}\n\n`
        }
      },
      503: nothing('Too many follow at once; Retry-After says when to try again.')
    }
  },
  holdScavenge: {
    answers: {
      200: json('Hold', 'The scavenge is paused.', { scavengeId: SCAVENGE, expiresInSeconds: 60 }),
      400: text('A wrong id.', 'id must be a GUID'),
      404: text('Nothing to pause.', 'No scavenge is running'),
      429: text('Others hold it as well.', 'Too many pauses at once.')
    }
  },
  releaseScavenge: {
    answers: {
      200: nothing('The pause has ended.'),
      400: text('A wrong id.', 'id must be a GUID'),
      404: text('Nothing to end.', 'No such pause')
    }
  },
  readStream: feed('The newest 20 events.'),
  readEventsBackward: feed('Events, the newest first.'),
  readEventsForward: feed('Events, the newest first.'),
  readEventsOfScavenge: feed('Events, the newest first.'),
  readStreamMetadata: {
    answers: {
      ...feed('').answers,
      200: json('StreamMetadata', 'Metadata of the stream.', { $maxAge: 2592000 })
    }
  },
  readEvent: {
    answers: { ...feed('').answers, 200: json('Event', 'Data of the event.', { result: 'Success' }) }
  },
  readAutoScavengeEnabled: {
    answers: { 200: json('Enabled', 'Whether cycles may begin.', { enabled: true }) }
  },
  readAutoScavengeStatus: {
    answers: autoScavenge({
      200: json('AutoScavengeStatus', 'State and schedule.', {
        state: 'Waiting',
        schedule: '0 3 * * *',
        timeUntilNextCycle: '23:37:17.8610000',
        quietHours: { from: '04:00', to: '02:00', days: [0, 1, 2, 3, 4, 5, 6], isNow: false },
        pausedBy: null
      })
    })
  },
  pauseAutoScavenge: {
    answers: autoScavenge({
      200: json('Done', 'It is paused.', {}),
      202: nothing('A running scavenge is still stopping.')
    })
  },
  resumeAutoScavenge: {
    answers: autoScavenge({
      200: json('Done', 'It goes on.', {}),
      400: refusal('Auto scavenge process is currently pausing')
    })
  },
  skipNextCycle: {
    answers: autoScavenge({
      200: json('SkippedCycle', 'The cycle that will not begin.', { skipped: '2026-11-26T03:00:00+00:00' }),
      400: refusal('There is no next cycle')
    })
  },
  configureAutoScavenge: {
    body: body('Schedule', { schedule: '0 3 * * 0', timeZone: 'Europe/Berlin' }),
    answers: autoScavenge({
      200: json('Done', 'The schedule is set.', {}),
      400: refusal('Invalid CRON expression'),
      415: notJson
    })
  },
  startCycle: {
    body: body('CycleOptions', { threshold: 10, scavengePoint: 'detached' }),
    answers: autoScavenge({
      200: json('StartedCycle', 'It has begun.', {
        clusterScavengeId: 'c3eaf8eb-1731-4e53-993c-9c6d9ac79090'
      }),
      400: refusal('A cluster scavenge is in progress')
    })
  },
  setQuietHours: {
    body: body('QuietHours', { from: '08:00', to: '20:00', days: [1, 2, 3, 4, 5] }),
    answers: autoScavenge({
      200: json('Done', 'They are set.', {}),
      400: refusal('Invalid quiet hours'),
      415: notJson
    })
  },
  readBackupSchedule: {
    answers: { 200: json('BackupSchedule', 'null: none is set.', BACKUP_SCHEDULE) }
  },
  setBackupSchedule: {
    body: body('NewBackupSchedule', {
      expression: '0 1 * * *',
      timeZone: 'Europe/Berlin',
      compress: true,
      retention: { daily: 7 }
    }),
    answers: {
      200: json('BackupSchedule', 'As it is now.', BACKUP_SCHEDULE),
      400: problem(400, 'Bad Request', 'expression: it has 4 fields, and a schedule has 5.'),
      409: problem(409, 'Conflict', 'The node has no place for its backups yet.'),
      415: problem(415, 'Unsupported Media Type', 'The body must be JSON.')
    }
  },
  removeBackupSchedule: { answers: { 204: nothing('There is none any more.') } }
};
