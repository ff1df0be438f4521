/**
 * Reads the JSON of our own files in a backup target, strictly: a manifest decides what is written over a database,
 * so anything that is not as written is refused, with the place in the document. Knows nothing of targets.
 */
import { EngineError } from '../errors.ts';
import { ticksFromIso } from '../units/ticks.ts';
import { isBackupId, isSafeName } from './backup-layout.ts';
import {
  MANIFEST_FORMAT,
  MANIFEST_VERSION,
  type Manifest,
  type ManifestCheckpoints,
  type ManifestChunk,
  type ManifestEpoch,
  type ManifestFile,
  type ManifestMember,
  type ManifestNode,
  type ManifestNote,
  type ManifestRewrite
} from './manifest.ts';
import { sealState } from './manifest-seal.ts';

/** A log with 400,000 files, of some hundred terabytes, would have one of this size; no text can be twice as long. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** Compressed, then encrypted. Each one is a stream of its own, so a list of thousands would be a way to take memory. */
const MOST_ENCODINGS = 4;

/** Where a document comes from, for messages. */
export interface DocumentOrigin {
  target: string;
  object: string;
}

/** Decodes `<id>/manifest.json`. Throws LogCorrupt for a damaged one, UnsupportedFormat for a newer one. */
export function decodeManifest(bytes: Uint8Array, origin: DocumentOrigin): Manifest {
  const document = parseJson(bytes, origin);
  const root = new JsonNode(document, '', origin);
  if (root.at('format').text() !== MANIFEST_FORMAT) throw root.at('format').wrong('not that of a backup');
  const version = root.at('formatVersion').whole();
  if (version > MANIFEST_VERSION) {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: `The backup ${origin.object} in ${origin.target} has the format version ${version}; this version of Winnow reads ${MANIFEST_VERSION}.`,
      remedy: 'Use a newer workbench. Nothing was changed.',
      details: { file: origin.object, target: origin.target }
    });
  }
  if (sealState(bytes, document) === 'broken') {
    throw damaged(
      origin,
      'the hash that it ends with is not that of its bytes, so it was changed after it was written'
    );
  }
  const id = root.at('id').text();
  if (!isBackupId(id)) throw root.at('id').wrong('not the id of a backup');
  const files = root.at('files').list().map(readFile);
  requireDistinct(files, root.at('files'));
  return {
    id,
    mode: root.at('mode').oneOf(['full', 'differential', 'snapshot']),
    basedOn: root.at('basedOn').orNull((node) => node.text()),
    generation: readGeneration(root),
    toolVersion: root.at('toolVersion').text(),
    startedAt: root.at('startedAt').text(),
    endedAt: root.at('endedAt').text(),
    node: readNode(root.at('node')),
    databaseTag: root.at('databaseTag').orNull((node) => node.matching(/^-?\d{1,20}$/)),
    checkpoints: readCheckpoints(root.at('checkpoints')),
    epochs: root.at('epochs').list().map(readEpoch),
    chunkSize: root.at('chunkSize').whole(1),
    indexMap: root.at('indexMap').orNull((node) => node.text()),
    files,
    bytesCopied: root.at('bytesCopied').whole(),
    notes: root.at('notes').list().map(readNote),
    ...readRewrite(root.optional('rewrite'))
  };
}

export function readFile(node: JsonNode): ManifestFile {
  return {
    area: node.at('area').oneOf(['data', 'index']),
    name: node.at('name').safeName(),
    bytes: node.at('bytes').whole(),
    sha256: node.at('sha256').matching(SHA256),
    object: node.at('object').safeName(),
    encodings: readEncodings(node.at('encodings')),
    storedBytes: node.at('storedBytes').whole(),
    storedSha256: node.at('storedSha256').matching(SHA256),
    chunk: node.at('chunk').orNull(readChunk),
    tableMd5: node.at('tableMd5').orNull((inner) => inner.matching(MD5)),
    since: node.at('since').text()
  };
}

function readEncodings(node: JsonNode): string[] {
  const entries = node.list();
  if (entries.length > MOST_ENCODINGS) throw node.wrong(`a list of more than ${MOST_ENCODINGS}`);
  return entries.map((entry) => entry.text());
}

/** null where an older program wrote the document. */
export function readCheckpointFiles(node: JsonNode): string | null {
  return node.optional('checkpointFiles')?.orNull((inner) => inner.text()) ?? null;
}

/** null where an older program wrote the document. */
export function readGeneration(root: JsonNode): number | null {
  return root.optional('generation')?.orNull((node) => node.whole(1)) ?? null;
}

function readChunk(node: JsonNode): ManifestChunk {
  return {
    start: node.at('start').whole(),
    end: node.at('end').whole(),
    id: node.at('id').text(),
    fileVersion: node.at('fileVersion').whole(),
    formatVersion: node.at('formatVersion').whole(),
    isScavenged: node.at('isScavenged').flag(),
    isCompleted: node.at('isCompleted').flag(),
    md5: node.at('md5').orNull((inner) => inner.matching(MD5))
  };
}

export function readNode(node: JsonNode): ManifestNode {
  return {
    address: node.at('address').orNull((inner) => inner.text()),
    dataDirectory: node.at('dataDirectory').text(),
    indexDirectory: node.at('indexDirectory').text(),
    serverVersion: node.at('serverVersion').orNull((inner) => inner.text()),
    role: node.at('role').orNull((inner) => inner.text()),
    cluster: node.at('cluster').orNull((inner) => inner.list().map(readMember)),
    wasInUse: node.at('wasInUse').flag(),
    checkpointFiles: readCheckpointFiles(node)
  };
}

function readMember(node: JsonNode): ManifestMember {
  return {
    address: node.at('address').text(),
    role: node.at('role').text(),
    isAlive: node.at('isAlive').flag(),
    writer: node.at('writer').orNull((inner) => inner.whole(-1))
  };
}

function readCheckpoints(node: JsonNode): ManifestCheckpoints {
  const optional = (name: string) => node.at(name).orNull((inner) => inner.whole(-1));
  return {
    writer: node.at('writer').whole(),
    chaser: node.at('chaser').whole(),
    epoch: optional('epoch'),
    proposal: optional('proposal'),
    truncate: optional('truncate'),
    index: optional('index'),
    filter: optional('filter')
  };
}

export function readEpoch(node: JsonNode): ManifestEpoch {
  return {
    number: node.at('number').whole(-1),
    position: node.at('position').whole(),
    id: node.at('id').text()
  };
}

function readRewrite(node: JsonNode | undefined): Pick<Manifest, 'rewrite'> {
  if (!node) return {};
  const of = node.at('of').text();
  if (!isBackupId(of)) throw node.at('of').wrong('not the id of a backup');
  return {
    rewrite: {
      of,
      at: node.at('at').text(),
      work: node.at('work').oneOf(['scavenge', 'redaction', 'rekey']),
      question: node.at('question').text(),
      scavengePoint: node.at('scavengePoint').orNull((inner) => inner.whole(-1)),
      ...readDetachedPoints(node.optional('detachedPoints'))
    }
  };
}

function readDetachedPoints(node: JsonNode | undefined): Pick<ManifestRewrite, 'detachedPoints'> {
  if (!node) return {};
  const detachedPoints = node.list().map((point) => {
    const effectiveNow = point.at('effectiveNow').text();
    if (ticksFromIso(effectiveNow) === undefined) throw point.at('effectiveNow').wrong('not a time');
    return { position: point.at('position').whole(), effectiveNow };
  });
  return { detachedPoints };
}

function readNote(node: JsonNode): ManifestNote {
  return {
    code: node.at('code').text(),
    message: node.at('message').text(),
    remedy: node.at('remedy').text()
  };
}

const MD5 = /^[0-9a-f]{32}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Two files of one name, also of one name in another case, would overwrite each other in a restore. */
function requireDistinct(files: readonly ManifestFile[], node: JsonNode): void {
  const seen = new Set<string>();
  for (const file of files) {
    const key = `${file.area}/${file.name}`.toLowerCase();
    if (seen.has(key)) throw node.wrong(`naming ${file.area}/${file.name} twice`);
    seen.add(key);
  }
}

export function parseJson(bytes: Uint8Array, origin: DocumentOrigin): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(
      origin,
      `it is not a JSON document (${error instanceof Error ? error.message : String(error)})`
    );
  }
}

function damaged(origin: DocumentOrigin, what: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `${origin.object} in the backup target ${origin.target} is damaged: ${what}.`,
    remedy: 'Use another backup of this catalogue; "winnow backup verify" names those that are whole.',
    details: { file: origin.object, target: origin.target }
  });
}

/** A value of a JSON document with its place, and the ways to take it. */
export class JsonNode {
  readonly #value: unknown;
  readonly #path: string;
  readonly #origin: DocumentOrigin;

  constructor(value: unknown, path: string, origin: DocumentOrigin) {
    this.#value = value;
    this.#path = path;
    this.#origin = origin;
  }

  wrong(what: string): EngineError {
    return damaged(this.#origin, `its member ${this.#path === '' ? '(root)' : this.#path} is ${what}`);
  }

  at(name: string): JsonNode {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.wrong('not an object');
    const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    const node = new JsonNode(member, path, this.#origin);
    if (member === undefined) throw node.wrong('missing');
    return node;
  }

  /** undefined: the member is missing. */
  optional(name: string): JsonNode | undefined {
    const value = this.#value;
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isThere ? this.at(name) : undefined;
  }

  list(): JsonNode[] {
    if (!Array.isArray(this.#value)) throw this.wrong('not a list');
    return this.#value.map((entry, i) => new JsonNode(entry, `${this.#path}[${i}]`, this.#origin));
  }

  orNull<T>(read: (node: JsonNode) => T): T | null {
    return this.#value === null ? null : read(this);
  }

  text(): string {
    if (typeof this.#value !== 'string') throw this.wrong('not a text');
    return this.#value;
  }

  flag(): boolean {
    if (typeof this.#value !== 'boolean') throw this.wrong('neither true nor false');
    return this.#value;
  }

  whole(least = 0): number {
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.wrong('not a whole number');
    if (value < least) throw this.wrong(`below ${least}`);
    return value;
  }

  /** Exactly that number. */
  matchingNumber(expected: number): void {
    if (this.#value !== expected) throw this.wrong(`not ${expected}`);
  }

  matching(pattern: RegExp): string {
    const text = this.text();
    if (!pattern.test(text)) throw this.wrong('not in the expected form');
    return text;
  }

  safeName(): string {
    const text = this.text();
    if (!isSafeName(text)) throw this.wrong('not a relative file name');
    return text;
  }

  oneOf<const T extends string>(choices: readonly T[]): T {
    const text = this.text();
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw this.wrong(`"${text}", which is not known`);
    return found;
  }
}
