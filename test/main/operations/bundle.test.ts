/**
 * A bundle answers as its source: databases of real servers, damaged ones, and what Winnow says of both, with the names of
 * the source put through the key.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NameMap, NodeFileSystem, readBundleKey } from '../../../src-core/index.ts';
import {
  bundleReport,
  type BundleReport
} from '../../../src-main/contract/operations/bundle/bundle-reports.ts';
import {
  requests,
  type OperationName,
  type ReportOperation,
  type StreamOperation
} from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation, runStreamOperation } from '../../../src-main/operations/operation-table.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let root = '';
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-bundles-'));
});
afterEach(removeUnpacked);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function contextOf(operation: OperationName) {
  return testingContext(operation, { clock: () => Date.UTC(2026, 10, 23) });
}

async function ask(name: ReportOperation, dataDirectory: string, more: object): Promise<unknown> {
  const request = requests[name].parse({ dataDirectory, ...more });
  return runReportOperation(name, request, contextOf(name));
}

async function rows(name: StreamOperation, dataDirectory: string, more: object): Promise<unknown[]> {
  const found: unknown[] = [];
  const request = requests[name].parse({ dataDirectory, ...more });
  for await (const batch of runStreamOperation(name, request, contextOf(name))) found.push(...batch);
  return found;
}

interface Made {
  target: string;
  report: BundleReport;
  names: NameMap;
}

async function bundle(dataDirectory: string, more: object = {}): Promise<Made> {
  const target = path.join(fs.mkdtempSync(path.join(root, 'b-')), 'bundle');
  const report = bundleReport.parse(await ask('runBundle', dataDirectory, { to: target, ...more }));
  const key = readBundleKey(new NodeFileSystem(), { directory: path.dirname(target), name: 'bundle.key' });
  return { target, report, names: new NameMap(key!) };
}

/** Members that are of a directory, a moment or the bytes of a file. */
const OF_THE_COPY = new Set([
  'dataDirectory',
  'indexDirectory',
  'message',
  'because',
  'words',
  'planId',
  'md5',
  'hash',
  'minHash',
  'maxHash',
  'eventId',
  'dataSha256',
  'metadataSha256',
  'elapsedMs',
  'checkedAt',
  'command',
  'remedy',
  'modifiedMs',
  'estimatedMs',
  'node',
  'nodeEndpoint',
  'directory',
  'lastScavenged',
  // Texts of errors may hold names: a bundle has their length.
  'error',
  'serverSays',
  'freeBytes',
  'correlationId'
]);

/** The state of a bundle is written afresh: whole, without a journal, and as long as it is. */
function isOfJournal(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'code' in item && item.code === 'stateJournal';
}

/** `map`: of a name of the source; undefined for what is the bundle's. */
function comparable(value: unknown, names: NameMap | undefined, member = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isOfJournal(item)).map((item) => comparable(item, names, member));
    const keyed = items.map((item) => ({ item, text: JSON.stringify(item) }));
    return keyed.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ item }) => item);
  }
  if (typeof value === 'object' && value !== null) {
    // Entries of a table lie in the order of hashes, which are others.
    const isOfTable = 'file' in value && typeof value.file === 'string' && /^[0-9a-f]{8}-/.test(value.file);
    // Where a wrong map of positions leads into the middle of a record, other bytes stand there.
    const isOfPayload = 'code' in value && value.code === 'recordInvalid';
    const hasOffset = !isOfTable && !isOfPayload;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !OF_THE_COPY.has(name) && (name !== 'offset' || hasOffset))
        .filter(([name, item]) => name !== 'state' || typeof item !== 'number')
        .map(([name, item]) => [name, comparable(item, names, name)])
    );
  }
  // Sentences tell checksums, which are those of other bytes.
  if (typeof value === 'string' && member === 'why') return value.replaceAll(/\b[0-9a-f]{32}\b/g, 'checksum');
  if (typeof value !== 'string' || !names) return value;
  if (member === 'stream') return names.stream(value);
  if (member === 'eventType') return names.eventType(value);
  if (/^\$(?:r|w|d|mr|mw)$/.test(member)) return names.role(value);
  return value;
}

const withNames = (map: (name: string) => string) => (report: unknown) => {
  const { items, ...others } = report as { items: { name: string }[] };
  return {
    ...others,
    items: items.map((item) => ({ ...item, name: item.name.startsWith('(') ? item.name : map(item.name) }))
  };
};

/** System streams of many kinds have one category; what comes before the first dash of any of them is that of all. */
function categoryOf(names: NameMap, category: string): string {
  if (SYSTEM_CATEGORIES.has(category)) return category;
  return names.stream(category);
}
const SYSTEM_CATEGORIES = new Set([
  '$epoch',
  '$projections',
  '$scavenges',
  '$stats',
  '$user',
  '$ce',
  '$et',
  '$bc',
  '$category',
  '$persistentsubscription',
  '$mem'
]);

const looks: [ReportOperation, object, ((names: NameMap) => (report: unknown) => unknown)?][] = [
  ['inspectDatabase', {}],
  ['listChunks', {}],
  ['listChunks', { weights: true }],
  ['inspectIndex', {}],
  ['verifyDatabase', { quick: false, threads: 1 }],
  ['examineStart', { thorough: true }],
  ['planScavenge', { scavengePoint: 'existing' }],
  ['planScavenge', { scavengePoint: 'existing', startAfresh: true }],
  ['planScavenge', { scavengePoint: 'detached', startAfresh: true }],
  ['planScavenge', { scavengePoint: 'detached', startAfresh: true, threshold: 3 }],
  ['listHistory', {}],
  ['readUsage', { by: 'stream', top: 100_000 }, (names) => withNames((name) => names.stream(name))],
  ['readUsage', { by: 'category', top: 100_000 }, (names) => withNames((name) => categoryOf(names, name))],
  ['readUsage', { by: 'type', top: 100_000 }, (names) => withNames((name) => names.eventType(name))],
  ['readUsage', { by: 'link', top: 100_000 }]
];

async function answer(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return { failed: (error as { code?: string }).code };
  }
}

/** Where a bundle has no state of scavenges although its source has one, the source is asked without it. */
async function expectSameAnswers(source: string, { target, names, report }: Made): Promise<void> {
  const state = path.join('index', 'scavenging', 'scavenging.db');
  const isLeftOut = report.leftOut.some(({ file }) => file === 'index/scavenging/scavenging.db');
  expect(fs.existsSync(path.join(target, state))).toBe(fs.existsSync(path.join(source, state)) && !isLeftOut);
  if (isLeftOut) fs.rmSync(path.join(source, 'index', 'scavenging'), { recursive: true, force: true });
  const homeOf = (side: string) => ({
    winnowHome: path.join(root, 'home', side, path.basename(path.dirname(target)))
  });
  for (const [name, more, renamed] of looks) {
    const what = `${name} ${JSON.stringify(more)}`;
    const of = await answer(() => ask(name, source, { ...homeOf('source'), ...more }));
    const to = await answer(() => ask(name, target, { ...homeOf('bundle'), ...more }));
    const isRenamed = renamed && !('failed' in (of as object));
    const wanted = comparable(isRenamed ? renamed(names)(of) : of, names);
    expect.soft(comparable(to, undefined), what).toEqual(wanted);
  }
  for (const [name, more] of [
    ['listStreams', { now: '2026-11-23T00:00:00Z' }],
    ['listRecords', {}],
    ['listIndexEntries', {}]
  ] as [StreamOperation, object][]) {
    const of = await answer(() => rows(name, source, more));
    const to = await answer(() => rows(name, target, more));
    expect.soft(comparable(to, undefined), name).toEqual(comparable(of, names));
  }
}

/** All of them with the variable set, to "headers" with headers only; a few of each kind otherwise. */
const wanted = process.env['WINNOW_ALL_BUNDLES'];
const isAll = wanted === '1' || wanted === 'headers';
const form = { headersOnly: wanted === 'headers' };
const plain = goldenNames().filter((name) => !/^(?:damaged|truncate)-/.test(name));
const STORIES: (readonly [string, string])[] = isAll
  ? plain.flatMap((name) => goldenFolders(name).map((folder) => [name, folder] as const))
  : [
      ['current-a', 'after'],
      ['old-v0', 'before'],
      ['old-posmap', 'before'],
      ['rules-odd', 'before'],
      ['transactions', 'after-t0'],
      ['killed-clean', 'at-kill']
    ];
const damaged = goldenNames().filter((name) => name.startsWith('damaged-'));
const DAMAGES = isAll
  ? damaged
  : damaged.filter((name) => /record-data-byte|footer-md5|missing-middle|ptable-entry|writer-mid/.test(name));
const truncated = goldenNames().filter((name) => name.startsWith('truncate-'));
const TRUNCATIONS = isAll ? truncated : truncated.filter((name) => /middle-of-log/.test(name));

describe('a bundle answers as its source', () => {
  for (const [name, folder] of STORIES) {
    it(`${name}/${folder}`, async () => {
      const source = unpackDatabase({ name, folder });
      await expectSameAnswers(source, await bundle(source, form));
    });
  }
  it('rules-odd/after-t0, with headers only', async () => {
    const source = unpackDatabase({ name: 'rules-odd', folder: 'after-t0' });
    await expectSameAnswers(source, await bundle(source, { headersOnly: true }));
  });
  for (const name of DAMAGES) {
    it(name, async () => {
      const source = unpackDamaged(name);
      await expectSameAnswers(source, await bundle(source, form));
    });
  }
  for (const name of TRUNCATIONS) {
    it(name, async () => {
      const source = unpackTruncated(name);
      await expectSameAnswers(source, await bundle(source, { headersOnly: true }));
    });
  }
});
