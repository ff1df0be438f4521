/** What the checkpoints, the chunks and the command line mean for the next start: each reason with the server's answer. */
import { describe, expect, test } from 'vitest';
import type { StartFinding } from '../../../../src-core/insight/doctor/start-finding.ts';
import { writeText } from '../../../support/restore-fixture.ts';
import { bytesOf, CHUNK_SIZE, DATABASE, int64, overwrite } from '../../repair/repair-sample.ts';
import {
  examined,
  FIRST,
  int32,
  lastChunk,
  patch,
  reason,
  SECOND,
  type Change,
  type Options
} from './changed-start.ts';

test('a sound directory gives no reason', async () => {
  const { findings, prediction, ok } = await examined(() => undefined);
  expect(findings.map(({ code, effect }) => `${code}: ${effect}`)).toEqual(['existenceFilterMissing: none']);
  expect(prediction.then).toBe('runs');
  expect(ok).toBe(true);
});

describe('the log', () => {
  test.each<[string, string, Change, Options, Partial<StartFinding>]>([
    [
      'a chaser.chk that is no position refuses',
      'checkpointInvalid',
      (memory) => overwrite(memory, 'chaser.chk', int64(-5)),
      {},
      { effect: 'refuses', file: 'chaser.chk' }
    ],
    [
      'a checkpoint file that is too long is cut',
      'checkpointInvalid',
      (memory) => overwrite(memory, 'proposal.chk', Buffer.alloc(9)),
      {},
      { effect: 'none', wouldDo: 'It pads or cuts it to eight bytes and uses them.' }
    ],
    [
      'an encrypted chunk needs the plug-in',
      'encrypted',
      (memory) => patch(memory, SECOND, 34, Uint8Array.of(4, 1)),
      {},
      {
        effect: 'none',
        file: SECOND,
        wouldDo: expect.stringContaining('encryption plug-in') as string,
        command: null
      }
    ],
    [
      'first chunks that are not there refuse',
      'archiveGap',
      (memory) => memory.remove(`${DATABASE}/${FIRST}`),
      { serverVersion: '24.10.0' },
      { effect: 'refuses', serverSays: null, command: null }
    ],
    [
      'for a server with an archive they may lie there',
      'archiveGap',
      (memory) => memory.remove(`${DATABASE}/${FIRST}`),
      { serverVersion: '25.0.0' },
      { effect: 'refuses', wouldDo: expect.stringContaining('name the archive') as string, command: null }
    ],
    [
      'a missing chunk refuses, in the words of the server',
      'chunkMissing',
      (memory) => memory.remove(`${DATABASE}/${SECOND}`),
      {},
      { effect: 'refuses', serverSays: `${DATABASE}/${SECOND} not found.` }
    ],
    [
      'a chunk without version that claims to be merged refuses',
      'chunkHeaderInvalid',
      (memory) => {
        patch(memory, FIRST, 10, int32(1));
        patch(memory, FIRST, 14, int32(1));
        memory.remove(`${DATABASE}/${SECOND}`);
      },
      {},
      { effect: 'refuses', file: FIRST, offset: 10 }
    ],
    [
      'an undo that has not ended refuses',
      'undoUnfinished',
      (memory) => writeText(memory, `${DATABASE}/winnow-undo.json`, '{}'),
      {},
      { effect: 'refuses', wouldDo: expect.stringContaining('until the undo has ended') as string }
    ],
    [
      'a chunk of another owner than the superuser goes on under the superuser',
      'notOwnedByServerUser',
      (memory) => memory.changeOwner(`${DATABASE}/writer.chk`, 0, 0),
      {},
      { effect: 'none', wouldDo: 'It continues if it runs as the superuser.', severity: 'hint' }
    ],
    [
      'a chunk of another owner refuses',
      'notOwnedByServerUser',
      (memory) => memory.changeOwner(`${DATABASE}/${FIRST}`, 7, 7),
      {},
      { effect: 'refuses', severity: 'damage' }
    ],
    [
      'a chunk that was filled to the brim is completed',
      'chunkNotCompleted',
      (memory) => {
        const last = lastChunk(memory);
        const bytes = Buffer.alloc(128 + CHUNK_SIZE + 128);
        bytes.set(bytesOf(memory, last).subarray(0, 128 + CHUNK_SIZE));
        overwrite(memory, last, bytes);
        for (const name of ['writer', 'chaser']) overwrite(memory, `${name}.chk`, int64(4 * CHUNK_SIZE));
      },
      {},
      { effect: 'none', wouldDo: 'It writes the footer and continues with the next chunk.', command: null }
    ],
    [
      'one leftover is removed',
      'temporaryFile',
      (memory) => writeText(memory, `${DATABASE}/a.scavenge.tmp`, 'dear'),
      {},
      {
        message: 'a.scavenge.tmp (4 bytes) is left over from an interrupted rewrite.',
        wouldDo: 'It removes it.'
      }
    ],
    [
      'several leftovers are removed together',
      'temporaryFile',
      (memory) => {
        for (const name of ['a', 'b', 'c']) writeText(memory, `${DATABASE}/${name}.scavenge.tmp`, 'dear');
      },
      {},
      {
        message: 'a.scavenge.tmp and 2 more (12 bytes) are left over from an interrupted rewrite.',
        wouldDo: 'It removes them.'
      }
    ]
  ])('%s', async (_name, code, change, options, expected) => {
    const found = await reason(code, change, options);
    expect(found).toMatchObject([expected]);
  });

  test('without a record and without checkpoints is not called overwritten', async () => {
    const { findings } = await examined((memory) => {
      for (const { name } of memory
        .list(DATABASE)!
        .filter(({ name: file }) => /^chunk-(?!000000)/.test(file)))
        memory.remove(`${DATABASE}/${name}`);
      for (const name of ['writer', 'chaser', 'epoch']) memory.remove(`${DATABASE}/${name}.chk`);
      overwrite(
        memory,
        FIRST,
        Buffer.concat([bytesOf(memory, FIRST).subarray(0, 128), Buffer.alloc(CHUNK_SIZE + 128)])
      );
      memory.removeDirectory(`${DATABASE}/index`);
    });
    expect(findings.map(({ code }) => code)).not.toContain('logOverwritten');
  });
});

test.each([
  [
    ['--max-auto-merge-index-level', '-1'],
    /must be attached with "="\.$/,
    'Write the value of MaxAutoMergeIndexLevel directly after "=".'
  ],
  [
    ['--max-truncation', '--insecure'],
    /the value of MaxTruncation is not a whole number\.$/,
    'Write a whole number, or leave the setting out.'
  ],
  [['--max-truncation', '-1'], /must be attached with "="\.$/, 'Write it as --max-truncation=-1.'],
  [
    ['--max-truncation=all'],
    /the value of MaxTruncation is not a whole number\.$/,
    'Write a whole number, or leave the setting out.'
  ],
  [
    ['--max-auto-merge-index-level', 'ten'],
    /the value of MaxAutoMergeIndexLevel is not/,
    'Write a whole number, or leave the setting out.'
  ]
])(
  'the command line %j is refused, with the word that is wrong',
  async (serverArguments, message, remedy) => {
    const found = await reason('serverOptionInvalid', () => undefined, { serverArguments });
    expect(found).toMatchObject([{ effect: 'refuses', remedy }]);
    expect(found[0]?.message).toMatch(message);
  }
);
