/**
 * One case: a base, one to three things in it changed with checksums that fit, asked everything that reads, and then
 * scavenged. Judged: every error is one of the engine's that names its place; answers are those of the base or
 * verification tells of damage (campaign.ts); a reader that shares no line with the engine sees after the scavenge what it
 * saw before, whether that ended well or not; and nothing has changed outside of the database.
 *
 * Two things are told and not judged, for the server does the same: an index table that lies about a number, under a hash that
 * fits, or names a record that is no event any more, leads a scavenge astray (verification tells; a scavenge does not verify); and metadata whose record is
 * not flagged as JSON or as data counts for a scavenge and not for a reader.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { CRASH_TIME } from '../../support/crash-database.ts';
import { filesOf } from '../../support/files-of.ts';
import { readLog } from '../../support/independent/read-log.ts';
import { requireSeen, seenEvents, type SeenEvents } from '../../support/independent/seen-events.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { judge, truthOf } from '../campaign.ts';
import { mountFiles, type FileRole, type Files } from '../database-image.ts';
import { examineDatabase, wrongWith } from '../examine-database.ts';
import { placeState, scavengeOf, withRealState, type StructuredBase } from './structured-bases.ts';
import { changeState } from './state-mutations.ts';
import { STRUCTURES, type Structure } from './structured-mutations.ts';

export interface StructuredCase {
  seed: number;
  number: number;
  bases: readonly StructuredBase[];
  /** A real directory; the case makes one of its own in it and removes that. */
  root: string;
}

export interface StructuredResult {
  base: string;
  structure: Structure | 'scavenge state';
  steps: string[];
  /** What became of the scavenge: a result, the code of an error, or that it was not asked for. */
  scavenge: string;
  /** A reader of its own could read the database before, so that the scavenge was judged by it. */
  isJudged: boolean;
  faults: string[];
}

const NOW = ticksFromIso(CRASH_TIME)!;
/** Share of the cases in which the answers of readers are looked at, and in which a scavenge runs. */
const EXAMINED = 0.6;
const SCAVENGED = 0.6;
/** Of the questions that are not always asked. */
const ASKED = 0.25;
const ALWAYS = /^(verification|listRecords \{\}|readStream )/;
/** What may make an index lie: its tables, or the records that it names. */
const BESIDE_THE_INDEX = new Set<string>(['table entries', 'record fields']);
/** Bits of a record whose metadata readers mind: data, JSON. */
const READ_AS_METADATA = 0x0101;
const STATE_SHARE = 0.15;
const TRIES = 12;
const NEIGHBOUR = 'outside/letter';

export async function runStructuredCase({
  seed,
  number,
  bases,
  root
}: StructuredCase): Promise<StructuredResult> {
  const prng = new Prng(seed * 1_000_003 + number);
  const withState = bases.filter(({ state }) => state !== undefined);
  const isOfState = prng.chance(STATE_SHARE);
  const base = prng.pick(isOfState ? withState : bases);
  const dataDirectory = path.join(root, `${seed}-${number}`, 'db');
  const result: StructuredResult = {
    base: base.image.name,
    structure: 'scavenge state',
    steps: [],
    scavenge: 'not asked for',
    isJudged: false,
    faults: []
  };
  try {
    const stateFile = placeState(dataDirectory, base.state);
    let files: Files = new Map(base.image.files);
    if (isOfState) result.steps = changeState(stateFile, prng);
    else {
      const changed = changeFiles(base, prng);
      result.structure = changed.structure;
      result.steps = changed.steps;
      files = changed.files;
      if (prng.chance(EXAMINED)) await examine(base, { files, dataDirectory, prng, result });
    }
    if (isOfState || prng.chance(SCAVENGED)) await scavenge(base, { files, dataDirectory, result });
  } finally {
    fs.rmSync(path.dirname(dataDirectory), { recursive: true, force: true });
  }
  return result;
}

function changeFiles(
  base: StructuredBase,
  prng: Prng
): { structure: Structure; steps: string[]; files: Files } {
  const { image } = base;
  for (;;) {
    const structure = prng.pick(Object.keys(STRUCTURES) as Structure[]);
    const files: Files = new Map(image.files);
    const steps: string[] = [];
    const count = prng.chance(0.8) ? 1 : prng.between({ low: 2, high: 3 });
    // The first files that are looked into may have nothing of the kind.
    for (let tries = 0; steps.length < count && tries < TRIES; tries++) {
      const step = STRUCTURES[structure](files, prng, image);
      if (step !== undefined) steps.push(step);
    }
    if (steps.length > 0) return { structure, steps, files };
  }
}

interface Work {
  files: Files;
  dataDirectory: string;
  result: StructuredResult;
}

async function examine(
  { image }: StructuredBase,
  { files, dataDirectory, prng, result }: Work & { prng: Prng }
): Promise<void> {
  const truth = await truthOf(image);
  const streams = prng.shuffled(truth.streamNames).slice(0, 2);
  const skips = (what: string): boolean => !ALWAYS.test(what) && !prng.chance(ASKED);
  const fileSystem = mountFiles(files, dataDirectory);
  const found = await examineDatabase({ fileSystem, dataDirectory, streams, skips });
  const touched = new Map<string, FileRole>();
  for (const [file, bytes] of files) {
    const before = image.files.get(file);
    if (!before || Buffer.compare(before, bytes) !== 0) touched.set(file, image.roles.get(file) ?? 'other');
  }
  const mutation = { files, steps: result.steps, touched, isResealed: true };
  result.faults.push(...found.violations, ...judge(image, mutation, truth, found));
}

async function scavenge(base: StructuredBase, { files, dataDirectory, result }: Work): Promise<void> {
  const memory = mountFiles(files, dataDirectory);
  const outside = path.join(path.dirname(dataDirectory), NEIGHBOUR);
  memory.makeDirectory(path.dirname(outside));
  memory.open(outside, 'createNew').close();
  const before = asSeen(memory, dataDirectory);
  result.isJudged = before !== undefined;
  try {
    const report = await scavengeOf(withRealState(memory, dataDirectory), dataDirectory, base.request);
    result.scavenge = report.result;
  } catch (error) {
    result.scavenge = error instanceof EngineError ? error.code : 'foreign';
    const wrong = wrongWith(error);
    if (wrong !== undefined) result.faults.push(`scavenge: ${wrong}`);
  }
  if (before) {
    try {
      // As of the same moment: the record that named it may be one that a scavenge removes.
      const after = seenEvents(filesOf(memory, dataDirectory), before.now);
      requireSeen(before, after, { mayGrow: (stream) => /^(\$\$)?\$scavenge/.test(stream) });
    } catch (error) {
      if (BESIDE_THE_INDEX.has(result.structure) && (await isIndexDamaged(files, dataDirectory)))
        result.scavenge += ' by an index that only verification knows to be wrong';
      else if (hasMetadataByFlags(files, dataDirectory, String(error)))
        result.scavenge += ' by metadata that only a scavenge minds';
      else if (hasTimesThatFall(files, dataDirectory, String(error)))
        result.scavenge += ' by times that go backward';
      else result.faults.push(`after the scavenge (${result.scavenge}): ${String(error)}`);
    }
  }
  const around = namesAround(memory, dataDirectory);
  if (around !== `db ${NEIGHBOUR.split('/')[0]}`) result.faults.push(`outside of the database: ${around}`);
  const real = fs.readdirSync(path.dirname(dataDirectory), { recursive: true, encoding: 'utf8' });
  const foreign = real.filter((name) => !/^db(\/index(\/scavenging(\.aside-\d+)?(\/.*)?)?)?$/.test(name));
  if (foreign.length > 0) result.faults.push(`outside of the state: ${foreign.join(', ')}`);
}

/** The stream that an error of requireSeen names. */
const streamIn = (error: string): string | undefined => /a reader of (.*) saw /.exec(error)?.[1];

/**
 * An event of the stream is older than one before it: what is certainly too old takes with it what lies before it and was not
 * certain, whatever its own time is, as it does for the server.
 */
function hasTimesThatFall(files: Files, dataDirectory: string, error: string): boolean {
  const stream = streamIn(error);
  const { records } = readLog(filesOf(mountFiles(files, dataDirectory), dataDirectory));
  const times = records.flatMap((record) =>
    record.kind === 'prepare' && record.stream === stream ? [record.ticks] : []
  );
  return times.some((ticks, i) => i > 0 && ticks < times[i - 1]!);
}

function hasMetadataByFlags(files: Files, dataDirectory: string, error: string): boolean {
  const stream = streamIn(error);
  const { records } = readLog(filesOf(mountFiles(files, dataDirectory), dataDirectory));
  return records.some(
    (record) =>
      record.kind === 'prepare' &&
      record.stream === `$$${stream}` &&
      (record.flags & READ_AS_METADATA) !== READ_AS_METADATA &&
      record.data.length > 0
  );
}

async function isIndexDamaged(files: Files, dataDirectory: string): Promise<boolean> {
  const database = openDatabase({ fileSystem: mountFiles(files, dataDirectory), dataDirectory });
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.some(({ severity, code }) => severity === 'damage' && /^(index|table)/.test(code));
  } finally {
    database.close();
  }
}

/** undefined: it can make nothing of the database, as little as the engine may. */
function asSeen(memory: MemoryFileSystem, dataDirectory: string): SeenEvents | undefined {
  try {
    const seen = seenEvents(filesOf(memory, dataDirectory), NOW);
    for (const name of seen.names) seen.of(name);
    return seen;
  } catch {
    return undefined;
  }
}

function namesAround(memory: MemoryFileSystem, dataDirectory: string): string {
  return (memory.list(path.dirname(dataDirectory)) ?? [])
    .map(({ name }) => name)
    .sort()
    .join(' ');
}
