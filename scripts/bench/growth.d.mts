import type { PartFigures } from './figure-tables.mjs';

export type GrowthKind = 'size' | 'streams';

export interface GrowthPoint {
  x: number;
  logBytes: number;
  records: number;
  streams: number;
  values: { series: string; isAsked: boolean; ms: number | undefined; peakBytes: number | undefined }[];
}

export function growthPoints(parts: Readonly<Record<string, PartFigures>>, kind: GrowthKind): GrowthPoint[];
export function growthTable(points: readonly GrowthPoint[], kind: GrowthKind): string;
