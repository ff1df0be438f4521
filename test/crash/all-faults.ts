/**
 * What every operation that changes files is put through: cut at each call, in each way; cut again within the recovery; each
 * call that changes or flushes something, and some that read, failing with each word of the system. The counts are kept
 * (docs/proof.md).
 */
import { expect, it } from 'vitest';
import { enumerateCuts, type CutSubject } from '../support/cut-enumeration.ts';
import { enumerateFailures } from '../support/failure-enumeration.ts';
import {
  recordCuts,
  recordFailures,
  recordRecoveryCuts,
  sampledCalls,
  sampledFirstCuts
} from '../support/proof-record.ts';
import { enumerateRecoveryCuts } from '../support/recovery-cuts.ts';

export interface AllFaults<Content> {
  /** As docs/proof.md names it. */
  name: string;
  operation: string;
  /** Made for each part. */
  subject: () => CutSubject<Content> | Promise<CutSubject<Content>>;
  /** Fewer calls than this mean that somebody dropped a flush. */
  leastCalls: number;
  /** Only each n-th call in the tests; 0: not at all here. Default 1. */
  cutEvery?: number;
  /** Default 1, each call with one word of the system, once and for ever. */
  refuseEvery?: number;
  readEvery?: number;
  /** First cuts. */
  againEvery?: number;
}

const SEED = 7;

export function testAllFaults<Content>(faults: AllFaults<Content>): void {
  const { name, operation, leastCalls } = faults;
  const { cutEvery = 1, refuseEvery = 1, readEvery = 40, againEvery = 6 } = faults;

  if (cutEvery > 0) {
    it(`${name}: cut at any call`, async () => {
      const report = await enumerateCuts(await faults.subject(), sampledCalls(cutEvery));
      recordCuts(name, operation, report);
      expect(report.calls).toBeGreaterThanOrEqual(leastCalls);
    });
  }

  if (againEvery > 0) {
    it(`${name}: cut again within the recovery`, async () => {
      const choice = { ...sampledFirstCuts(againEvery), seed: SEED };
      recordRecoveryCuts(name, operation, await enumerateRecoveryCuts(await faults.subject(), choice));
    });
  }

  if (refuseEvery > 0) {
    it(`${name}: any call refused`, async () => {
      const choice = { oneCodeEach: true, ...sampledCalls(refuseEvery), seed: SEED };
      recordFailures(name, operation, await enumerateFailures(await faults.subject(), choice));
    });
  }

  if (readEvery > 0) {
    it(`${name}: reads refused`, async () => {
      const choice = { calls: 'reading', oneCodeEach: true, ...sampledCalls(readEvery), seed: SEED } as const;
      const report = await enumerateFailures(await faults.subject(), choice);
      recordFailures(`${name}, reading`, operation, report);
    });
  }
}
