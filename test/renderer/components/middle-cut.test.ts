import { expect, test } from 'vitest';
import { middleCut } from '../../../src-renderer/components/middle-cut.ts';

/** Every character is ten pixels wide, the dots too. */
const measure = (from: number, to: number): number => (to - from) * 10;
const cut = (name: string, width: number, kept = 8): string => middleCut([...name], { kept, width, measure });

test('a name is cut so that beginning, dots and end stand side by side', () => {
  expect(cut('127.0.0.1:44909', 150)).toBe('127.0.0.1:44909');
  expect(cut('127.0.0.1:44909', 149)).toBe('127.0…1:44909');
  expect(cut('127.0.0.1:44909', 110)).toBe('12…1:44909');
});

test('dots of the name do not stand beside those of the cut', () => {
  expect(cut('127.0.0.1:44909', 130)).toBe('127…1:44909');
});

test('keeps half of a name that is hardly longer than its end', () => {
  expect(cut('node-eu-west-1', 130, 12)).toBe('node-…-west-1');
});

test('keeps of the end what fits where nothing of the beginning does', () => {
  expect(cut('127.0.0.1:44909', 60)).toBe('…44909');
  expect(cut('127.0.0.1:44909', 5)).toBe('…');
});

test('cuts no character in two', () => {
  expect(cut('🌾🌾🌾🌾🌾🌾🌾🌾🌾🌾🌾🌾🌾🌾', 100, 4)).toBe('🌾🌾🌾🌾🌾…🌾🌾🌾🌾');
});
