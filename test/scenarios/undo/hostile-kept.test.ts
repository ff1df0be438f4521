/**
 * What is kept, as somebody else may have written it: manifests and journals whose hash is right and whose content is not. Every
 * one of them is refused with a typed error and nothing is changed, or it is harmless; nothing outside of the directory is touched.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { expireKept, forgetKept } from '../../../src-core/replaced/forget-kept.ts';
import { keptUse } from '../../../src-core/replaced/kept-space.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { UNDO_MARKER } from '../../../src-core/storage/undo-marker.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedCount } from '../../support/seeds.ts';

const MANIFESTS = seedCount(150);
const JOURNALS = seedCount(150);
const DAY_MS = 86_400_000;
const fileSystem = new NodeFileSystem();
const root = temporaryDirectory();
const origin = join(root, 'origin');
let manifestFile: string;
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

beforeAll(async () => {
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: origin,
    sizeBytes: 200_000,
    chunkSizeBytes: 65_536,
    seed: 3,
    now: ticksFromIso('2025-12-31T00:00:00Z')!,
    control: uncontrolled()
  });
  const request = scavengeRequest(origin, {
    scavengePoint: 'new',
    singleNode: true,
    now: '2026-01-01T00:00:00Z',
    keepReplacedMs: 7 * DAY_MS
  });
  await runScavenge(request, scavengeEnvironment());
  const [id] = readdirSync(join(origin, 'winnow-replaced')).filter((name) => /^\d/.test(name));
  const folder = join('winnow-replaced', id!);
  manifestFile = join(
    folder,
    readdirSync(join(origin, folder)).find((name) => name.endsWith('.json'))!
  );
});

/** Every value of a document, with a way to put another in its place. */
function placesIn(
  content: Json,
  put: (value: Json) => void,
  found: ((value: Json) => void)[] = []
): typeof found {
  found.push(put);
  if (Array.isArray(content))
    content.forEach((value, at) => placesIn(value, (other) => (content[at] = other), found));
  else if (content !== null && typeof content === 'object') {
    for (const [name, value] of Object.entries(content))
      placesIn(value, (other) => (content[name] = other), found);
  }
  return found;
}

const NASTY: readonly Json[] = [
  null,
  true,
  -1,
  0,
  2 ** 53,
  1e300,
  '',
  '..',
  '../outside/canary',
  '../../outside/canary',
  '/etc/passwd',
  'chunk-000000.000000',
  'chunk-999999.000000',
  'indexmap',
  'scavenging/../../outside/canary',
  'a\0b',
  'x'.repeat(70_000),
  [],
  [null],
  {},
  { area: 'data', name: '../outside/canary' },
  { area: 'index', name: 'scavenging/state.db', kind: 'state', bytes: 1, mode: 0o777, hash: null }
];

function checked(content: Json): string {
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${JSON.stringify({ sha256, content })}\n`;
}

/** The content with one to three values that do not belong there. */
function mutated(content: Json, random: Prng): Json {
  const document = { content };
  for (let i = 1 + random.below(3); i > 0; i--) {
    const places = placesIn(document.content, (value) => (document.content = value));
    random.pick(places)(structuredClone(random.pick(NASTY)));
  }
  return document.content;
}

function copyOf(name: string): { dataDirectory: string; canary: string } {
  const directory = join(root, name);
  cpSync(origin, join(directory, 'db'), { recursive: true });
  mkdirSync(join(directory, 'outside'));
  const canary = join(directory, 'outside', 'canary');
  writeFileSync(canary, 'untouched');
  return { dataDirectory: join(directory, 'db'), canary };
}

/** What a person may ask of it, one after the other; undefined: it went well. */
async function askEverything(dataDirectory: string): Promise<unknown[]> {
  const place = { fileSystem, dataDirectory, indexDirectory: join(dataDirectory, 'index') };
  const told: unknown[] = [];
  for (const ask of [
    () => keptUse(place),
    () => undoScavenge(place, { control: uncontrolled(), assumeStopped: false }),
    () => expireKept({ ...place, assumeStopped: false, now: ticksFromIso('2026-01-02T00:00:00Z')! }),
    () => forgetKept({ ...place, assumeStopped: false })
  ]) {
    try {
      await ask();
      told.push(undefined);
    } catch (error) {
      told.push(error);
    }
  }
  return told;
}

const isTyped = (error: unknown): boolean =>
  error === undefined || (error instanceof EngineError && error.code !== 'AssertionFailed');

const databaseOf = (dataDirectory: string) =>
  Object.fromEntries(
    Object.entries(directoryTree(dataDirectory)).filter(([name]) => !/^winnow-|\.lock$/.test(name))
  );

describe('what is kept, from a hostile hand', () => {
  it(`is refused or harmless, in ${MANIFESTS} manifests`, async () => {
    const content = (JSON.parse(readFileSync(join(origin, manifestFile), 'utf8')) as { content: Json })
      .content;
    const before = databaseOf(origin);
    let refused = 0;
    for (let seed = 0; seed < MANIFESTS; seed++) {
      const { dataDirectory, canary } = copyOf(`manifest-${seed}`);
      writeFileSync(
        join(dataDirectory, manifestFile),
        checked(mutated(structuredClone(content), new Prng(seed)))
      );
      const [use, undo, ...others] = await askEverything(dataDirectory);
      for (const error of [use, undo, ...others])
        expect(isTyped(error), `seed ${seed}: ${String(error)}`).toBe(true);
      expect(readFileSync(canary, 'utf8'), `seed ${seed}`).toBe('untouched');
      if (undo !== undefined) {
        refused++;
        expect(databaseOf(dataDirectory), `seed ${seed}`).toEqual(before);
      }
      rmSync(join(dataDirectory, '..'), { recursive: true });
    }
    expect(refused).toBeGreaterThan(MANIFESTS / 2);
  });

  it(`reaches nothing outside the directory, in ${JOURNALS} journals`, async () => {
    const { content } = JSON.parse(readFileSync(join(origin, manifestFile), 'utf8')) as {
      content: { id: string; checkpoints: Json; files: { area: string; name: string }[] };
    };
    const journal: Json = {
      formatVersion: 1,
      phase: 'putting',
      id: content.id,
      kind: 'exact',
      indexWithin: null,
      puts: content.files.slice(0, 3).map(({ area, name }) => ({ area, name, isCompleted: false })),
      removes: [{ area: 'data', name: 'chunk-000090.000000' }],
      removesExistence: false,
      removesDirectories: [],
      checkpoints: content.checkpoints,
      end: 1
    };
    let refused = 0;
    for (let seed = 0; seed < JOURNALS; seed++) {
      const { dataDirectory, canary } = copyOf(`journal-${seed}`);
      writeFileSync(
        join(dataDirectory, UNDO_MARKER),
        checked(mutated(structuredClone(journal), new Prng(1000 + seed)))
      );
      const told = await askEverything(dataDirectory);
      for (const error of told) expect(isTyped(error), `seed ${seed}: ${String(error)}`).toBe(true);
      expect(readFileSync(canary, 'utf8'), `seed ${seed}`).toBe('untouched');
      if (told[1] !== undefined) refused++;
      rmSync(join(dataDirectory, '..'), { recursive: true });
    }
    expect(refused).toBeGreaterThan(JOURNALS / 2);
  });
});
