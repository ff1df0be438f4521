/** All nodes at a glance: sound and damaged ones, one that is gone, one with a long name. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { inStudio, type Album } from './studio.ts';

const NODES = [
  'orders-1',
  'orders-2',
  'orders-3',
  'billing',
  'customer-correspondence-archive-of-the-northern-region',
  'customer-correspondence-archive-of-the-southern-region',
  'reporting'
];

export async function takeFleet(directory: Album): Promise<void> {
  const prepare = (home: string): void => {
    const registry = new NodeRegistry(home, Date.now);
    const add = (name: string, from: string): string => {
      const data = path.join(home, 'databases', name);
      mkdirSync(path.dirname(data), { recursive: true });
      cpSync(from, data, { recursive: true });
      registry.open({ dataDirectory: data });
      return data;
    };
    for (const name of NODES) add(name, unpackDatabase({ name: 'rules', folder: 'before' }));
    add('sessions', unpackDamaged('damaged-b-footer-md5'));
    rmSync(add('shipping', unpackDatabase({ name: 'rules', folder: 'after-t0' })), { recursive: true });
  };
  try {
    await inStudio({ directory, prepare }, async ({ page, show, take }) => {
      await show('Check and repair');
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText(/^No damage found/).waitFor();
      await show('Usage');
      await page.getByRole('option', { name: /^session / }).hover();
      await page.getByRole('button', { name: 'All nodes at a glance' }).click();
      await page.getByText(/^10 nodes, \d need/).waitFor();
      await take('fleet');
    });
  } finally {
    removeUnpacked();
  }
}
