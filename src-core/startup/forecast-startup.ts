/**
 * How long the next start takes and why, part by part; what of it can be done beforehand; and what remains then. Stands
 * on the doctor's examination (insight/doctor), which alone knows what a start does; only reads.
 */
import { openDatabase, type DatabasePlace } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { examineStart, type StartExamination } from '../insight/doctor/examine-start.ts';
import type { StartPart, StartRates, StartWork } from '../insight/doctor/start-estimate.ts';
import { measureRates } from './measure-rates.ts';
import { planPreparation, type Preparation, type PreparationChoice } from './plan-preparation.ts';

/** The doctor judges a start; this prices it, and reads just enough to know the size of records. */
const QUICK_BYTES = 64 * 1024 * 1024;

export interface StartupPart extends StartWork {
  /** A preparation does it beforehand. */
  isPreparable: boolean;
  /** What is left of it after the planned preparation. */
  afterMs: number;
  /** What can be done about it, or why nothing can, one sentence. */
  advice: string;
}

export interface StartupForecast {
  /** Until the node is ready. */
  estimatedMs: number;
  /** The same after the planned preparation. */
  preparedMs: number;
  parts: StartupPart[];
  rates: StartRates;
  preparation: Preparation;
  examination: StartExamination;
}

export interface ForecastStartup {
  place: DatabasePlace;
  serverVersion?: string | undefined;
  serverArguments?: readonly string[] | undefined;
  choice: PreparationChoice;
  control: OperationControl;
}

/** Throws DatabaseNotFound when the directory holds no database; every other fault is part of the answer. */
export async function forecastStartup(options: ForecastStartup): Promise<StartupForecast> {
  const { place, control } = options;
  const database = openDatabase(place);
  try {
    const rates = await measureRates(database, control);
    const examination = await examineStart({ ...options, isThorough: false, quickBytes: QUICK_BYTES, rates });
    const preparation = await planPreparation({ ...options, examination });
    const parts = examination.estimate.work.map((work) => asPart(work, preparation, examination));
    const afterMs = parts.reduce((sum, part) => (part.isInBackground ? sum : sum + part.afterMs), 0);
    return {
      estimatedMs: examination.estimate.readyMs,
      preparedMs: Math.max(0, afterMs + addedTableMs(preparation, examination)),
      parts,
      rates,
      preparation,
      examination
    };
  } finally {
    database.close();
  }
}

/** Which steps do away with which part of a start. */
const DONE_BY: Partial<Record<StartPart, readonly string[]>> = {
  copyIndexAside: ['rebuildIndex'],
  readLogIntoIndex: ['rebuildIndex', 'catchUpIndex'],
  rebuildFilter: ['rebuildExistenceFilter'],
  readLogIntoFilter: ['rebuildExistenceFilter', 'catchUpExistenceFilter']
};

const ADVICE: Record<StartPart, string> = {
  openChunks: 'Every start does this; a scavenge that merges small chunks leaves fewer files.',
  hashTables: 'Every start does this unless the server is set to SkipIndexVerify.',
  copyIndexAside: 'A preparation rebuilds the index beforehand, so that the start finds one to use.',
  readLogIntoIndex: 'A preparation writes these entries into a table beforehand.',
  loadFilter: 'Every start does this; a smaller StreamExistenceFilterSize makes it shorter.',
  rebuildFilter: 'A preparation makes the filter beforehand.',
  readLogIntoFilter: 'A preparation adds these streams beforehand.',
  hashChunks:
    'Checking the chunks beforehand does not save the server its own check, only SkipDbVerify does. "winnow verify" finds damage before the server does.'
};

function asPart(work: StartWork, { steps }: Preparation, { facts, estimate }: StartExamination): StartupPart {
  const { what } = work;
  const doneBy = DONE_BY[what] ?? [];
  const isDone = steps.some(({ code }) => doneBy.includes(code));
  // What was made beforehand is loaded.
  const loadedBytes = what === 'rebuildFilter' ? (facts.filter?.fileBytes ?? 0) : 0;
  const afterMs = isDone ? hashMs(loadedBytes, estimate) : work.ms;
  return { ...work, isPreparable: doneBy.length > 0, afterMs, advice: ADVICE[what] };
}

/** The start hashes what a preparation adds to the index; old tables that it replaces are hashed no more. */
function addedTableMs({ steps }: Preparation, { estimate, facts }: StartExamination): number {
  if (facts.settings.skipIndexVerify) return 0;
  const rebuilt = steps.find(({ code }) => code === 'rebuildIndex');
  if (rebuilt) return hashMs(rebuilt.bytes - facts.index.tableBytes, estimate);
  return hashMs(steps.find(({ code }) => code === 'catchUpIndex')?.bytes ?? 0, estimate);
}

function hashMs(bytes: number, { work, rates }: StartExamination['estimate']): number {
  const priced = work.find(({ rate }) => rate.of === 'bytes');
  return Math.ceil((bytes / (priced?.rate.perSecond ?? rates.hashBytesPerSecond)) * 1000);
}
