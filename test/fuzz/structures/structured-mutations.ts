/**
 * Changes of what a database says, each with every checksum made to fit: one field, entry or line of a structure that is
 * named. Nothing here is found by a hash; only what contradicts itself or something else can be.
 */
import type { Change } from './change.ts';
import { filter, indexMap, midpoints, tableEntries, tableForm } from './index-mutations.ts';
import {
  checkpoints,
  chunkFooter,
  chunkHeader,
  epoch,
  isMetadata,
  mapEntries,
  METADATA,
  ODD_TEXTS,
  recordData,
  recordField,
  recordLengths,
  scavengePoint
} from './log-mutations.ts';

/** By name: what is changed. */
export const STRUCTURES = {
  'record lengths': (files, prng, image) =>
    prng.chance(0.5) ? recordLengths(files, prng, image) : recordField(/^length /)(files, prng, image),
  positions: recordField(/position/),
  'record fields': recordField(/^(?!length|log)/),
  'stream metadata': recordData(isMetadata, [...METADATA, ...ODD_TEXTS]),
  'scavenge points': scavengePoint,
  epochs: epoch,
  'chunk headers': chunkHeader,
  'chunk footers': chunkFooter,
  'map entries': mapEntries,
  'table entries': tableEntries,
  midpoints,
  'table forms': tableForm,
  filters: filter,
  'index maps': indexMap,
  checkpoints
} as const satisfies Record<string, Change>;
export type Structure = keyof typeof STRUCTURES;
