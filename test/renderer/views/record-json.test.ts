import { expect, test } from 'vitest';
import { recordJson } from '../../../src-renderer/views/records/record-json.ts';
import { recordDescription } from '../fake-database.ts';

test('a record is copied as JSON with its data in it, no digit of a number lost', () => {
  const dataJson = '{\n  "amount": 9007199254740993\n}';
  const text = recordJson({ ...recordDescription, dataJson, metadataJson: null });
  expect(text).toContain('\n  "data": {\n    "amount": 9007199254740993\n  }\n}');
  expect(JSON.parse(text)).toMatchObject({
    ...recordDescription.record,
    data: { amount: 9007199254740992 }
  });
});
