/**
 * The record that is shown: its fields and the beginning of its bytes at once, all bytes of a long one soon after. A key
 * that is held moves on faster: only where it rests the engine is asked.
 *
 * Invariant: answers about a record that is no longer shown are dropped.
 */
import type {
  DescribedField,
  ErrorReport,
  RecordDescription
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { askAfterRest } from '../../api/ask-until-stopped.ts';
import type { JsonSource } from '../../format/json-outline.ts';
import { texts } from '../../texts.ts';

export type DescribeRecord = (whole: boolean, signal: AbortSignal) => Promise<RecordDescription>;

const SETTLE_MS = 60;
/** Megabytes: for a record that is looked at, not for those on the way to it. */
const WHOLE_SETTLE_MS = 200;

export class ShownRecord {
  #description = $state.raw<RecordDescription | null>(null);
  #error = $state.raw<ErrorReport | null>(null);

  get description(): RecordDescription | null {
    return this.#description;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  /** More of it is on its way. */
  get isCut(): boolean {
    return this.#description !== null && this.#description.bytes.length < this.#description.totalLength;
  }

  /** Another record; what is shown stays until its answer is there. Returns what stops it. */
  show(describe: DescribeRecord): () => void {
    let stopWhole: (() => void) | undefined;
    const failed = (failure: ErrorReport): void => {
      [this.#description, this.#error] = [null, failure];
    };
    const stop = askAfterRest(SETTLE_MS, {
      ask: (signal) => describe(false, signal),
      answered: (found) => {
        [this.#description, this.#error] = [found, null];
        if (found.bytes.length === found.totalLength) return;
        stopWhole = askAfterRest(WHOLE_SETTLE_MS, {
          ask: (signal) => describe(true, signal),
          answered: (all) => (this.#description = all),
          failed
        });
      },
      failed
    });
    return () => {
      stop();
      stopWhole?.();
    };
  }
}

/** Data and metadata as text; what is no UTF-8 is no JSON either, and said so by its bytes. */
export function bodiesOf({ fields, bytes }: Pick<RecordDescription, 'fields' | 'bytes'>): JsonSource[] {
  return (['data', 'metadata'] as const).flatMap((meaning) => {
    const field = bodyField(fields, meaning);
    if (!field) return [];
    const body = bytes.subarray(field.offset, field.offset + field.length);
    return [{ title: texts.records[meaning], text: textOf(body) }];
  });
}

function bodyField(
  fields: readonly DescribedField[],
  wanted: 'data' | 'metadata'
): DescribedField | undefined {
  return fields.find(({ meaning, length }) => meaning === wanted && length > 0);
}

/** A byte order mark is kept: it does not belong before JSON. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}
