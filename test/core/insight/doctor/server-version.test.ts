/** What a server of each version reads and does, and which version wrote a directory last. */
import { expect, it } from 'vitest';
import {
  inferServerVersion,
  parseServerVersion,
  type ServerVersion
} from '../../../../src-core/insight/doctor/server-version.ts';

type Abilities = Pick<
  ServerVersion,
  | 'newestChunkVersion'
  | 'oldestTableVersion'
  | 'newestTableVersion'
  | 'endsAfterTruncation'
  | 'hasExistenceFilter'
  | 'hasArchive'
>;

function abilitiesOf(text: string): unknown[] {
  const version: Abilities = parseServerVersion(text);
  return [
    version.newestChunkVersion,
    version.oldestTableVersion,
    version.newestTableVersion,
    version.endsAfterTruncation,
    version.hasExistenceFilter,
    version.hasArchive
  ];
}

it.each([
  ['3.8.9', [2, 1, 1, false, false, false]],
  ['3.9.0', [2, 1, 2, false, false, false]],
  ['3.9.3', [2, 1, 2, false, false, false]],
  ['3.9.4', [2, 1, 3, false, false, false]],
  ['3.10', [2, 1, 3, false, false, false]],
  ['4.0.0', [3, 1, 3, false, false, false]],
  ['4.1.0', [3, 1, 4, false, false, false]],
  ['21.9.9', [3, 1, 4, false, false, false]],
  ['21.10', [3, 1, 4, false, true, false]],
  ['24.2.0', [3, 1, 4, false, true, false]],
  ['24.6.0', [4, 1, 4, true, true, false]],
  ['24.9.99', [4, 1, 4, true, true, false]],
  ['v24.10.1', [4, 2, 4, true, true, false]],
  ['25.0.0', [4, 2, 4, true, true, true]],
  ['25.1.0-rc.1', [4, 2, 4, true, true, true]]
])('a server %s reads and does what it did', (text, abilities) => {
  expect(abilitiesOf(text)).toEqual(abilities);
});

it('the text of a version is as it was written, without a v', () => {
  expect(parseServerVersion(' v23.10.6 ')).toMatchObject({ text: '23.10.6', isInferred: false });
  for (const wrong of ['', '23', 'latest', '23.x', '99999.1'])
    expect(() => parseServerVersion(wrong), wrong).toThrow(/is not a server version/);
});

it('a directory without chunks of the fourth format is that of an older server', () => {
  const chunk = (version: number, minCompatibleVersion: number, transformType = 0) => ({
    header: { version, minCompatibleVersion, transformType }
  });
  const inferred = (...chunks: ReturnType<typeof chunk>[]) =>
    inferServerVersion({ chunks } as unknown as Parameters<typeof inferServerVersion>[0]).text;
  expect(inferred()).toBe('24.6.0 or newer');
  expect(inferred(chunk(3, 3))).toBe('before 24.6.0');
  expect(inferred(chunk(3, 3), chunk(4, 3))).toBe('24.6.0 or newer');
  expect(inferred(chunk(4, 4, 1))).toBe('24.6.0 or newer');
  // The version field alone may be a changed byte.
  expect(inferred(chunk(4, 4))).toBe('before 24.6.0');
});
