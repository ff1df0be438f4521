/** The window's service without a window: a home, stopped nodes in it, a real engine, the events the page would hear. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startWorkerEngine, type EngineHost } from '../../../src-main/engine/engine-host.ts';
import type { PasswordCipher } from '../../../src-main/cluster/cluster-credentials.ts';
import type { AutoScavengeSnapshot } from '../../../src-main/contract/verbs/cluster-contract.ts';
import type { ClusterVerbHandlers } from '../../../src-main/verbs/absent-cluster-verbs.ts';
import type { WindowEvent } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { WorkKeeper } from '../../../src-main/verbs/work-keeper.ts';
import { NodeRegistry, type RegisteredNode } from '../../../src-main/settings/node-registry.ts';
import { startWindowHost, type WindowHost } from '../../../src-main/hosting/window-host.ts';
import { unpackDatabase } from '../../support/golden.ts';

const TICK_MS = 50;
const PATIENCE_MS = 60_000;

export class HostWorld {
  readonly directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-service-'));
  readonly home = path.join(this.directory, 'home');
  readonly nodes: NodeRegistry;
  readonly events: WindowEvent[] = [];
  engine: EngineHost;
  readonly work = new WorkKeeper({
    clock: () => this.nowMs,
    onChange: (snapshot) => this.events.push({ kind: 'work', snapshot }),
    onForget: () => undefined
  });
  service: WindowHost | undefined;
  nowMs = Date.parse('2026-08-03T05:59:30Z');
  /** The answers of dialogs. */
  chosen: string | undefined;
  cipher: PasswordCipher | undefined;
  environment: Record<string, string> = {};

  constructor() {
    fs.mkdirSync(this.home);
    this.nodes = new NodeRegistry(this.home, () => this.nowMs);
    this.engine = startWorkerEngine();
  }

  /** A stopped node in the list. */
  node(name: string): RegisteredNode {
    const directory = path.join(this.directory, name);
    fs.cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
    return this.nodes.open({ dataDirectory: directory });
  }

  /** As the window does when it opens. */
  start(): ClusterVerbHandlers {
    this.service = startWindowHost({
      home: this.home,
      engine: this.engine,
      serviceEngine: this.engine,
      work: this.work,
      nodes: this.nodes,
      clock: () => this.nowMs,
      environment: { ...this.environment, SERVICE_AUTO_SCAVENGE__TIME_ZONE: 'UTC' },
      cipher: this.cipher,
      chooseCertificate: async () => this.chosen,
      chooseLicence: async () => this.chosen,
      send: (event) => this.events.push(event),
      log: () => undefined,
      tickMs: TICK_MS
    });
    return this.service.verbs;
  }

  get verbs(): ClusterVerbHandlers {
    return this.service?.verbs ?? this.start();
  }

  /** Until what the page is shown is as it should be. */
  async until(
    cluster: string,
    isSo: (snapshot: AutoScavengeSnapshot) => boolean
  ): Promise<AutoScavengeSnapshot> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const snapshot = await this.verbs.autoScavengeStatus({ cluster });
      if (isSo(snapshot)) return snapshot;
      if (performance.now() > deadline) throw new Error(`it never came to it: ${JSON.stringify(snapshot)}`);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /** The window closes; what lies in the home stays. */
  async stop(): Promise<void> {
    await this.service?.close();
    this.service = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    await this.engine.close();
    fs.rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What the conditions say that are not met. */
export function missing({ checklist }: AutoScavengeSnapshot): string[] {
  return checklist.filter(({ isOk }) => !isOk).map(({ item }) => item);
}
