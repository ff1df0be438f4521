/**
 * F6 and Shift+F6 go through the parts of a view that have something to say to the keyboard, in the order in which they stand
 * there, and around: an element with `data-part`, or the table in one.
 */
export function movePart(view: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
  const parts = [...view.querySelectorAll<HTMLElement>('[data-part]')]
    .map((part) => (part.dataset['part'] === 'rows' ? part.querySelector<HTMLElement>('[role=grid]') : part))
    .filter((part) => part !== null)
    .filter((part) => part.getClientRects().length > 0);
  if (parts.length === 0) return;
  event.preventDefault();
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const step = event.shiftKey ? -1 : 1;
  const next = at === -1 ? 0 : (at + step + parts.length) % parts.length;
  parts[next]?.focus();
}

/** The first of these parts that is there gets the focus. */
export function focusPart(view: HTMLElement | undefined, names: readonly string[]): void {
  for (const name of names) {
    const part = view?.querySelector<HTMLElement>(`[data-part=${name}]`);
    const target = name === 'rows' ? part?.querySelector<HTMLElement>('[role=grid]') : part;
    if (!target) continue;
    target.focus();
    return;
  }
}
