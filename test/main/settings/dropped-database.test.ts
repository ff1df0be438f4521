import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { droppedDatabase } from '../../../src-main/settings/dropped-database.ts';

let directory: string;

beforeAll(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-dropped-'));
  fs.writeFileSync(path.join(directory, 'writer.chk'), '');
  fs.writeFileSync(path.join(directory, 'node.yaml'), 'Db: /var/lib/data\nClusterSize: 3\n');
});
afterAll(() => fs.rmSync(directory, { recursive: true }));

describe('what is dropped on the window', () => {
  it('is a data directory', () => {
    expect(droppedDatabase(directory)).toEqual({ dataDirectory: directory });
  });

  it('means the directory it lies in when it is a file of a database', () => {
    expect(droppedDatabase(path.join(directory, 'writer.chk'))).toEqual({ dataDirectory: directory });
  });

  it('is read as a server configuration when its name says so', () => {
    const file = path.join(directory, 'node.yaml');
    expect(droppedDatabase(file)).toMatchObject({
      dataDirectory: '/var/lib/data',
      clusterSize: 3,
      configurationFile: file
    });
  });

  it('is refused when it has no place on the disk, or is gone', () => {
    expect(() => droppedDatabase('')).toThrow('no path on this disk');
    expect(() => droppedDatabase(path.join(directory, 'gone'))).toThrow('cannot be read');
  });
});
