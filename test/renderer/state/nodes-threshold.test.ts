import { beforeEach, expect, test } from 'vitest';
import {
  rememberedThreshold,
  rememberThreshold
} from '../../../src-renderer/state/scavenge/nodes-threshold.ts';

beforeEach(() => localStorage.clear());

test('each node has the threshold that was chosen for it last', () => {
  rememberThreshold('a', 25);
  expect(rememberedThreshold('a')).toBe(25);
  expect(rememberedThreshold('b')).toBe(0);
  rememberThreshold('a', 0);
  expect(rememberedThreshold('a')).toBe(0);
  expect(localStorage.length).toBe(0);
});

test('what is no threshold is none', () => {
  localStorage.setItem('winnow.threshold.a', '-1; x');
  expect(rememberedThreshold('a')).toBe(0);
  expect(rememberedThreshold(null)).toBe(0);
});
