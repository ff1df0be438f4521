/**
 * A bundle is a database: it is opened, read whole, appended to and scavenged, and what a scavenge keeps of it are the same
 * records, at the same positions, as of its source.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  requests,
  type ReportOperation,
  type StreamOperation
} from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation, runStreamOperation } from '../../../src-main/operations/operation-table.ts';
import { testingContext } from '../../support/testing-context.ts';

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-bundle-use-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function contextOf(operation: ReportOperation | StreamOperation) {
  return testingContext(operation, { clock: () => Date.UTC(2026, 10, 23) });
}

async function ask<N extends ReportOperation>(name: N, dataDirectory: string, more: object = {}) {
  const request = requests[name].parse({ dataDirectory, ...more });
  return runReportOperation(name, request, contextOf(name));
}

async function positionsOf(dataDirectory: string): Promise<string[]> {
  const found: string[] = [];
  const request = requests.listRecords.parse({ dataDirectory });
  for await (const batch of runStreamOperation('listRecords', request, contextOf('listRecords'))) {
    for (const row of batch) {
      if (!('skipped' in row)) found.push(`${row.kind} ${JSON.stringify([row.position, row.length])}`);
    }
  }
  return found;
}

describe.each([
  ['with payloads of their length', false],
  ['with headers only', true]
])('a bundle %s', (_, headersOnly) => {
  it.each([1, 2])(
    'is scavenged as its source, after a point was appended to both (seed %i)',
    async (seed) => {
      const source = path.join(root, 'source');
      const bundle = path.join(root, 'bundle');
      await ask('writeSample', source, {
        sizeBytes: 2_000_000,
        chunkSizeBytes: 262_144,
        seed,
        now: '2026-11-20T00:00:00Z'
      });
      await ask('runBundle', source, { to: bundle, headersOnly });
      expect(await positionsOf(bundle)).toEqual(await positionsOf(source));

      const results = [];
      for (const directory of [source, bundle]) {
        const result = await ask('runScavenge', directory, {
          scavengePoint: 'new',
          singleNode: true,
          now: '2026-11-22T00:00:00Z',
          winnowHome: path.join(root, `home of ${path.basename(directory)}`)
        });
        expect(result.result).toBe('success');
        expect(result.recordsDiscarded).toBeGreaterThan(1000);
        results.push([
          result.recordsDiscarded,
          result.indexEntriesDiscarded,
          result.bytesAfter,
          result.chunks.map(({ decision, recordsDiscarded }) => [decision, recordsDiscarded])
        ]);
        const verified = await ask('verifyDatabase', directory, { quick: false, threads: 1 });
        expect(verified.findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
      }
      expect(results[1]).toEqual(results[0]);
      const names = ({ length }: string[], kept: string[]) => [length, kept];
      const kept = await positionsOf(source);
      expect(names(kept, await positionsOf(bundle))).toEqual(names(kept, kept));
    }
  );
});
