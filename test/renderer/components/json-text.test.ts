import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import JsonText from '../../../src-renderer/components/JsonText.svelte';

test('folds objects and lists', () => {
  render(JsonText, { text: '{"a":{"b":[1,2]},"c":"x"}' });
  expect(document.querySelectorAll('details')).toHaveLength(3);
});

test('keeps the digits of numbers beyond a double by showing the text as it is', () => {
  const text = '{\n  "id": 12345678901234567890\n}';
  render(JsonText, { text });
  expect(document.querySelector('pre')?.textContent).toBe(text);
});

test('shows control characters by name and markup as text', () => {
  render(JsonText, { text: '{"a\\u202e":"<img src=x>"}' });
  expect(screen.getByText('"a\\\\u202e"')).toBeTruthy();
  expect(document.querySelector('img')).toBeNull();
});

test('shows text that is no JSON as it is', () => {
  render(JsonText, { text: '{broken' });
  expect(document.querySelector('pre')?.textContent).toBe('{broken');
});
