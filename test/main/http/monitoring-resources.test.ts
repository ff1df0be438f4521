/** The dashboard and the alerts ask for metrics that a service has, and for labels that these have. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { NodeScavenges } from '../../../src-main/cluster/node-scavenges.ts';
import type { GrowthReport } from '../../../src-main/contract/operations/usage-reports.ts';
import { createMetrics } from '../../../src-main/http/metrics.ts';
import { clusterReport } from '../../support/cluster-report.ts';
import { fleetNode } from '../../support/fleet-node.ts';

const resource = (name: string): string =>
  readFileSync(new URL(`../../../resources/monitoring/${name}`, import.meta.url), 'utf8');

const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      description: z.string().min(10),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1)
    })
  )
});
const alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['info', 'warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() })
        })
      )
    })
  )
});

/** Every metric with the labels that its samples have. */
const labelsOf = new Map<string, Set<string>>();

beforeAll(async () => {
  const full = { days: 3, at: '2026-03-21T00:00:00.0000000Z' };
  const scavenges = new EventEmitter();
  const registry = createMetrics(
    {
      clusters: () => Promise.resolve(clusterReport()),
      node: {
        scavenges: { events: scavenges, current: undefined } as unknown as NodeScavenges,
        replacedBytes: () => Promise.resolve(0),
        lastComparison: () => ({ dataDirectory: '/db', endedAtMs: 0, sides: 2, differences: 0 }),
        standing: () => Promise.resolve(fleetNode()),
        haveStatisticsPiledUp: () => Promise.resolve(true),
        coverage: () =>
          Promise.resolve({
            files: 1,
            bytes: 1,
            verifiedFiles: 1,
            verifiedBytes: 1,
            damagedFiles: 0,
            unknownFiles: 0,
            oldest: '2026-03-10T23:00:00.0000000Z',
            withinMs: 1,
            isWhole: true
          }),
        growth: () =>
          Promise.resolve({
            growth: { writtenPerDay: 1, lastingPerDay: 1 },
            full: { withoutScavenges: full, withScavenges: full }
          } as GrowthReport)
      }
    },
    () => Date.parse('2026-03-11T00:00:00Z')
  );
  const note = async (): Promise<void> => {
    const samples = (await registry.metrics()).matchAll(/^([a-z]\w*)(?:\{([^}]*)\})? \S+$/gm);
    for (const [, name, labels] of samples) {
      const known = labelsOf.get(name!) ?? new Set();
      for (const [, label, value] of (labels ?? '').matchAll(/(\w+)="([^"]*)"/g)) {
        known.add(label!);
        known.add(`${label}="${value}"`);
      }
      labelsOf.set(name!, known);
    }
  };
  // What a run is doing is gone when it has ended.
  scavenges.emit('progress', 'run', { phase: 'accumulation', unit: 'bytes', done: 1, savedBytes: 1 });
  await note();
  scavenges.emit('ended', 'run', 'Errored');
  await note();
});

/** Metrics of an expression that no service of ours has, and labels that its metric has not. */
function unknownIn(expression: string): string[] {
  const unknown: string[] = [];
  for (const [, name, selector] of expression.matchAll(/\b((?:winnow|kurrentdb)_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = labelsOf.get(name!);
    if (!labels) unknown.push(name!);
    for (const [, label, isMatch, value] of (selector ?? '').matchAll(/(\w+)=(~?)"([^"]*)"/g)) {
      if (label === 'instance') continue; // Prometheus adds it
      if (!labels?.has(isMatch === '' ? `${label}="${value}"` : label!)) unknown.push(`${name}: ${label}`);
    }
  }
  return unknown;
}

describe('what is handed to those who monitor', () => {
  it('is a dashboard of metrics that exist, whose panels do not cover each other', () => {
    const { panels, templating } = dashboard.parse(JSON.parse(resource('grafana-dashboard.json')));
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unknownIn(expr)))).toEqual([]);
    expect(panels.every(({ targets }) => targets.every(({ expr }) => /(winnow|kurrentdb)_/.test(expr)))).toBe(
      true
    );
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
    for (const [at, { gridPos: a }] of panels.entries()) {
      expect(a.x + a.w).toBeLessThanOrEqual(24);
      for (const { gridPos: b } of panels.slice(at + 1)) {
        expect(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h).toBe(false);
      }
    }
  });

  it('is alerts on metrics that exist, each with what to do', () => {
    const { groups } = alerts.parse(parse(resource('prometheus-alerts.yml')));
    const rules = groups.flatMap(({ rules: some }) => some);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});
