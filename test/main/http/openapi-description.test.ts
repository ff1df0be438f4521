/** The OpenAPI description: current, valid, complete, its examples true; the answers are compared by every test that asks. */
import fs from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type {
  AutoScavengeStatus,
  BackupSchedule,
  LastRun,
  NewBackupSchedule,
  QuietHours,
  VerifyReport
} from '../../../src-main/client/winnow-client.ts';
import type { ServiceAnswer } from '../../../src-main/contract/answers/answer-schemas.ts';
import { DESCRIBED_OPERATIONS } from '../../../src-main/http/described-operations.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { DESCRIPTION_FILE, faultsOf, faultsOfAnswer, published } from './described-answer.ts';
import { ask, startServer, type RunningServer } from './running-server.ts';

const operations = Object.entries(published.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ url, method, ...operation }))
);

describe('the description', () => {
  let directory: string;
  let service: RunningServer;
  beforeAll(async () => {
    directory = temporaryDirectory();
    const database = path.join(directory, 'db');
    await runWinnow(['sample', database, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
    service = await startServer({ home: path.join(directory, 'home'), words: [database, '--single-node'] });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  it('is published as the service answers it (npx node scripts/make-openapi.mjs writes it)', async () => {
    const { text } = await ask(service, 'GET /openapi.json', { as: 'nobody' });
    expect(`${text}\n`).toBe(fs.readFileSync(DESCRIPTION_FILE, 'utf8'));
  });

  it('describes what the service answers to each reading operation', async () => {
    const reading = operations.filter(
      ({ url, method, operationId }) =>
        method === 'get' && !url.includes('{') && operationId !== 'followScavenge'
    );
    expect(reading.length).toBeGreaterThan(15);
    for (const { url } of reading) {
      const what = `GET ${url}`;
      expect(faultsOfAnswer(what, await ask(service, what))).toEqual([]);
    }
  });
});

it('is valid OpenAPI', async () => {
  expect(await new Validator().validate(fs.readFileSync(DESCRIPTION_FILE, 'utf8'))).toEqual({ valid: true });
});

it('has a name of its own for each operation, and answers for each', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.sort()).toEqual(Object.keys(DESCRIBED_OPERATIONS).sort());
});

it('has examples that are as the schemas say', () => {
  let examples = 0;
  for (const { operationId, responses, requestBody } of operations) {
    for (const { content } of [...Object.values(responses), ...(requestBody ? [requestBody] : [])]) {
      for (const { schema, example } of Object.values(content ?? {})) {
        if (schema?.$ref === undefined) continue;
        examples++;
        expect(faultsOf(schema.$ref, example), operationId).toEqual([]);
      }
    }
  }
  expect(examples).toBeGreaterThan(50);
});

it('finds an answer of another form', () => {
  const wrong = {
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: '{"id":1}'
  };
  expect(faultsOfAnswer('GET /admin/scavenge/current', wrong)).toHaveLength(1);
  expect(faultsOfAnswer('GET /ping', { ...wrong, status: 201 })).toHaveLength(1);
});

it('has the types of the client', () => {
  expectTypeOf<ServiceAnswer<'AutoScavengeStatus'>>().toExtend<AutoScavengeStatus>();
  expectTypeOf<ServiceAnswer<'BackupSchedule'>>().toExtend<BackupSchedule>();
  expectTypeOf<NewBackupSchedule>().toExtend<ServiceAnswer<'NewBackupSchedule'>>();
  expectTypeOf<QuietHours>().toExtend<ServiceAnswer<'QuietHours'>>();
  expectTypeOf<NonNullable<ServiceAnswer<'LastVerification'>['report']>>().toExtend<VerifyReport>();
  expectTypeOf<ServiceAnswer<'LastVerification'>['runResult']>().toEqualTypeOf<LastRun['result']>();
  expectTypeOf<ServiceAnswer<'LastScavenge'>['scavengeResult']>().toEqualTypeOf<LastRun['result']>();
});
