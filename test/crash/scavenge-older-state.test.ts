/**
 * A power cut may take back commits of the state. Here the state of a finished scavenge is set back to each moment of
 * its run, however early, while the files stay as they are; the next run ends as the first did. Cuts within a run,
 * with the state as it can be then: scavenge-cuts.ts.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import { contentOf } from '../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { recordCampaign } from '../support/proof-record.ts';
import { ScavengeSamples } from '../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 130_000, chunkSizeBytes: 32768, seed: 3 };
const STATE = join('index', 'scavenging');

describe('a power cut', () => {
  it('that sets the state back to any earlier moment is harmless', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    const stateDirectory = join(dataDirectory, STATE);
    const moments: string[] = [];
    const keepMoment = () => {
      const moment = join(samples.directory(), 'scavenging');
      mkdirSync(moment);
      for (const name of ['scavenging.db', 'scavenging.db-wal']) {
        if (existsSync(join(stateDirectory, name)))
          copyFileSync(join(stateDirectory, name), join(moment, name));
      }
      moments.push(moment);
    };
    await runScavenge(
      scavengeRequest(dataDirectory),
      scavengeEnvironment({ trace: { checkpointing: keepMoment } })
    );
    const expected = await contentOf(dataDirectory);
    expect(moments.length).toBeGreaterThan(15);
    const faults = 'commits of the state lost';
    recordCampaign({
      ...{
        name: 'state of a scavenge set back to each moment of its run',
        promise: 'random',
        operation: 'scavenge'
      },
      ...{ faults, counts: { cases: moments.length } }
    });

    for (const [number, moment] of moments.entries()) {
      const directory = samples.copy(dataDirectory);
      const state = join(directory, STATE);
      rmSync(state, { recursive: true });
      mkdirSync(dirname(state), { recursive: true });
      copyTree(
        { fileSystem: new NodeFileSystem(), path: moment },
        { fileSystem: new NodeFileSystem(), path: state }
      );
      await runScavenge(scavengeRequest(directory), scavengeEnvironment());
      const { records, tables } = await contentOf(directory);
      expect(records, `records after moment ${number}`).toEqual(expected.records);
      expect(tables, `entries after moment ${number}`).toEqual(expected.tables);
    }
  });
});
