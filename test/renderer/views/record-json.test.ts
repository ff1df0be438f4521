import { expect, test } from 'vitest';
import { recordJson } from '../../../src-renderer/views/records/record-json.ts';
import { recordDescription } from '../fake-database.ts';

test('a copied record keeps the digits of its data', () => {
  const data = new TextEncoder().encode('{"amount":9007199254740993}');
  const field = { name: 'Data', value: '', offset: 0, length: data.length, meaning: 'data' as const };
  const text = recordJson({ record: recordDescription.record, fields: [field], bytes: data });
  expect(text).toContain('"data": {\n    "amount": 9007199254740993\n  }\n}');
  expect(JSON.parse(text)).toMatchObject({ kind: 'prepare', stream: 'order-0' });
});

test('a copied record leaves out data that is not JSON', () => {
  const data = Uint8Array.of(0xff, 0xfe, 0x00);
  const field = { name: 'Data', value: '', offset: 0, length: 3, meaning: 'data' as const };
  const text = recordJson({ record: recordDescription.record, fields: [field], bytes: data });
  expect(JSON.parse(text)).not.toHaveProperty('data');
});
