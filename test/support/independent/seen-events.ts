/** What a reader sees in a whole database at a moment, as plain values; and that nobody sees less afterwards. */
import { readLog, type LogFiles } from './read-log.ts';
import { readStream, readStreams } from './read-streams.ts';

export interface SeenEvents {
  /** Of all streams with a record in the log. */
  names: readonly string[];
  /** The result of reading a stream, then `number digest` of each event. */
  of: (stream: string) => readonly string[];
  /** Ticks as of which ages were judged. */
  now: bigint;
}

/** `least`: ticks; ages are judged as of then, or of the last record if that is later, as by a scavenge point at the end. */
export function seenEvents(files: LogFiles, least: bigint): SeenEvents {
  const log = readLog(files);
  let now = least;
  for (const record of log.records) if (record.kind === 'prepare' && record.ticks > now) now = record.ticks;
  const streams = readStreams(log);
  const told = new Map<string, readonly string[]>();
  return {
    names: [...streams.keys()],
    now,
    of: (name) => {
      const known = told.get(name);
      if (known) return known;
      const { result, numbers } = readStream(streams, name, now);
      const events = new Map(streams.get(name)?.events.map(({ number, record }) => [number, record.digest]));
      const answer = [result, ...numbers.map((number) => `${number} ${events.get(number)}`)];
      told.set(name, answer);
      return answer;
    }
  };
}

export interface SeenChange {
  /** Streams that are not compared. */
  mayDiffer?: (stream: string) => boolean;
  /** Streams to which was written meanwhile. */
  mayGrow?: (stream: string) => boolean;
  /** Tombstones may be gone. */
  forgetsDeletes?: boolean;
}

/** Throws, and names the stream, where a reader sees less, more or something else than before. */
export function requireSeen(
  before: SeenEvents,
  after: SeenEvents,
  { mayGrow = () => false, mayDiffer = () => false, forgetsDeletes = false }: SeenChange = {}
): void {
  for (const name of new Set([...before.names, ...after.names])) {
    if (mayDiffer(name)) continue;
    const [was, is] = [before.of(name), after.of(name)];
    if (forgetsDeletes && was[0] === 'StreamDeleted' && is[0] === 'NoStream') continue;
    if (mayGrow(name) && was[0] === 'NoStream') continue;
    const kept = mayGrow(name) ? is.slice(0, was.length) : is;
    for (let i = 0; i < Math.max(was.length, kept.length); i++) {
      if (was[i] === kept[i]) continue;
      throw new Error(
        `a reader of ${name} saw ${was[i] ?? 'no more'} before and sees ${kept[i] ?? 'no more'} now`
      );
    }
  }
}
