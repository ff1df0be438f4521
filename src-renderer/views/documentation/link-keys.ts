/** Arrows, Home and End go through the links of a list, of which Tab reaches one. */
export function moveThroughLinks(event: KeyboardEvent): void {
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return;
  const links = [...list.querySelectorAll<HTMLElement>('a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}
