/** A directory keeps the contract of backup targets. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NodeFileSystem } from '../../../../src-core/index.ts';
import { openTarget } from '../../../../src-main/backup/open-target.ts';
import { testTargetContract } from './contract.ts';

testTargetContract('a directory', async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-target-'));
  const location = path.join(root, 'backups');
  const open = await openTarget({
    location,
    fileSystem: new NodeFileSystem(),
    threads: 1,
    mustExist: false
  });
  return {
    target: open.target,
    takeAway: () => {
      fs.rmSync(location, { recursive: true });
      fs.writeFileSync(location, 'no directory any more');
      return Promise.resolve();
    },
    close: async () => {
      await open.close();
      fs.rmSync(root, { recursive: true, force: true });
    }
  };
});
