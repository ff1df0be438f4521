/**
 * The erasure report: where what was asked for still exists physically. Every file is read once, whole, and hashed.
 * Tables of the index come last, because the names of a category's streams are known only then.
 *
 * `erased` means: in no byte of the files examined. `complete` means: nothing was left unexamined. Only both together
 * are proof. Nothing is written.
 */
import type { Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { requireFault } from '../../errors.ts';
import type { StreamHasher } from '../../index/stream-hash.ts';
import type { NotExamined } from './database-files.ts';
import { entryOwners, type NamedSubject } from './entry-owners.ts';
import type { ErasureFile } from './erasure-file.ts';
import { subjectsOf, type AskedKind, type ErasureQuestion, type Subject } from './erasure-question.ts';
import { examineFile, searchFor, type EntryOwners, type ExaminedFile } from './examine-file.ts';
import type { Found, FoundWhat, PlaceKind } from './place.ts';
import { remedyFor } from './remedies.ts';
import { StreamDeletions, type Deletion } from './stream-deletions.ts';

export interface ErasurePlace {
  kind: PlaceKind;
  what: FoundWhat;
  file: string;
  /** Records, entries or occurrences. */
  records: number;
  firstOffset: number;
  remedy: string;
}

export interface ErasureVerdict {
  /** Name of the stream or category, or the event's id. */
  stream: string;
  asked: AskedKind;
  /** Nothing is left in any file examined. */
  erased: boolean;
  /** No data of its events is left; names may be. */
  dataErased: boolean;
  /** Of a category: streams of which something was found. */
  names: string[];
  places: ErasurePlace[];
}

export interface ErasureOutcome {
  streams: ErasureVerdict[];
  notExamined: NotExamined[];
  notes: NotExamined[];
  complete: boolean;
  files: { file: string; sha256: string; bytes: number }[];
}

export interface RunErasure {
  database: Database;
  question: ErasureQuestion;
  /** Of the database and of its backups. */
  files: readonly ErasureFile[];
  /** What was found unexaminable before. */
  notExamined: readonly NotExamined[];
  control: OperationControl;
  hasher?: StreamHasher;
}

const SHOWN_NAMES = 1000;
/** SQLite keeps a longer text in several pages. */
const LONGEST_NAME_IN_ONE_PAGE = 400;

interface Examined {
  file: ErasureFile;
  result: ExaminedFile;
}

export async function runErasure(options: RunErasure): Promise<ErasureOutcome> {
  const subjects = subjectsOf(options.question);
  const search = searchFor(subjects);
  const notExamined: NotExamined[] = [...options.notExamined];
  const examined: Examined[] = [];
  const names = subjects.map(() => new Set<string>());
  const deletions = subjects.map(() => new StreamDeletions());
  let owners: EntryOwners = entryOwners([], () => undefined);
  const total = options.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;

  const examineAll = async (files: readonly ErasureFile[]) => {
    for (const file of files) {
      const { control } = options;
      const onBytes = (count: number) => {
        done += count;
        control.report({ phase: 'examine', done, total, unit: 'bytes', message: file.name });
      };
      const result = await examineFile({ file, search, owners, deletions, control, onBytes });
      if (result.failure !== undefined) notExamined.push({ place: file.name, why: result.failure });
      for (const why of result.gaps) notExamined.push({ place: file.name, why });
      for (const [subject, found] of result.names) for (const name of found) names[subject]!.add(name);
      examined.push({ file, result });
      if (file.notReadable !== undefined) notExamined.push({ place: file.name, why: file.notReadable });
    }
  };

  await examineAll(options.files.filter(({ form }) => form !== 'table'));
  owners = entryOwners(namedSubjects(subjects, names), nameReader(options.database), options.hasher);
  await examineAll(options.files.filter(({ form }) => form === 'table'));
  notExamined.push(...longNames(subjects, examined));

  return {
    streams: subjects.map((subject, i) =>
      verdictOf(subject, i, { examined, names: names[i]!, deletion: deletions[i]!.ofAll })
    ),
    notExamined,
    notes: notesOf(options.files),
    complete: notExamined.length === 0,
    files: examined
      .filter(({ result }) => result.failure === undefined)
      .map(({ file, result }) => ({ file: file.name, sha256: result.sha256, bytes: result.bytes }))
      .sort((a, b) => (a.file < b.file ? -1 : 1))
  };
}

function namedSubjects(subjects: readonly Subject[], names: readonly ReadonlySet<string>[]): NamedSubject[] {
  return subjects.flatMap(({ asked, name }, subject) => {
    if (asked === 'stream') return [{ subject, stream: name }];
    return [...names[subject]!].map((stream) => ({ subject, stream }));
  });
}

/** The stream of the record at a position of the log; undefined where no prepare can be read. */
function nameReader({ log }: Database): (position: number) => string | undefined {
  return (position) => {
    try {
      const record = log.readAt(position);
      return record?.kind === 'prepare' ? record.stream : undefined;
    } catch (error) {
      requireFault(error);
      return undefined;
    }
  };
}

function verdictOf(
  { asked, name }: Subject,
  subject: number,
  {
    examined,
    names,
    deletion
  }: { examined: readonly Examined[]; names: ReadonlySet<string>; deletion: Deletion }
): ErasureVerdict {
  const places = examined.flatMap(({ file, result }) =>
    (result.found.get(subject) ?? []).map((found) => placeOf(found, file, deletion))
  );
  return {
    stream: name,
    asked,
    erased: places.length === 0,
    dataErased: places.every(({ what }) => what !== 'event' && what !== 'bytes'),
    names: [...names].sort().slice(0, SHOWN_NAMES),
    places
  };
}

function placeOf(found: Found, file: ErasureFile, deletion: Deletion): ErasurePlace {
  const { kind, what, count, firstOffset } = found;
  return {
    kind,
    what,
    file: file.name,
    records: count,
    firstOffset,
    remedy: remedyFor({ found, file, deletion })
  };
}

function longNames(subjects: readonly Subject[], examined: readonly Examined[]): NotExamined[] {
  if (subjects.every(({ name }) => Buffer.byteLength(name) <= LONGEST_NAME_IN_ONE_PAGE)) return [];
  return examined
    .filter(({ result }) => result.form === 'state')
    .map(({ file }) => ({
      place: file.name,
      why: `A name of more than ${LONGEST_NAME_IN_ONE_PAGE} bytes may be split here into several parts.`
    }));
}

function notesOf(files: readonly ErasureFile[]): NotExamined[] {
  const notes: NotExamined[] = [
    {
      place: 'outside these directories',
      why: 'Copies made by other means (snapshots, subscribers, exports, the memory of a running server) are not known to Winnow.'
    }
  ];
  if (files.some(({ form }) => form === 'numbers')) {
    notes.push({
      place: 'bloom filters',
      why: 'Their bits reveal no name, not even whether a stream was there. They were hashed like all files.'
    });
  }
  return notes;
}
