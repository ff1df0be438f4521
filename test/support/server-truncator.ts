/**
 * The server's truncator as its description has it, step by step and naive, over plain bytes: name to content. Knows
 * nothing of src-core, so that both can be held against each other. The steps are those of the start that meets a set
 * truncate.chk; the order in which the latest file of a chunk number is found is that of its walk over the names.
 */

export type Bytes = Buffer<ArrayBuffer>;
export type Files = ReadonlyMap<string, Bytes>;

export type Truncated =
  /** truncate.chk is -1 or not there. */
  | { kind: 'nothing' }
  /** The start fails before anything is changed. */
  | { kind: 'refuses'; why: 'exceedsMaxTruncation' | 'excessiveChunks' | 'chunkMissing' }
  /** It deletes chunks and then fails: no record ends at the position. */
  | { kind: 'dies' }
  | { kind: 'truncates'; deleted: string[]; files: Map<string, Bytes> };

interface Latest {
  kind: 'latest' | 'old';
  name: string;
  start: number;
  end: number;
}
interface Missing {
  kind: 'missing';
  start: number;
}

const CHUNK_NAME = /^chunk-(\d{6})\.(\d{6})$/;
const HEADER = 128;
const FOOTER = 128;

export function truncateAsServer(
  files: Files,
  { chunkSize, maxTruncation = 268435456 }: { chunkSize: number; maxTruncation?: number }
): Truncated {
  const truncate = checkpoint(files, 'truncate', -1);
  if (truncate === -1) return { kind: 'nothing' };
  const writer = checkpoint(files, 'writer', 0);
  if (maxTruncation >= 0 && writer - truncate > maxTruncation)
    return { kind: 'refuses', why: 'exceedsMaxTruncation' };

  const oldLast = Math.floor(writer / chunkSize);
  const newLast = Math.floor(truncate / chunkSize);
  if ([...files.keys()].some((name) => startOf(name) === oldLast + 1))
    return { kind: 'refuses', why: 'excessiveChunks' };

  let found: Latest | undefined;
  for (const entry of walk(files, oldLast)) {
    if (entry.kind === 'latest' && !found && entry.end >= newLast) found = entry;
    if (entry.kind === 'missing' && !found && entry.start < newLast)
      return { kind: 'refuses', why: 'chunkMissing' };
  }

  const left = new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
  const deleted: string[] = [];
  let end = truncate;
  if (found) {
    const content = files.get(found.name)!;
    const isScavenged = content.readInt32LE(14) > 0;
    const isOnBoundary = truncate % chunkSize === 0;
    let from = newLast + 1;
    if (isScavenged) from = found.start;
    else if (isOnBoundary) from = newLast;
    if (!isScavenged && !isOnBoundary && truncate < writer && !endsRecord(content, truncate % chunkSize))
      return { kind: 'dies' };
    for (const entry of walk(files, oldLast)) {
      if (entry.kind !== 'missing' && entry.start >= from) deleted.push(entry.name);
    }
    deleted.reverse();
    for (const name of deleted) left.delete(name);
    if (!isScavenged && !isOnBoundary) {
      const whole = HEADER + chunkSize + FOOTER;
      const version = content[34] === 0 ? content[1]! : content[34]!;
      const length = version >= 4 ? Math.ceil(whole / 4096) * 4096 : whole;
      const zeroed = Buffer.alloc(length);
      content.copy(zeroed, 0, 0, HEADER + (truncate % chunkSize));
      left.set(found.name, zeroed);
    } else {
      end = found.start * chunkSize;
    }
  }
  const epoch = checkpoint(files, 'epoch', -1);
  const chaser = checkpoint(files, 'chaser', 0);
  left.set('epoch.chk', eight(epoch >= end ? -1 : epoch));
  left.set('chaser.chk', eight(Math.min(chaser, end)));
  left.set('writer.chk', eight(Math.min(writer, end)));
  left.set('truncate.chk', eight(-1));
  return { kind: 'truncates', deleted, files: left };
}

/** The names in order; each is the latest file of its numbers or an old one, and between them numbers are missing. */
function walk(files: Files, last: number): (Latest | Missing)[] {
  const names = [...files.keys()].filter((name) => CHUNK_NAME.test(name)).sort();
  const entries: (Latest | Missing)[] = [];
  let expected = 0;
  for (const [i, name] of names.entries()) {
    const start = startOf(name);
    if (start >= expected) {
      for (; expected < start; expected++) entries.push({ kind: 'missing', start: expected });
    }
    const version = Number(CHUNK_NAME.exec(name)![2]);
    const end = version === 0 ? start : files.get(name)!.readInt32LE(10);
    const isOld = start < expected || startOf(names[i + 1] ?? '') === start;
    entries.push({ kind: isOld ? 'old' : 'latest', name, start, end });
    if (!isOld) expected = end + 1;
  }
  for (; expected <= last; expected++) entries.push({ kind: 'missing', start: expected });
  return entries;
}

/**
 * Records lie one behind the other from the header on: length, payload, length. A reader that does not come out at
 * the end of the log, but within a record or at zeros before it, fails.
 */
function endsRecord(content: Bytes, local: number): boolean {
  let at = 0;
  while (at < local) {
    const length = content.readInt32LE(HEADER + at);
    if (length <= 0) return false;
    at += length + 8;
  }
  return at === local;
}

function startOf(name: string): number {
  return Number(CHUNK_NAME.exec(name)?.[1] ?? NaN);
}

/** A short file reads as if zeros followed; one that is not there has its initial value. */
function checkpoint(files: Files, name: string, initial: number): number {
  const bytes = files.get(`${name}.chk`);
  if (!bytes) return initial;
  return Number(Buffer.concat([bytes, Buffer.alloc(8)]).readBigInt64LE());
}

function eight(value: number): Bytes {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}
