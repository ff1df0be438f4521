/** What lies beside a package says what it was made of, in a shape that others' tools read. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeProvenance, writeSums, type PackageProvenance } from '../../scripts/make-provenance.mjs';

let release: string;
beforeEach(() => (release = mkdtempSync(path.join(tmpdir(), 'winnow-release-'))));
afterEach(() => rmSync(release, { recursive: true, force: true }));

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const sum = (text: string): string => createHash('sha256').update(text).digest('hex');
const about: PackageProvenance = {
  command: 'npm run package:tar',
  isTrial: false,
  commit: { id: COMMIT, isChanged: false },
  runtimes: {
    electron: {
      version: '42.0.0',
      sha256: sum('electron'),
      archive: 'electron-v42.0.0-linux-x64.zip',
      archiveSha256: sum('zip'),
      isPublished: true
    },
    node: { version: '24.0.0', sha256: sum('node'), isPublished: false }
  },
  tools: { node: 'v24.0.0', xz: 'xz (XZ Utils) 5.4.1' },
  lock: sum('lock'),
  homepage: 'https://example.org'
};

const packed = (name: string, content: string): string => {
  const file = path.join(release, name);
  writeFileSync(file, content);
  return file;
};

interface Statement {
  subject: unknown;
  predicate: {
    buildDefinition: { resolvedDependencies: { name: string; digest?: object; annotations?: object }[] };
  };
}
const statementOf = (file: string): Statement =>
  JSON.parse(readFileSync(`${file}.provenance.json`, 'utf8')) as Statement;

test('the statement names the package, the commit, the command, the tools and both runtimes by their digests', async () => {
  const file = packed('winnow-1.0.0-linux-x64.tar.xz', 'the package');
  await writeProvenance(file, about);
  const statement = statementOf(file);
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'winnow-1.0.0-linux-x64.tar.xz', digest: { sha256: sum('the package') } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://example.org/winnow/package/v1',
        externalParameters: { command: 'npm run package:tar', trial: false },
        internalParameters: { commitKnown: true, uncommittedChanges: false }
      },
      runDetails: { builder: { id: 'https://example.org/winnow/scripts', version: about.tools } }
    }
  });
  const inside = new Map(
    statement.predicate.buildDefinition.resolvedDependencies.map((found) => [found.name, found])
  );
  expect(inside.get('source')?.digest).toEqual({ gitCommit: COMMIT });
  expect(inside.get('package-lock.json')?.digest).toEqual({ sha256: sum('lock') });
  expect(inside.get('electron')).toMatchObject({
    digest: { sha256: sum('electron') },
    annotations: { comparedWithPublished: true }
  });
  expect(inside.get('electron-v42.0.0-linux-x64.zip')?.digest).toEqual({ sha256: sum('zip') });
  expect(inside.get('node')?.annotations).toEqual({ comparedWithPublished: false });
});

test('a package without runtimes, from sources without a repository, claims neither', async () => {
  const file = packed('winnow-1.0.0.tgz', 'the package');
  await writeProvenance(file, { ...about, commit: undefined, runtimes: undefined });
  const { resolvedDependencies } = statementOf(file).predicate.buildDefinition;
  expect(resolvedDependencies.map(({ name }) => name)).toEqual(['source', 'package-lock.json']);
  expect(resolvedDependencies[0]).not.toHaveProperty('digest');
});

test('sha256sum accepts the sums of all packages, and finds a changed one', async () => {
  packed('winnow.cdx.json', '{}');
  await writeProvenance(packed('winnow_1.0.0_amd64.deb', 'one'), about);
  const other = packed('winnow-1.0.0.tgz', 'another');
  await writeProvenance(other, about);
  packed('notes.txt', 'no package');
  const check = (): string =>
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' });
  const good = [
    'winnow-1.0.0.tgz: OK',
    'winnow-1.0.0.tgz.provenance.json: OK',
    'winnow.cdx.json: OK',
    'winnow_1.0.0_amd64.deb: OK',
    'winnow_1.0.0_amd64.deb.provenance.json: OK'
  ];
  expect(check().trim().split('\n')).toEqual(good);

  writeFileSync(other, 'changed');
  const changed = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' });
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain('winnow-1.0.0.tgz: FAILED');

  // One that is gone is no longer named, though its statement is still there.
  rmSync(other);
  await writeSums(release);
  expect(check().trim().split('\n')).toEqual(good.slice(1));
  expect(readdirSync(release).filter((name) => name.endsWith('.new'))).toEqual([]);
});
