/** A time of day, as it is typed and stepped. */
import { fireEvent, render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import TimeField from '../../../src-renderer/components/fields/TimeField.svelte';

function openField(value: string, isNeeded = false) {
  let shown = value;
  const props = {
    get value() {
      return shown;
    },
    set value(next: string) {
      shown = next;
    },
    isNeeded,
    'aria-label': 'At'
  };
  render(TimeField, { props });
  return { field: screen.getByRole<HTMLInputElement>('textbox', { name: 'At' }), value: () => shown };
}

test('what is typed counts once it is a time, and is written out when the field is left', async () => {
  const user = userEvent.setup();
  const { field, value } = openField('');
  await user.type(field, '6');
  expect(value()).toBe('');
  await user.tab();
  expect(value()).toBe('06:00');
  await user.clear(field);
  expect(value()).toBe('');
  await user.type(field, '1830');
  expect(value()).toBe('18:30');
});

test('what is no time is marked, and gives way to the last one', async () => {
  const user = userEvent.setup();
  const { field, value } = openField('05:00');
  await user.clear(field);
  await user.type(field, '25:00');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.tab();
  expect(field.getAttribute('aria-invalid')).toBe('false');
  expect(field.value).toBe(value());
});

test('one that is needed keeps its time when it is emptied', async () => {
  const user = userEvent.setup();
  const { field, value } = openField('05:00', true);
  await user.clear(field);
  await user.tab();
  expect(value()).toBe('05:00');
});

test('the arrow keys step the hour or the minute, by where the caret stands', async () => {
  const { field, value } = openField('23:59');
  field.focus();
  field.setSelectionRange(1, 1);
  await fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(value()).toBe('00:59');
  field.setSelectionRange(4, 4);
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(value()).toMatch(/:58$/);
});
