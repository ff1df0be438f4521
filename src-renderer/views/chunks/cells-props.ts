/** What both ways to draw the cells of a log are given. */
import type { CellLook } from '../../state/chunk-map/cell-paths.ts';
import type { MapLayout } from '../../state/chunk-map/map-layout.ts';
import type { ColourBy } from '../../state/chunk-shares.ts';
import type { LogPlace } from '../../state/log-places.ts';

export interface CellsProps {
  uid: string;
  log: readonly LogPlace[];
  layout: MapLayout;
  colourBy: ColourBy;
  /** Index of the selected place; -1: none. */
  at: number;
  /** null: a gap. */
  lookOf: (index: number) => CellLook | null;
  titleOf: (place: LogPlace) => string;
}
