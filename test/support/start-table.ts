/** The table of docs/operations/doctor.md: what the server did on each golden database, and what the doctor says. */
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { examineStart, type StartExamination } from '../../src-core/insight/doctor/examine-start.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { removeUnpacked } from './golden.ts';
import { serverStarts, type ServerStart } from './server-starts.ts';

export const TABLE_START = '<!-- table of starts: made by scripts/make-doctor-table.mjs -->';
export const TABLE_END = '<!-- end of the table of starts -->';

/** The room on this machine's disk says nothing about the databases. */
class RoomyFileSystem extends NodeFileSystem {
  override freeBytes(): number {
    return 1e12;
  }
}

const fileSystem = new RoomyFileSystem();

/** Unpacks and examines one database; the caller removes what was unpacked. */
export async function examineGolden(
  start: ServerStart
): Promise<{ dataDirectory: string; examination: StartExamination }> {
  const dataDirectory = start.unpack();
  const examination = await examineStart({
    place: { fileSystem, dataDirectory },
    serverArguments: start.options,
    isThorough: false,
    control: uncontrolled()
  });
  return { dataDirectory, examination };
}

/** All rows; sound databases that came up as they were are one row. */
export async function startTable(): Promise<string> {
  const rows: string[] = [];
  let sound = 0;
  for (const start of serverStarts()) {
    const { examination } = await examineGolden(start);
    removeUnpacked();
    const { prediction, findings } = examination;
    if (start.title.includes('/') && start.did === 'runs' && prediction.then === 'runs') {
      sound++;
      continue;
    }
    const isReason = ({ effect }: (typeof findings)[number]): boolean => effect !== 'none';
    const reason = findings.find(isReason) ?? findings[0];
    const why = reason === undefined ? '' : `: \`${reason.code}\``;
    const options = start.options.length === 0 ? '' : ` \`${start.options.join(' ')}\``;
    rows.push(`| ${start.title}${options} | ${start.did} | ${prediction.then}${why} |`);
  }
  const head = ['| golden database | server did | doctor says |', '|---|---|---|'];
  const last = `| ${sound} others, as servers left them | runs | runs |`;
  return [TABLE_START, '', ...head, ...rows, last, '', TABLE_END].join('\n');
}
