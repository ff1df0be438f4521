/** A day, as it is typed and stepped. */
import { fireEvent, render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import DateField from '../../../src-renderer/components/fields/DateField.svelte';

function openField(value: string) {
  let shown = value;
  const props = {
    get value() {
      return shown;
    },
    set value(next: string) {
      shown = next;
    },
    'aria-label': 'On'
  };
  render(DateField, { props });
  return { field: screen.getByRole<HTMLInputElement>('textbox', { name: 'On' }), value: () => shown };
}

test('what is typed counts once it is a day, and is taken when the field is left', async () => {
  const user = userEvent.setup();
  const { field, value } = openField('');
  await user.type(field, '2026-1-3');
  expect(value()).toBe('');
  await user.tab();
  expect(value()).toBe('2026-01-03');
  await user.clear(field);
  expect(value()).toBe('');
  await user.type(field, '20261231');
  expect(value()).toBe('2026-12-31');
});

test('what is no day is marked, and gives way to the last one', async () => {
  const user = userEvent.setup();
  const { field, value } = openField('2026-01-31');
  await fireEvent.input(field, { target: { value: '31/01/2026' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.click(document.body);
  await fireEvent.blur(field);
  expect(value()).toBe('2026-01-31');
  expect(field.getAttribute('aria-invalid')).toBe('false');
});

test('arrows go a day, Page Up and Page Down a week', async () => {
  const { field, value } = openField('2026-01-31');
  await fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(value()).toBe('2026-02-01');
  await fireEvent.keyDown(field, { key: 'PageDown' });
  expect(value()).toBe('2026-01-25');
});
