/** The sign of each view, the same wherever the view is named. */
import type { Component } from 'svelte';
import Archive from '@lucide/svelte/icons/archive';
import ArchiveRestore from '@lucide/svelte/icons/archive-restore';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import ChartPie from '@lucide/svelte/icons/chart-pie';
import Eraser from '@lucide/svelte/icons/eraser';
import FileOutput from '@lucide/svelte/icons/file-output';
import Gauge from '@lucide/svelte/icons/gauge';
import LayoutGrid from '@lucide/svelte/icons/layout-grid';
import LifeBuoy from '@lucide/svelte/icons/life-buoy';
import ListTree from '@lucide/svelte/icons/list-tree';
import Recycle from '@lucide/svelte/icons/recycle';
import Rows3 from '@lucide/svelte/icons/rows-3';
import Server from '@lucide/svelte/icons/server';
import Stethoscope from '@lucide/svelte/icons/stethoscope';
import Waypoints from '@lucide/svelte/icons/waypoints';
import type { View } from '../state/places.svelte.ts';

export const VIEW_ICONS: Readonly<Record<View, Component<{ size?: number }>>> = {
  overview: Gauge,
  chunks: LayoutGrid,
  records: Rows3,
  streams: Waypoints,
  index: ListTree,
  usage: ChartPie,
  scavenge: Recycle,
  backups: Archive,
  restore: ArchiveRestore,
  verify: Stethoscope,
  erasure: Eraser,
  rescue: LifeBuoy,
  schedule: CalendarClock,
  node: Server,
  extract: FileOutput
};
