/** Questions about little of a log ask what is known of its chunks, and answer the same as from the log itself. */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem, type FileSystem } from '../../../src-core/index.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { listRecords } from '../../../src-main/operations/records/list-records.ts';
import { readStream } from '../../../src-main/operations/streams/read-stream.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation, testingContext } from '../../support/testing-context.ts';
import { writeUneven } from '../../support/uneven-database.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-known-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

interface Asked {
  dataDirectory: string;
  winnowHome: string | undefined;
  fileSystem?: FileSystem;
}

type Question = (asked: Asked & { stream: string }) => Promise<unknown>;

function given({ dataDirectory, fileSystem = new NodeFileSystem() }: Asked) {
  return { dataDirectory, fileSystem };
}

async function collected<Row>(rows: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const batch of rows) all.push(...batch);
  return all;
}

/** What of them depends on the log or its index. */
const QUESTIONS: Record<string, Question> = {
  inspect: async (asked) => {
    const report = await runOperation('inspectDatabase', place(asked), given(asked));
    const { scavengePoints, nextScavenge, lastScavenged, lastScavengedFrom, warnings, epochs, index } =
      report;
    return { scavengePoints, nextScavenge, lastScavenged, lastScavengedFrom, warnings, epochs, index };
  },
  history: async (asked) => runOperation('listHistory', place(asked), given(asked)),
  index: async (asked) => runOperation('inspectIndex', place(asked), given(asked)),
  'look-up': async ({ stream, ...asked }) =>
    runOperation('lookUpStream', { ...place(asked), stream }, given(asked)),
  stream: async ({ stream, ...asked }) =>
    runOperation('describeStream', { ...place(asked), stream }, given(asked)),
  events: async ({ stream, ...asked }) =>
    runOperation('readEventsPage', { ...place(asked), stream, limit: 5 }, given(asked)),
  read: async ({ stream, ...asked }) => {
    const request = requests.readStream.parse({ ...place(asked), stream, limit: 5 });
    return collected(readStream(request, testingContext('readStream', given(asked))));
  },
  records: async ({ stream, ...asked }) => {
    const request = requests.listRecords.parse({ ...place(asked), stream });
    return collected(listRecords(request, testingContext('listRecords', given(asked))));
  },
  'filtered records': async ({ stream, ...asked }) => {
    const filter = `stream:"${stream}" stream:other kind:prepare`;
    return runOperation('searchRecords', { ...place(asked), filter }, given(asked));
  }
};

function place({ dataDirectory, winnowHome }: Asked) {
  return winnowHome === undefined ? { dataDirectory } : { dataDirectory, winnowHome };
}

/** A copy that no question was asked about yet: what the process keeps in memory belongs to a directory. */
function copyOf(dataDirectory: string, name: string): string {
  const copy = join(home, name, basename(dataDirectory));
  cpSync(dataDirectory, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

async function makeDigests(asked: Asked): Promise<void> {
  await runOperation('readStreamCategories', place(asked), given(asked));
}

/** The answer, or what is said instead of it; of both directories the same names. */
async function answerOf(question: Question, asked: Asked & { stream: string }): Promise<string> {
  const answer = await question(asked).catch((error: unknown) => String(error));
  return JSON.stringify(answer, null, 1).replaceAll(asked.dataDirectory, 'DB');
}

const databases = goldenNames()
  .filter((name) => !name.startsWith('damaged'))
  .flatMap((name) => goldenFolders(name).map((folder): [string, string] => [name, folder]));

describe('a question', () => {
  it.each(databases)('about %s/%s is answered as from its log', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (!readdirSync(dataDirectory).includes('writer.chk')) return;
    const [read, known] = [copyOf(dataDirectory, 'read'), copyOf(dataDirectory, 'known')];
    const winnowHome = join(home, 'winnow');
    await makeDigests({ dataDirectory: known, winnowHome });
    for (const stream of ['$scavenges', '$scavengePoints', 'count-3', 'order-1', 'nothing-like-it']) {
      for (const [of, question] of Object.entries(QUESTIONS)) {
        const wanted = await answerOf(question, { dataDirectory: read, winnowHome: undefined, stream });
        const told = await answerOf(question, { dataDirectory: known, winnowHome, stream });
        expect(told, `${of} of ${stream}`).toBe(wanted);
      }
    }
  });

  it.each(Object.keys(QUESTIONS))('(%s) reads hardly any of the chunks that are known', async (of) => {
    const question = QUESTIONS[of]!;
    const dataDirectory = await writeUneven(home);
    rmSync(join(dataDirectory, 'index'), { recursive: true });
    const known = copyOf(dataDirectory, 'known');
    const winnowHome = join(home, 'winnow');
    await makeDigests({ dataDirectory: known, winnowHome });
    const stream = 'after';
    const readOf = async (asked: Omit<Asked, 'fileSystem'>): Promise<number> => {
      const fileSystem = new CountingFileSystem(new NodeFileSystem());
      await question({ ...asked, stream, fileSystem });
      return [...fileSystem.bytesByPath]
        .filter(([path]) => basename(path).startsWith('chunk-'))
        .reduce((sum, [, bytes]) => sum + bytes, 0);
    };
    const all = await readOf({ dataDirectory, winnowHome: undefined });
    const chunks = readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-'));
    const completed = chunks.slice(0, -1).map((name) => statSync(join(dataDirectory, name)).size);
    // Some look for an epoch or statistics among the newest records as well.
    const spared = all - (await readOf({ dataDirectory: known, winnowHome }));
    expect(spared).toBeGreaterThan(0.8 * completed.reduce((sum, bytes) => sum + bytes, 0));
  });
});
