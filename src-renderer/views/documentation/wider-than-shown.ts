/** What is wider than its place can be scrolled by keys, so it is reached by Tab; what fits is not a stop on the way. */
export function reachedWhenWide(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  observer.observe(element);
  return () => observer.disconnect();
}
