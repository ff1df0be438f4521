import type { GrowthKind, GrowthPoint } from './growth.mjs';

export function growthPictures(
  points: readonly GrowthPoint[],
  kind: GrowthKind
): { time: string; memory: string };
