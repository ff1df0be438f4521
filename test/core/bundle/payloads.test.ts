/** What stands in a bundle in the place of payloads: as long as they were, readable as what they are, and nothing of what they said. */
import { describe, expect, it } from 'vitest';
import { blankJson, blankMessage } from '../../../src-core/bundle/blank-payload.ts';
import {
  replaceEpoch,
  replaceHistoryEvent,
  replaceScavengePoint
} from '../../../src-core/bundle/known-payload.ts';
import { replaceMetadata } from '../../../src-core/bundle/metadata-payload.ts';
import { NameMap } from '../../../src-core/bundle/name-map.ts';
import { RecordRewriter } from '../../../src-core/bundle/record-rewriter.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { LogRecord, PrepareFlag } from '../../../src-core/records/log-record.ts';
import { parseStreamMetadata } from '../../../src-core/records/stream-metadata.ts';

const names = new NameMap(Buffer.alloc(32, 7));
const ID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
const LENGTHS = Array.from({ length: 300 }, (_, length) => length);

describe('a blank payload', () => {
  it('of JSON is JSON', () => {
    for (const length of LENGTHS.slice(1)) {
      const bytes = Buffer.alloc(length, 'secret');
      blankJson(bytes);
      expect(JSON.parse(bytes.toString()), `${length} bytes`).toEqual(length === 1 ? 0 : {});
    }
    const none = Buffer.alloc(0);
    blankJson(none);
    expect(none).toHaveLength(0);
  });

  it('of a message has unknown fields only, and ends where it ends', () => {
    for (const length of [...LENGTHS, 20_000]) {
      const bytes = Buffer.alloc(length, 'secret');
      blankMessage(bytes);
      // One byte is no message: a tag without its value.
      if (length === 1) expect([...bytes]).toEqual([0]);
      else expect(fieldsOf(bytes), `${length} bytes`).toEqual(length === 0 ? [] : [15]);
    }
  });
});

/** The numbers of the fields of a protobuf message; throws where it is none. */
function fieldsOf(bytes: Uint8Array): number[] {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('cut');
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const fields = new Set<number>();
  while (at < bytes.length) {
    const tag = varint();
    fields.add(tag >> 3);
    if ((tag & 7) === 0) varint();
    else if ((tag & 7) === 2) {
      const length = varint();
      at += length;
    } else throw new Error(`wire type ${tag & 7}`);
  }
  if (at !== bytes.length) throw new Error('beyond the end');
  return [...fields];
}

type Replace = (data: Buffer) => void;
function replaced(replace: Replace, text: string): string {
  const data = Buffer.from(text);
  const { length } = data;
  replace(data);
  expect(data).toHaveLength(length);
  return data.toString();
}
const epoch: Replace = (data) => replaceEpoch(data, names);
const history: Replace = (data) => replaceHistoryEvent(data, names);

describe('a record of the server', () => {
  it('keeps its numbers, times, results and ids', () => {
    const text = JSON.stringify({
      ...{ epochPosition: 5, epochNumber: 1, epochId: ID, prevEpochPosition: -1 },
      ...{ timeStamp: '2026-08-01T10:17:25.5Z', leaderInstanceId: ID }
    });
    expect(replaced(epoch, text)).toBe(text);
    const run = JSON.stringify({ scavengeId: ID, result: 'Failed', wasMerged: true, error: null });
    expect(replaced(history, run)).toBe(run);
  });

  it.each([
    ['a number', { chunkStartNumber: 'Jane Doe' }],
    ['a number that is whole', { chunkStartNumber: 1.5 }],
    ['yes or no', { wasScavenged: 'Jane Doe' }],
    ['an id', { scavengeId: 'Jane Doe' }],
    ['a time', { timeTaken: 'Jane Doe' }],
    ['a time, that is too long', { timeTaken: '1'.repeat(50) }],
    ['a result', { result: 'Jane Doe' }],
    ['an error', { error: { of: 'Jane Doe' } }],
    ['a node', { nodeEndpoint: 17 }],
    ['known', { comment: 'Jane Doe' }]
  ])('loses what is not %s', (_, members) => {
    expect(JSON.parse(replaced(history, JSON.stringify(members)))).toEqual({});
  });

  it('has another node, and an error of as many letters', () => {
    const text = replaced(history, JSON.stringify({ nodeEndpoint: 'db.acme.com:2113', error: 'Jane Doe' }));
    const { nodeEndpoint, error } = JSON.parse(text) as { nodeEndpoint: string; error: string };
    expect(nodeEndpoint).toHaveLength('db.acme.com:2113'.length);
    expect(text).not.toMatch(/acme|Jane/);
    expect(error).toBe('*'.repeat(8));
  });

  it('says of a scavenge that ended with its node that it did', () => {
    const text = JSON.stringify({ result: 'Failed', error: 'The node was restarted.' });
    expect(replaced(history, text)).toBe(text);
  });

  it('leaves out what finds no room, and then all of it', () => {
    // A name whose replacement needs escapes, in a text that had none: the last members go first.
    const short = replaced(history, '{"level":1e3,"index":1e3}');
    expect(JSON.parse(short)).toEqual({ level: 1000 });
    expect(JSON.parse(replaced(history, '{"level":1e9}'))).toEqual({});
  });

  it.each(['', '[]', '7', 'null', 'Jane Doe', '{"scavengeId":'])(
    'that is %j stays as unreadable as it was',
    (text) => {
      expect(replaced(history, text)).toBe('\0'.repeat(text.length));
    }
  );
});

describe('a scavenge point', () => {
  it.each([
    ['{"threshold":17}', { threshold: 17 }],
    ['{"threshold":-1,"by":"Jane Doe"}', { threshold: -1 }],
    ['{"by":"Jane Doe"}', {}]
  ])('%s keeps its threshold', (text, kept) => {
    expect(JSON.parse(replaced(replaceScavengePoint, text))).toEqual(kept);
  });

  it('whose threshold finds no room is one that nobody can read', () => {
    expect(replaced(replaceScavengePoint, '{"threshold":1e9}')).toBe('\0'.repeat(17));
  });

  it.each(['Jane Doe', '{"threshold":"many"}'])('%s stays one that nobody can read', (text) => {
    expect(replaced(replaceScavengePoint, text)).toBe('\0'.repeat(text.length));
  });
});

interface Written {
  stream: string;
  eventType: string;
  flags: number;
  data: Uint8Array;
  metadata: Uint8Array;
}

function prepareOf({ flags, ...written }: Written): LogRecord {
  const payload = encodePrepare({
    position: 0,
    flags: PrepareFlag.data | flags,
    transactionPosition: 0,
    transactionOffset: 0,
    expectedVersion: -1,
    eventId: ID,
    correlationId: ID,
    ticks: 1n,
    ...written
  });
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  expect(record.parse(payload, view, 0, payload.length)).toBeUndefined();
  return record;
}

const metadataRecord = (text: string): LogRecord =>
  prepareOf({
    ...{ stream: '$$orders', eventType: '$metadata', flags: PrepareFlag.isJson },
    ...{ data: Buffer.from(text), metadata: new Uint8Array(0) }
  });

describe('the payload of an event', () => {
  const SECRET = 'Jane Doe, 17';
  const JSON_OF_IT = `{}${' '.repeat(SECRET.length - 2)}`;
  const ZEROS = '\0'.repeat(SECRET.length);
  const { isJson, isPropertyMetadata } = PrepareFlag;

  /** Of an event with this payload as its data and as its metadata. */
  function blanked(flags: number, stream: string, headersOnly: boolean) {
    const secret = Buffer.from(SECRET);
    const written = { stream, eventType: 'happened', flags, data: secret, metadata: secret };
    const record = prepareOf(written);
    const { data, metadata } = record;
    const rewriter = new RecordRewriter(names, { headersOnly });
    rewriter.rewrite(record);
    expect(rewriter.counts).toEqual({
      ...{ records: 1, payloadBytes: 2 * SECRET.length, metadataWithoutRights: 0 }
    });
    return { data: data.toString('latin1'), metadata };
  }

  it.each([
    ['JSON where it was', isJson, 'orders-1', false, JSON_OF_IT, JSON_OF_IT],
    ['zeros where it was no JSON', 0, 'orders-1', false, ZEROS, ZEROS],
    ['zeros where only headers are kept', isJson, 'orders-1', true, ZEROS, ZEROS],
    ['JSON in a stream of the server, whose readers need it', isJson, '$settings', true, JSON_OF_IT, ZEROS],
    ['zeros in a stream of the server, where it was no JSON', 0, '$settings', true, ZEROS, ZEROS]
  ])('is %s', (_, flags, stream, headersOnly, data, metadata) => {
    const found = blanked(flags, stream, headersOnly);
    expect([found.data, found.metadata.toString('latin1')]).toEqual([data, metadata]);
  });

  it.each([
    ['JSON', isJson, JSON_OF_IT],
    ['other', 0, ZEROS]
  ])('has properties that are read as such, beside %s data', (_, flags, data) => {
    for (const headersOnly of [false, true]) {
      const found = blanked(flags | isPropertyMetadata, 'orders-1', headersOnly);
      expect(fieldsOf(found.metadata)).toEqual([15]);
      expect(found.data).toBe(headersOnly ? ZEROS : data);
    }
  });
});

describe('a link', () => {
  const { isJson } = PrepareFlag;

  /** The data of an event of this type, as a bundle has them. */
  function rewritten(eventType: string, text: string): string {
    const written = { stream: '$ce-orders', eventType, flags: isJson, metadata: new Uint8Array(0) };
    const record = prepareOf({ ...written, data: Buffer.from(text) });
    const { data } = record;
    new RecordRewriter(names, { headersOnly: false }).rewrite(record);
    return data.toString();
  }

  it('keeps the number of its event, and names the stream of it as the bundle does', () => {
    expect(rewritten('$>', '17@orders-jane')).toBe(`17@${names.stream('orders-jane')}`);
    expect(rewritten('$>', '-1@orders-jane@home')).toBe(`-1@${names.stream('orders-jane@home')}`);
    expect(names.stream('orders-jane')).not.toContain('jane');
  });

  it('to a stream names it as the bundle does', () => {
    expect(rewritten('$@', 'orders-jane')).toBe(names.stream('orders-jane'));
  });

  it.each(['@orders-jane', '17@', 'x7@orders-jane', '--1@orders-jane', 'orders-jane'])(
    'that is none is blank: %s',
    (text) => {
      expect(rewritten('$>', text)).toBe(`{}${' '.repeat(text.length - 2)}`);
    }
  );
});

describe('metadata', () => {
  const rules = (bytes: Uint8Array, recordVersion: number) => {
    const { acl: _acl, ...rest } = parseStreamMetadata(bytes, { recordVersion });
    return rest;
  };

  it.each([
    ['{"$maxCount":3,"owner":"Jane Doe"}', 1],
    ["{'$maxAge':600}", 1],
    ['{$maxCount:3}', 1],
    ['{$tb:0x7fffffffffffffff}', 1],
    ['{$tb:2147483647}', 0],
    ['{"$tb":2147483647}', 1],
    ['{"$maxCount":9223372036854775807,"$tb":2147483647}', 0],
    ['{"$maxCount":2147483647,"$tb":2147483647}', 0],
    ['{"$maxCount":0x10,"$cacheControl":77,"$tmp":true}', 1],
    ['{"$maxCount":3,"$acl":{"$r":"Jane","$w":["Jane","it\'s \\"me\\""]}}', 1]
  ])('%s of version %d has the same rules', (text, recordVersion) => {
    const data = Buffer.from(text);
    const before = rules(data, recordVersion);
    expect(replaceMetadata(data, recordVersion, names)).toBe('same');
    expect(data).toHaveLength(Buffer.byteLength(text));
    expect(rules(data, recordVersion)).toEqual(before);
    expect(data.toString()).not.toContain('Jane');
  });

  it('keeps roles of the server, and other names for those of users', () => {
    const data = Buffer.from('{"$acl":{"$r":"$admins","$w":["Jane"]}}');
    expect(replaceMetadata(data, 1, names)).toBe('same');
    const { acl } = parseStreamMetadata(data, { recordVersion: 1 });
    expect(acl).toEqual({ $r: '$admins', $w: [names.role('Jane')] });
  });

  it('without room for its rights keeps its rules', () => {
    // A byte that is no UTF-8 is read as a character of three bytes.
    for (const [text, maxCount] of [
      ['{$maxCount:9,$acl:{$r:"?"}}', 9n],
      ['{$maxCount:0x7fffffffffffffff,$acl:{$r:"?"}}', 2n ** 63n - 1n],
      ['{$acl:{$r:"?"}}', null]
    ] as const) {
      const data = Buffer.from(text);
      data[text.indexOf('?')] = 0xff;
      expect(replaceMetadata(data, 1, names)).toBe('withoutRights');
      expect(parseStreamMetadata(data, { recordVersion: 1 })).toMatchObject({ maxCount, acl: null });
      expect(data).toHaveLength(text.length);
    }
  });

  it('without room for its rights is counted in the bundle', () => {
    const rewriter = new RecordRewriter(names, { headersOnly: false });
    for (const text of ['{$acl:{$r:"?"}}', '{"$acl":{"$r":"Jane"}}', '{$acl:{$r:"?"}}']) {
      const record = metadataRecord(text);
      if (text.includes('?')) record.data[text.indexOf('?')] = 0xff;
      rewriter.rewrite(record);
    }
    expect(rewriter.counts).toMatchObject({ records: 3, metadataWithoutRights: 2 });
  });

  it('that nobody can read is shown as none before and after', () => {
    const data = Buffer.from('{"$maxCount":3');
    expect(replaceMetadata(data, 1, names)).toBe('same');
    expect(data.toString()).toBe(' '.repeat(14));
    expect(replaceMetadata(Buffer.alloc(0), 1, names)).toBe('same');
  });
});
