/**
 * The resources of `resources/kubernetes`: valid by the published schemas of Kubernetes, confined as its "restricted" pod
 * standard asks, and with commands that Winnow knows.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { PodSpec } from 'kubernetes-models/v1/PodSpec';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runWinnow } from '../cli/run-winnow.ts';
import packageFacts from '../../../package.json' with { type: 'json' };

const FOLDER = fileURLToPath(new URL('../../../resources/kubernetes/', import.meta.url));
const KINDS = { CronJob, Deployment, Job, NetworkPolicy, PersistentVolumeClaim, Service };

interface Resource {
  title: string;
  content: { kind: keyof typeof KINDS; apiVersion: string; metadata: { name: string }; spec: unknown };
}

const resources: Resource[] = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(`${FOLDER}${file}`, 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    const content = document.toJS() as Resource['content'];
    return { title: `${file}: ${content.kind} ${content.metadata.name}`, content };
  })
);

const podsIn = (content: unknown): PodSpec[] => {
  if (typeof content !== 'object' || content === null) return [];
  if ('containers' in content) return [content as PodSpec];
  return Object.values(content).flatMap(podsIn);
};
const pods = resources.flatMap(({ title, content }) => podsIn(content).map((pod) => ({ title, pod })));
const containersOf = ({ initContainers = [], containers }: PodSpec): PodSpec['containers'] => [
  ...initContainers,
  ...containers
];

describe.each(resources)('$title', ({ content }) => {
  it('is valid by the published schema', () => {
    const Kind = KINDS[content.kind];
    const made = new Kind(content as never);
    expect(() => made.validate()).not.toThrow();
    expect(made.apiVersion).toBe(content.apiVersion);
    // The schema is asked in earnest: what it does not know is refused.
    const wrong = new Kind({ ...content, spec: 'none' } as never);
    expect(() => wrong.validate()).toThrow(/spec/);
  });
});

describe.each(pods)('a pod of $title', ({ pod }) => {
  it('is confined as the restricted standard asks, and more', () => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' }
    });
    for (const { securityContext, resources: limits } of containersOf(pod)) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] }
      });
      expect(limits?.limits?.['memory']).toBeDefined();
    }
  });

  it('mounts only volumes that it has, and takes secrets from files', () => {
    const names = new Set((pod.volumes ?? []).map(({ name }) => name));
    for (const { volumeMounts = [], env = [] } of containersOf(pod)) {
      for (const { name } of volumeMounts) expect(names).toContain(name);
      for (const { name, value } of env) expect(`${name}=${value ?? ''}`).not.toMatch(/(PASSWORD|KEY)=./);
    }
  });

  it('runs commands that Winnow has, of this version', async () => {
    for (const { args = [], image } of containersOf(pod)) {
      expect(image).toBe(`winnow:${packageFacts.version}`);
      // Refused for its place, its key or the lack of a store: not for its words.
      const words = args.map((word) => word.replace(/^0\.0\.0\.0$/, '127.0.0.1'));
      const done = await runWinnow(words, { environment: { AWS_EC2_METADATA_DISABLED: 'true' } });
      expect(done.stderr + done.stdout).not.toMatch(/unknown (option|command)|is not a|too many arguments/i);
      expect([2, 10, 15]).toContain(done.exitCode);
    }
  });
});

it('has two jobs, a cron job, a deployment with its claim, its service and its network policy', () => {
  expect(resources.map(({ content }) => content.kind).sort()).toEqual([
    ...['CronJob', 'Deployment', 'Job', 'Job', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service']
  ]);
});
