/**
 * Nothing of a database leaves in its bundle: names, payloads, roles, ids, rules of unknown keys, bytes behind the end of the
 * log and of damaged records are marked, and every byte of the bundle is searched for each mark, in the forms in which a byte
 * may hide.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { Prng } from '../../support/prng.ts';
import { testingContext } from '../../support/testing-context.ts';

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-secrets-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

function context() {
  return testingContext('runBundle', { clock: () => Date.UTC(2026, 10, 23) });
}

function writeMarked(directory: string, marks: () => string, prng: Prng): void {
  const fileSystem = new NodeFileSystem();
  fs.mkdirSync(directory, { recursive: true });
  let made = 0;
  const newGuid = () => {
    const hex = Buffer.from(prng.bytes(16)).toString('hex');
    made++;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
  const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: 65_536, newGuid });
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => 639_000_000_000_000_000n + BigInt(writer.position),
    newGuid
  });
  appender.writeEpoch({ number: 0, epochId: newGuid(), leaderInstanceId: newGuid() });
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  for (let i = 0; i < 120; i++) {
    const stream = `${marks()}-${marks()}é${marks()}`;
    appender.append(stream, [
      { eventType: marks(), data: json({ [marks()]: marks() }) },
      { eventType: `$${marks()}`, data: Buffer.from(marks()), isJson: false },
      { eventType: '$>', data: Buffer.from(`${i}@${stream}`), isJson: false },
      { eventType: '$>', data: Buffer.from(marks()), isJson: false },
      { eventType: '$@', data: Buffer.from(stream), isJson: false }
    ]);
    appender.append(`$$${stream}`, [
      {
        eventType: '$metadata',
        data: json({
          $maxCount: 3,
          $acl: { $r: [marks(), '$admins'], $w: `$${marks()}` },
          [marks()]: { [marks()]: [marks()] }
        })
      }
    ]);
    appender.append(`$${marks()}-${marks()}`, [{ eventType: marks(), data: json([marks()]) }]);
    appender.append(`$ce-${marks()}`, [{ eventType: '$>', data: Buffer.from(`0@${stream}`), isJson: false }]);
    appender.append(`$projections-${marks()}-result`, [{ eventType: '$Result', data: json(marks()) }]);
    appender.append(`$scavenges-${marks()}`, [
      {
        eventType: '$scavengeCompleted',
        data: json({ nodeEndpoint: `${marks()}:2113`, error: marks(), result: marks(), [marks()]: marks() })
      }
    ]);
    appender.append('$settings', [{ eventType: '$settings', data: json({ [marks()]: marks() }) }]);
  }
  writer.close();
  expect(made).toBeGreaterThan(100);
}

function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(path.join(directory, entry.name)) : [path.join(directory, entry.name)]
    );
}

describe('no byte of a source', () => {
  it.each([
    ['with payloads of their length', false],
    ['with headers only', true]
  ])('is in a bundle, %s', async (_, headersOnly) => {
    const seed = headersOnly ? 12 : 11;
    const prng = new Prng(seed);
    const marks: string[] = [];
    const mark = (): string => {
      const text = `${Array.from({ length: 8 }, () => LETTERS[prng.below(LETTERS.length)]).join('')}`;
      marks.push(text);
      return text;
    };
    const source = path.join(root, mark());
    writeMarked(source, mark, prng);
    const scavenge = {
      dataDirectory: source,
      scavengePoint: 'new',
      singleNode: true,
      winnowHome: path.join(root, 'home')
    };
    await runReportOperation('runScavenge', requests.runScavenge.parse(scavenge), context());
    // Old bytes behind the end of the log, an older version, a temporary file, other files, a damaged record.
    const chunks = fs.readdirSync(source).filter((name) => name.startsWith('chunk-'));
    const last = path.join(source, chunks.sort().at(-1)!);
    fs.appendFileSync(last, Buffer.from(mark().repeat(20)));
    fs.writeFileSync(path.join(source, 'chunk-000001.000009.tmp'), mark());
    fs.writeFileSync(path.join(source, mark()), mark());
    fs.mkdirSync(path.join(source, 'index'), { recursive: true });
    fs.writeFileSync(path.join(source, 'index', mark()), mark());
    const first = path.join(source, chunks[0]!);
    fs.chmodSync(first, 0o644);
    const bytes = fs.readFileSync(first);
    bytes.write(mark() + mark(), 9_000, 'latin1');
    fs.writeFileSync(first, bytes);
    const configuration = path.join(root, 'node.yaml');
    fs.writeFileSync(
      configuration,
      `Db: ${source}\nClusterSize: 3\nDefaultAdminPassword: ${mark()}\nSomePlugin: ${mark()}\nGossipSeed: ${mark()}:2113 # ${mark()}\n`
    );

    const target = path.join(root, 'bundle');
    const request = requests.runBundle.parse({
      dataDirectory: source,
      to: target,
      headersOnly,
      configuration
    });
    await runReportOperation('runBundle', request, context());

    const state = path.join('index', 'scavenging', 'scavenging.db');
    expect(fs.statSync(path.join(target, state)).size).toBeGreaterThan(100_000);
    const found: string[] = [];
    for (const file of filesBelow(target)) {
      const content = fs.readFileSync(file);
      const inName = path.relative(target, file);
      for (const text of marks) {
        const part = text.slice(0, 6);
        const forms = [
          Buffer.from(part),
          Buffer.from(part, 'utf16le'),
          ...[0, 1, 2].map((shift) =>
            Buffer.from(
              Buffer.from('x'.repeat(shift) + text)
                .toString('base64')
                .slice(4, 10)
            )
          ),
          Buffer.from(Buffer.from(part).toString('hex'))
        ];
        if (inName.includes(part) || forms.some((form) => content.includes(form))) {
          found.push(`${part} in ${inName}`);
        }
      }
    }
    expect(found, `seed ${seed}`).toEqual([]);
    expect(fs.readFileSync(path.join(target, 'configuration.yaml'), 'utf8')).toContain('ClusterSize: 3');
    expect(fs.readFileSync(path.join(target, 'configuration.yaml'), 'utf8')).toContain(
      'DefaultAdminPassword: "***"'
    );
  });
});
