/** The options of a rescue as the window edits them, and the request made of them. */
import type { PlacementWithoutWrite } from '../../../src-core/units/scavenge-terms.ts';
import type { ChosenPath, WindowRequestOf } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface RescueForm {
  placement: 'auto' | PlacementWithoutWrite;
  threshold: number;
  /** Hours and minutes, local; empty: to its end. Belongs to the run, not to the plan. */
  until: string;
  /** null: what the engine does by itself, for all of these. */
  scratchMebibytes: number | null;
  reserveMebibytes: number | null;
  /** For the state of the run. */
  scratchPlace: ChosenPath | null;
  mebibytesPerSecond: number | null;
  now: string;
  startAfresh: boolean;
  assumeStopped: boolean;
}

export const DEFAULT_RESCUE: RescueForm = {
  placement: 'auto',
  threshold: 0,
  until: '',
  scratchMebibytes: null,
  reserveMebibytes: null,
  scratchPlace: null,
  mebibytesPerSecond: null,
  now: '',
  startAfresh: false,
  assumeStopped: false
};

const MEBIBYTE = 1024 * 1024;
/** What the engine leaves free by itself. */
const DEFAULT_RESERVE_BYTES = 16 * MEBIBYTE;

export function rescueRequest(form: RescueForm): WindowRequestOf<'planRescue'> {
  const { placement, threshold, scratchMebibytes, reserveMebibytes, mebibytesPerSecond, now } = form;
  return {
    scavengePoint: placement,
    threshold,
    ...(scratchMebibytes === null ? {} : { scratchBytes: scratchMebibytes * MEBIBYTE }),
    ...(reserveMebibytes === null ? {} : { reserveBytes: reserveMebibytes * MEBIBYTE }),
    ...(form.scratchPlace === null ? {} : { scratchPlace: form.scratchPlace.id }),
    ...(mebibytesPerSecond === null ? {} : { bytesPerSecond: mebibytesPerSecond * MEBIBYTE }),
    ...(now === '' ? {} : { now: new Date(now).toISOString() }),
    ...(form.startAfresh ? { startAfresh: true } : {}),
    ...(form.assumeStopped ? { assumeStopped: true } : {})
  };
}

/** What may be used: the free space less what stays free, or less if a limit says so. */
export function usableBytes(request: Readonly<Record<string, unknown>>, freeBytes: number): number {
  const reserve = Number(request['reserveBytes'] ?? DEFAULT_RESERVE_BYTES);
  const limit = Number(request['scratchBytes'] ?? Infinity);
  return Math.max(0, Math.min(freeBytes - reserve, limit));
}
