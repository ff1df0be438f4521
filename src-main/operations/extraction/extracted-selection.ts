/** Which events a request means: names as they are, times read, the range of the log in which they can lie. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { invalidRequest, ticksFromIso, type EventSelection } from '../../../src-core/index.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';

export interface SelectionRequest {
  dataDirectory: string;
  streams: readonly string[];
  categories: readonly string[];
  types: readonly string[];
  fromTime?: string | undefined;
  toTime?: string | undefined;
  fromPosition?: number | undefined;
  toPosition?: number | undefined;
  systemStreams: boolean;
}

export function selectionOf(request: SelectionRequest): EventSelection {
  const { streams, categories, types, systemStreams, fromPosition, toPosition } = request;
  const fromTime = timeOf(request.fromTime, '--from-time');
  const toTime = timeOf(request.toTime, '--to-time');
  if (fromTime !== undefined && toTime !== undefined && fromTime >= toTime) {
    throw invalidRequest('The time to which is asked is not after the one from which.', '--to-time');
  }
  if (fromPosition !== undefined && toPosition !== undefined && fromPosition >= toPosition) {
    throw invalidRequest('The position to which is asked is not after the one from which.', '--to-position');
  }
  return { streams, categories, types, systemStreams, fromPosition, toPosition, fromTime, toTime };
}

function timeOf(text: string | undefined, field: string): bigint | undefined {
  if (text === undefined) return undefined;
  const ticks = ticksFromIso(text);
  if (ticks !== undefined) return ticks;
  throw invalidRequest(
    `"${text}" is not a time.`,
    field,
    'Write it in ISO 8601, such as 2026-01-31T18:00:00Z.'
  );
}

/** The same for the same question; what else may change between two runs of it is left out. */
export function questionOf(request: SelectionRequest, more: Readonly<Record<string, unknown>>): string {
  const { dataDirectory, streams, categories, types, systemStreams } = request;
  const place = isRemoteLocation(dataDirectory) ? dataDirectory : path.resolve(dataDirectory);
  const { fromTime, toTime, fromPosition, toPosition } = request;
  const names = [streams, categories, types].map((list) => [...list].sort());
  const bounds = [fromTime, toTime, fromPosition, toPosition].map((bound) => bound ?? null);
  const question = JSON.stringify([place, names, bounds, systemStreams, more]);
  return createHash('sha256').update(question).digest('hex');
}
