/** What large installations look like: three hundred backups, ten thousand chunks, ten nodes with long names. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { writeManyChunks } from '../../../scripts/bench/scavenge-database.mjs';
import { writeBackups } from '../../../scripts/scale/write-backups.mjs';
import { inStudio, type Album } from './studio.ts';

const BACKUPS = 300;
const CHUNKS = 10_000;
const NAMES = [
  'orders-1',
  'orders-2',
  'orders-3',
  'billing',
  'customer-correspondence-archive-of-the-northern-region',
  'customer-correspondence-archive-of-the-southern-region',
  'reporting',
  'sessions',
  'telemetry-of-all-vehicles-since-2019'
];

export async function takeLarge(directory: Album): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-large-'));
  try {
    const rules = unpackDatabase({ name: 'rules', folder: 'before' });
    const target = path.join(scratch, 'target');
    await writeBackups({ dataDirectory: rules, target, count: BACKUPS });
    const chunks = path.join(scratch, 'chunks');
    await writeManyChunks({ dataDirectory: chunks, chunks: CHUNKS });
    const prepare = (home: string): void => {
      const registry = new NodeRegistry(home, Date.now);
      const add = (name: string, from: string): string => {
        const data = path.join(home, 'databases', name);
        mkdirSync(path.dirname(data), { recursive: true });
        cpSync(from, data, { recursive: true });
        return registry.open({ dataDirectory: data }).id;
      };
      for (const name of NAMES) add(name, rules);
      cpSync(target, path.join(home, 'backups'), { recursive: true });
      registry.edit(add('ledger', rules), { backupTarget: path.join(home, 'backups') });
      add('ten-thousand-chunks', chunks);
    };
    await inStudio({ directory, hasSample: false, prepare }, async ({ page, show, take }) => {
      const nodes = page.getByRole('navigation', { name: 'Nodes' });
      const open = (name: string) => nodes.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await open('ledger');
      await show('Backups');
      await page.getByRole('row').nth(3).waitFor();
      await take('large-backups');
      await open('ten-thousand-chunks');
      await show('Chunks');
      await page.getByRole('row').nth(3).waitFor();
      await take('large-chunks');
      await show('Overview');
      await take('large-nodes');
    });
  } finally {
    removeUnpacked();
    rmSync(scratch, { recursive: true, force: true });
  }
}
