/** The order of the documentation, and which page belongs to which view. */
import type { Place, View } from '../places.svelte.ts';

/** Every page once, by its name. */
export const CONTENTS = [
  {
    part: 'start',
    pages: ['first-steps', 'first-backup', 'window', 'tables', 'sample', 'install', 'glossary']
  },
  {
    part: 'look',
    pages: [
      'inspect',
      'chunks',
      'weights',
      'records',
      'streams',
      'read',
      'index',
      'usage',
      'forecast',
      'projections',
      'thresholds',
      'explain'
    ]
  },
  {
    part: 'act',
    pages: [
      'scavenge',
      'plan',
      'undo',
      'backup',
      'backup-scavenge',
      'restore',
      'doctor',
      'startup',
      'verify',
      'diff',
      'extract',
      'bundle',
      'export',
      'repair',
      'erasure',
      'redact',
      'rescue',
      'history'
    ]
  },
  {
    part: 'clusters',
    pages: [
      'cluster',
      'schedule',
      'fleet',
      'auto-scavenge',
      'serve',
      'client',
      'service',
      'container',
      'kubernetes',
      'browser',
      'settings'
    ]
  },
  {
    part: 'winnow',
    pages: ['command-line', 'errors', 'settings-view', 'activity', 'digests', 'proof']
  }
] as const;

export type PageName = (typeof CONTENTS)[number]['pages'][number];

const OF_VIEW: Readonly<Record<View, PageName>> = {
  overview: 'inspect',
  chunks: 'chunks',
  records: 'records',
  streams: 'streams',
  index: 'index',
  usage: 'usage',
  scavenge: 'scavenge',
  backups: 'backup',
  restore: 'restore',
  verify: 'doctor',
  erasure: 'erasure',
  rescue: 'rescue',
  schedule: 'auto-scavenge',
  node: 'serve',
  extract: 'extract'
};

/** The page about what is shown at a place. */
export function pageAbout({ application, cluster, nodeId, view }: Place): PageName {
  if (application === 'restore') return 'restore';
  if (application === 'settings' || application === 'about') return 'settings-view';
  if (application === 'activity' || application === 'fleet') return application;
  if (cluster !== null) return view === 'schedule' ? 'auto-scavenge' : 'cluster';
  return nodeId === null ? 'first-steps' : OF_VIEW[view];
}
