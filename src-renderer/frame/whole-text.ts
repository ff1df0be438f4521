/**
 * Text that is cut off with an ellipsis is told whole to whoever points at it: one listener for the window, so that no
 * list or label can forget it. What has a title of its own keeps that.
 */
const OURS = 'wholeText';

export function tellWholeText({ target }: Event): void {
  for (let element = target; element instanceof HTMLElement; element = element.parentElement) {
    // Rows are used again for other contents: a title of ours is worked out anew.
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
