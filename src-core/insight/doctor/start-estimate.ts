/**
 * What a start has to do before the node is ready, and in the background: in bytes, in what else counts, and in time.
 * The one place that knows what work there is and how it is priced; `doctor` and `startup` both ask here. Rates are
 * assumed ones (what a server does on a plain disk) unless the caller has measured some.
 */
export type StartPart =
  | 'openChunks'
  | 'hashTables'
  | 'copyIndexAside'
  | 'readLogIntoIndex'
  | 'loadFilter'
  | 'rebuildFilter'
  | 'readLogIntoFilter'
  | 'hashChunks';

/** What a rate counts. */
export type RateUnit = 'bytes' | 'records' | 'entries' | 'files';

export interface StartRate {
  perSecond: number;
  of: RateUnit;
  basis: 'assumed' | 'measured';
}

export interface StartWork {
  what: StartPart;
  /** Why the start has to do this, one sentence. */
  why: string;
  bytes: number;
  records: number | null;
  entries: number | null;
  files: number | null;
  ms: number;
  /** The rate that decides how long it takes. */
  rate: StartRate;
  /** Done while the node is up already. */
  isInBackground: boolean;
}

export interface StartEstimate {
  work: StartWork[];
  /** Until the node is ready. */
  readyMs: number;
  rates: { hashBytesPerSecond: number; recordsPerSecond: number };
}

export const HASH_BYTES_PER_SECOND = 250_000_000;
export const RECORDS_PER_SECOND = 100_000;
const ENTRIES_PER_SECOND = 2_000_000;
const FILES_PER_SECOND = 1000;
/** For a database whose records have not been counted yet. */
export const TYPICAL_RECORD_BYTES = 500;

/** One rate for each thing that is counted. */
export type StartRates = Record<RateUnit, StartRate>;

export const ASSUMED_RATES: StartRates = {
  bytes: { perSecond: HASH_BYTES_PER_SECOND, of: 'bytes', basis: 'assumed' },
  records: { perSecond: RECORDS_PER_SECOND, of: 'records', basis: 'assumed' },
  entries: { perSecond: ENTRIES_PER_SECOND, of: 'entries', basis: 'assumed' },
  files: { perSecond: FILES_PER_SECOND, of: 'files', basis: 'assumed' }
};

export interface EstimateStart {
  chunkFiles: number;
  tableBytes: number;
  asideBytes: number;
  /** Of the log that the index does not hold. */
  logBytes: number;
  /** Why the index reads the log. */
  indexWhy: string;
  /** null: the server uses no filter of existing streams. */
  filter: {
    fileBytes: number;
    /** Why it is made again; null where it is loaded. */
    rebuildWhy: string | null;
    /** Entries of the tables that are read for it. */
    entries: number;
    entryBytes: number;
    /** Of the log that it does not hold. */
    logBytes: number;
  } | null;
  backgroundBytes: number;
  counted: { records: number; bytes: number };
  rates?: StartRates | undefined;
}

export function estimateStart(parts: EstimateStart): StartEstimate {
  const { chunkFiles, tableBytes, asideBytes, logBytes, backgroundBytes, filter } = parts;
  const rates = parts.rates ?? ASSUMED_RATES;
  const price = new StartPrices(rates, parts.counted);
  const work = [
    price.of('openChunks', 'Each chunk file is opened, its header and footer are read.', {
      files: chunkFiles
    }),
    price.of('hashTables', 'The server hashes each index table unless SkipIndexVerify is set.', {
      bytes: tableBytes
    }),
    price.of('copyIndexAside', 'The server does not use this index: it copies it to a folder beside it.', {
      bytes: asideBytes
    }),
    price.log('readLogIntoIndex', parts.indexWhy, logBytes),
    ...(filter === null ? [] : filterWork(filter, price)),
    price.of(
      'hashChunks',
      'The server hashes completed chunks, newest first, unless SkipDbVerify is set; the node answers meanwhile.',
      { bytes: backgroundBytes }
    )
  ].filter((one) => one !== undefined);
  return {
    work,
    readyMs: work.reduce((sum, { ms, isInBackground }) => (isInBackground ? sum : sum + ms), 0),
    rates: { hashBytesPerSecond: HASH_BYTES_PER_SECOND, recordsPerSecond: RECORDS_PER_SECOND }
  };
}

function filterWork(
  { fileBytes, rebuildWhy, entries, entryBytes, logBytes }: NonNullable<EstimateStart['filter']>,
  price: StartPrices
): (StartWork | undefined)[] {
  const ofLog = price.log(
    'readLogIntoFilter',
    'The streams of these records are not in the filter of existing streams yet.',
    logBytes
  );
  if (rebuildWhy === null) {
    const why = 'The filter of existing streams is read into memory, and each line of it is checked.';
    return [price.of('loadFilter', why, { bytes: fileBytes }), ofLog];
  }
  const why = `The filter of existing streams is made again: ${rebuildWhy}.`;
  return [price.of('rebuildFilter', why, { bytes: fileBytes + entryBytes, entries }), ofLog];
}

/** What work costs at given rates: what takes longest of all that it reads decides. */
class StartPrices {
  readonly #rates: StartRates;
  readonly #recordBytes: number;

  constructor(rates: StartRates, { records, bytes }: EstimateStart['counted']) {
    this.#rates = rates;
    this.#recordBytes = records > 0 ? bytes / records : TYPICAL_RECORD_BYTES;
  }

  log(what: StartPart, why: string, bytes: number): StartWork | undefined {
    return this.of(what, why, { bytes, records: Math.round(bytes / this.#recordBytes) });
  }

  /** undefined: there is nothing to do. */
  of(what: StartPart, why: string, amounts: Partial<Record<RateUnit, number>>): StartWork | undefined {
    let slowest: { ms: number; rate: StartRate } | undefined;
    for (const unit of ['records', 'entries', 'files', 'bytes'] as const) {
      const amount = amounts[unit] ?? 0;
      const rate = this.#rates[unit];
      const ms = inMs(amount, rate.perSecond);
      if (amount > 0 && (slowest === undefined || ms > slowest.ms)) slowest = { ms, rate };
    }
    if (slowest === undefined) return undefined;
    const { bytes = 0, records = null, entries = null, files = null } = amounts;
    const isInBackground = what === 'hashChunks';
    return { what, why, bytes, records, entries, files, ...slowest, isInBackground };
  }
}

function inMs(count: number, perSecond: number): number {
  return Math.ceil((count / perSecond) * 1000);
}
