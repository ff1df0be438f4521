/** What a file that lies in the place of the scavenge state can make SQLite do: nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectState } from '../../../src-core/scavenge/state/connect-state.ts';

let directory: string;
let file: string;
const open: DatabaseSync[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-connect-'));
  file = path.join(directory, 'scavenging.db');
});
afterEach(() => {
  for (const database of open.splice(0)) database.close();
  rmSync(directory, { recursive: true, force: true });
});

function connected(options?: { readOnly?: boolean }): DatabaseSync {
  const database = connectState(file, options);
  open.push(database);
  return database;
}

describe('a connection to the scavenge state', () => {
  it('lets no statement write into the schema itself', () => {
    const database = connected();
    database.exec('CREATE TABLE one (key INTEGER); PRAGMA writable_schema = ON');
    expect(() => database.exec("UPDATE sqlite_schema SET sql = 'x' WHERE name = 'one'")).toThrow(
      'may not be modified'
    );
  });

  it('loads no extension', () => {
    const database = connected();
    expect(() => database.enableLoadExtension(true)).toThrow();
    expect(() => database.exec("SELECT load_extension('nothing')")).toThrow('not authorized');
  });

  it('runs no function that a schema names unless it is harmless', () => {
    const database = connected();
    expect(database.prepare('PRAGMA trusted_schema').get()).toEqual({ trusted_schema: 0 });
  });

  it('runs no trigger', () => {
    const database = connected();
    database.exec('CREATE TABLE one (key INTEGER); CREATE TABLE two (key INTEGER)');
    database.exec('CREATE TRIGGER follow AFTER INSERT ON one BEGIN INSERT INTO two VALUES (1); END');
    expect(() => database.exec('INSERT INTO one VALUES (1)')).toThrow('triggers nested too deep');
  });

  it('takes no value of more than 64 MiB, which no record of a log has', () => {
    const database = connected();
    const most = 64 * 1024 * 1024;
    expect(database.prepare(`SELECT length(zeroblob(${most})) AS length`).get()).toEqual({ length: most });
    expect(() => database.prepare(`SELECT length(zeroblob(${most + 1}))`).get()).toThrow('too big');
  });

  it('follows no reference between tables: the server has none', () => {
    const database = connected();
    expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 0 });
  });

  it('writes nothing when it only reads, and waits where the writer holds the file for a moment', () => {
    connected().exec('CREATE TABLE one (key INTEGER)');
    const reader = connected({ readOnly: true });
    expect(() => reader.exec('INSERT INTO one VALUES (1)')).toThrow('readonly');
    expect(reader.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 10_000 });
    expect(connected().prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 });
  });
});
