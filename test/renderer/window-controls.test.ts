/** Every option of a command that is said to be in the window has its control there: labelled, and not out of reach. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { WINDOW_CONTROLS } from '../support/window-controls.ts';
import { openWindow } from './render-app.ts';

test.each(Object.keys(WINDOW_CONTROLS))('winnow %s', async (command) => {
  const { view, controls } = WINDOW_CONTROLS[command]!;
  const { show } = await openWindow();
  await show(view);
  const place = await screen.findByRole('region', { name: view }).catch(() => document.body);
  await waitFor(() => expect(place.querySelectorAll('input').length).toBeGreaterThan(1));
  // A browser shows what is folded when somebody opens it.
  for (const folded of place.querySelectorAll('details')) folded.open = true;
  const missing = Object.entries(controls).filter(
    ([, { role, name }]) =>
      within(place).queryAllByRole(role, { name: new RegExp(`^${escaped(name)}`) }).length === 0
  );
  expect(missing).toEqual([]);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
