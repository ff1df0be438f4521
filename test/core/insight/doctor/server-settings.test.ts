import { expect, it } from 'vitest';
import { parseServerArguments } from '../../../../src-core/insight/doctor/server-settings.ts';
import { parseServerVersion } from '../../../../src-core/insight/doctor/server-version.ts';

it('reads names in the spellings that the server takes', () => {
  expect(parseServerArguments(['--skip-db-verify', '--SkipIndexVerify=true']).skipDbVerify).toBe(true);
  expect(parseServerArguments(['--skip-db-verify', '--SkipIndexVerify=true']).skipIndexVerify).toBe(true);
  expect(parseServerArguments(['--skip-db-verify=false']).skipDbVerify).toBe(false);
  expect(parseServerArguments(['--skip-db-verify', 'False']).skipDbVerify).toBe(false);
  expect(parseServerArguments(['--max-truncation', '10000']).maxTruncationBytes).toBe(10000);
  expect(parseServerArguments(['--max-truncation=-1']).maxTruncationBytes).toBe(-1);
  expect(parseServerArguments(['--max-auto-merge-index-level=4']).maxAutoMergeLevel).toBe(4);
});

it('passes over options that say nothing about a start', () => {
  const { refusal, ...settings } = parseServerArguments(['--max-mem-table-size', '1000', '--insecure']);
  expect(refusal).toBeUndefined();
  expect(settings).toMatchObject({ skipDbVerify: false, maxTruncationBytes: 268435456 });
});

it('knows that the server does not take a negative number as a word of its own', () => {
  expect(parseServerArguments(['--max-truncation', '-1']).refusal?.says).toBe(
    "Invalid Configuration: Failed to convert configuration value '--1=true' at 'MaxTruncation' to type 'System.Int64'."
  );
});

it.each([
  [[], false],
  [['--write-stats-to-db'], true],
  [['--WriteStatsToDb=true'], true],
  [['--write-stats-to-db', 'false'], false]
])('knows whether statistics go into the log: %j', (words, writes) => {
  expect(parseServerArguments(words).writesStatistics).toBe(writes);
});

it.each([['--max-truncation'], ['--max-truncation='], ['--max-auto-merge-index-level=many']])(
  'knows that the server takes no number from %s',
  (word) => {
    expect(parseServerArguments([word]).refusal).toMatchObject({
      isDetached: false,
      says: expect.stringMatching(/^Invalid Configuration: Failed to convert/) as string
    });
  }
);

it.each([
  ['3.9.3', { newestChunkVersion: 2, newestTableVersion: 2, endsAfterTruncation: false }],
  ['23.10', { newestChunkVersion: 3, oldestTableVersion: 1, endsAfterTruncation: false }],
  ['v24.6.0', { newestChunkVersion: 4, oldestTableVersion: 1, endsAfterTruncation: true }],
  ['24.10.1-rc.1', { newestChunkVersion: 4, oldestTableVersion: 2, hasArchive: false }],
  ['25.0', { hasArchive: true, isInferred: false, text: '25.0' }]
])('knows what a server %s does', (version, facts) => {
  expect(parseServerVersion(version)).toMatchObject(facts);
});

it.each(['', 'newest', '24', '24.x'])('refuses "%s" as a version', (text) => {
  expect(() => parseServerVersion(text)).toThrow(/is not a server version/);
});
