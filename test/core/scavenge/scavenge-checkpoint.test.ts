import { describe, expect, it } from 'vitest';
import {
  decodeScavengeCheckpoint,
  encodeScavengeCheckpoint,
  type ScavengeCheckpoint
} from '../../../src-core/scavenge/state/scavenge-checkpoint.ts';
import {
  decodeScavengePointData,
  type ScavengePoint
} from '../../../src-core/scavenge/points/scavenge-point.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';

const scavengePoint: ScavengePoint = {
  position: 1234,
  number: 5,
  effectiveNow: ticksFromIso('2022-01-05T00:00:00Z')!,
  threshold: 567
};
const POINT = '{"position":1234,"eventNumber":5,"effectiveNow":"2022-01-05T00:00:00Z","threshold":567}';
const text = (stage: string, rest = '') =>
  `{"scavengePoint":${POINT},"schemaVersion":"V0","checkpointStage":"${stage}"${rest}}`;

const cases: [ScavengeCheckpoint, string][] = [
  [{ stage: 'accumulating', scavengePoint, doneChunk: null }, text('Accumulating')],
  [
    { stage: 'accumulating', scavengePoint, doneChunk: 0 },
    text('Accumulating', ',"doneLogicalChunkNumber":0')
  ],
  [{ stage: 'calculating', scavengePoint, doneStream: null }, text('Calculating')],
  [
    { stage: 'calculating', scavengePoint, doneStream: { kind: 'id', stream: 'a "b"' } },
    text('Calculating', ',"doneStreamHandle":{"kind":"Id","streamId":"a \\"b\\""}')
  ],
  [
    { stage: 'calculating', scavengePoint, doneStream: { kind: 'hash', high: 0xffffffff, low: 0xffffffff } },
    text('Calculating', ',"doneStreamHandle":{"kind":"Hash","streamHash":18446744073709551615}')
  ],
  [
    { stage: 'calculating', scavengePoint, doneStream: { kind: 'hash', high: 0, low: 0 } },
    text('Calculating', ',"doneStreamHandle":{"kind":"Hash"}')
  ],
  [
    { stage: 'executingChunks', scavengePoint, doneChunk: 7 },
    text('ExecutingChunks', ',"doneLogicalChunkNumber":7')
  ],
  [{ stage: 'mergingChunks', scavengePoint }, text('MergingChunks')],
  [{ stage: 'executingIndex', scavengePoint }, text('ExecutingIndex')],
  [{ stage: 'cleaning', scavengePoint }, text('Cleaning')],
  [{ stage: 'done', scavengePoint }, text('Done')]
];

describe('scavenge checkpoint', () => {
  it.each(cases)('writes and reads %o', (checkpoint, expected) => {
    expect(encodeScavengeCheckpoint(checkpoint)).toBe(expected);
    expect(decodeScavengeCheckpoint(expected)).toEqual(checkpoint);
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no point', '{"schemaVersion":"V0","checkpointStage":"Done"}'],
    ['another schema', text('Done').replace('V0', 'V1')],
    ['no stage', text('Done').replace('Done', 'Undone')],
    ['a position that is no number', text('Done').replace('1234', '"1234"')],
    ['a position that no double holds', text('Done').replace('1234', '9007199254740993')],
    ['an event number that is a fraction', text('Done').replace('"eventNumber":5', '"eventNumber":5.5')],
    ['a threshold that is none', text('Done').replace('567', 'true')],
    ['a time that is none', text('Done').replace('2022-01-05T00:00:00Z', 'soon')],
    ['a chunk below 0', text('Accumulating', ',"doneLogicalChunkNumber":-1')],
    ['a chunk that is text', text('ExecutingChunks', ',"doneLogicalChunkNumber":"1"')],
    ['a stream that is text', text('Calculating', ',"doneStreamHandle":"a"')],
    ['a stream of an unknown kind', text('Calculating', ',"doneStreamHandle":{"kind":"Name"}')],
    ['a name that is none', text('Calculating', ',"doneStreamHandle":{"kind":"Id","streamId":7}')],
    ['a hash that is text', text('Calculating', ',"doneStreamHandle":{"kind":"Hash","streamHash":"a"}')],
    ['a hash below 0', text('Calculating', ',"doneStreamHandle":{"kind":"Hash","streamHash":-1}')]
  ])('is none with %s', (_, stored) => {
    expect(decodeScavengeCheckpoint(stored)).toBeUndefined();
  });

  it('has no stream done where the kind is none, or left out', () => {
    for (const handle of ['null', '{}', '{"kind":"None"}']) {
      const stored = text('Calculating', `,"doneStreamHandle":${handle}`);
      const expected = { stage: 'calculating', scavengePoint, doneStream: null };
      expect(decodeScavengeCheckpoint(stored), handle).toEqual(expected);
    }
  });

  it('leaves out what has its default and reads it back', () => {
    const checkpoint: ScavengeCheckpoint = {
      stage: 'done',
      scavengePoint: {
        position: 0,
        number: 0,
        effectiveNow: ticksFromIso('2026-11-21T00:00:20.831901Z')!,
        threshold: 0
      }
    };
    const stored = encodeScavengeCheckpoint(checkpoint);
    expect(stored).toBe(
      '{"scavengePoint":{"effectiveNow":"2026-11-21T00:00:20.831901Z"},"schemaVersion":"V0","checkpointStage":"Done"}'
    );
    expect(decodeScavengeCheckpoint(stored)).toEqual(checkpoint);
  });

  it('reads a time without zone as UTC, as older servers write it', () => {
    const stored =
      '{"scavengePoint":{"position":9,"effectiveNow":"2026-11-21T00:00:03.4924572"},"schemaVersion":"V0","checkpointStage":"Done"}';
    expect(decodeScavengeCheckpoint(stored)?.scavengePoint.effectiveNow).toBe(
      ticksFromIso('2026-11-21T00:00:03.4924572Z')
    );
  });

  it.each([
    '',
    'nonsense',
    '[]',
    '{}',
    '{"scavengePoint":{},"schemaVersion":"V0","checkpointStage":"Resting"}'
  ])('gives no checkpoint for %j', (stored) => {
    expect(decodeScavengeCheckpoint(stored)).toBeUndefined();
  });
});

describe('scavenge point data', () => {
  const read = (data: string) => decodeScavengePointData(Buffer.from(data));

  it.each(['-1', '-9223372036854775808', '1e300', '0.5', '"3"', 'true'])(
    'takes no chunk number that no chunk can have, from which on it would read for ever: %s',
    (number) => {
      for (const stage of ['Accumulating', 'ExecutingChunks'])
        expect(decodeScavengeCheckpoint(text(stage, `,"doneLogicalChunkNumber":${number}`))).toBeUndefined();
    }
  );

  it('takes a missing threshold as 0', () => {
    expect(read('{}')).toEqual({ threshold: 0 });
    expect(read('{\n  "threshold": -1\n}')).toEqual({ threshold: -1 });
  });

  it('refuses what is no object with a whole threshold', () => {
    for (const data of [
      '',
      '[]',
      '3',
      '{"threshold":1.5}',
      '{"threshold":"1"}',
      '{"threshold":3000000000}'
    ]) {
      expect(read(data)).toBeUndefined();
    }
  });
});
