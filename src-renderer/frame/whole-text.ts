/**
 * Shows text that is cut off with an ellipsis in full as a tooltip: one listener for the window, so that no list or label
 * can forget it. An element with its own title keeps that.
 */
const OURS = 'wholeText';

export function tellWholeText({ target }: Event): void {
  for (let element = target; element instanceof HTMLElement; element = element.parentElement) {
    // Rows are reused for other contents: a title of ours is computed again.
    if (element.title !== '' && element.dataset[OURS] === undefined) return;
    const isCut =
      element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis';
    if (isCut) {
      element.title = element.textContent.trim();
      element.dataset[OURS] = '';
      return;
    }
    if (element.dataset[OURS] === undefined) continue;
    element.removeAttribute('title');
    delete element.dataset[OURS];
  }
}
