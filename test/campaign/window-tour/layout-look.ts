/**
 * Looks at where words stand: cut off without a sign of it, over other words, in boxes that are scrolled sideways, and
 * the same twice in a row on an axis. Knows no view: whatever is drawn is measured.
 */
import type { Page } from 'playwright-core';

/** What is wrong with the layout as it is, in words; nothing: an empty list. */
export function lookAtLayout(page: Page): Promise<string[]> {
  return page.evaluate(look);
}

/** Runs in the page: closes over nothing. */
function look(): string[] {
  const faults: string[] = [];
  /** Pixels by which fractions of a font may be rounded. */
  const SLACK = 1.5;

  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  interface Words {
    element: Element;
    text: string;
    box: Box;
  }

  const said = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const placeOf = (element: Element): string => {
    const named = element.closest('[aria-label], section, aside, dialog, header, nav, #view');
    return named
      ? `${named.tagName.toLowerCase()} ${named.getAttribute('aria-label') ?? named.className}`
      : 'page';
  };
  const isHidden = (element: Element): boolean =>
    element.closest('.visually-hidden, .sr-only, script, style, title, option') !== null ||
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

  /** The whole text is there for who points at what is cut; some get it only then. */
  function hasWholeText(element: Element): boolean {
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    return element.closest('[title]') !== null;
  }

  /** An ellipsis stands only where the words flow in the cut box itself: a box within it is just cut. */
  function endsInEllipsis(cut: Element, style: CSSStyleDeclaration, element: Element): boolean {
    if (style.textOverflow !== 'ellipsis' || /flex|grid/.test(style.display)) return false;
    for (let within: Element | null = element; within && within !== cut; within = within.parentElement) {
      const { display } = getComputedStyle(within);
      if (display !== 'inline' && display !== 'contents' && display !== 'block') return false;
    }
    return true;
  }

  /** What is in sight of a text, and a fault where some of it is cut off in its line. */
  function inSight(element: Element, text: string, whole: Box): Box | undefined {
    const box = { ...whole };
    for (
      let around: Element | null = element;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const style = getComputedStyle(around);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      // An inline box clips nothing; a drawing does.
      if (style.display === 'inline' && around.tagName !== 'svg') continue;
      const edge = around.getBoundingClientRect();
      const isCut = box.right > edge.right + SLACK || box.left < edge.left - SLACK;
      const isSeen =
        box.right > edge.left && box.left < edge.right && box.bottom > edge.top && box.top < edge.bottom;
      if (isCut && isSeen && !scrolls(style.overflowX)) {
        if (!endsInEllipsis(around, style, element))
          faults.push(`a cut text without an ellipsis: "${said(text)}" in ${placeOf(element)}`);
        else if (!hasWholeText(element))
          faults.push(`a cut text without a title: "${said(text)}" in ${placeOf(element)}`);
      }
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
      if (box.right - box.left < 1 || box.bottom - box.top < 1) return undefined;
      if (style.position === 'fixed') break;
    }
    return box;
  }

  const words: Words[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent ?? '';
    if (!element || text.trim() === '' || isHidden(element)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const { left, top, right, bottom } = rect;
      const box = inSight(element, text, { left, top, right, bottom });
      if (box) words.push({ element, text, box });
    }
  }

  for (const field of document.querySelectorAll('input[type=number]')) {
    if (field.scrollWidth > field.clientWidth + 1 && !isHidden(field)) {
      faults.push(
        `a cut number in a field: "${said((field as HTMLInputElement).value)}" in ${placeOf(field)}`
      );
    }
  }

  // A dialog or a panel above the page covers words, as it should.
  words.sort((a, b) => a.box.top - b.box.top);
  const TALL = 3;
  for (const [at, one] of words.entries()) {
    for (let next = at + 1; next < words.length; next++) {
      const other = words[next]!;
      if (other.box.top > one.box.bottom - TALL) break;
      const left = Math.max(one.box.left, other.box.left);
      const right = Math.min(one.box.right, other.box.right);
      const bottom = Math.min(one.box.bottom, other.box.bottom);
      if (right - left < TALL || bottom - other.box.top < TALL || one.element === other.element) continue;
      const top = document.elementFromPoint((left + right) / 2, (other.box.top + bottom) / 2);
      const upper = [one, other].find(({ element }) => element === top || element.contains(top));
      const lower = upper === one ? other : one;
      // A card that follows the pointer takes no clicks: what is found below it is not what is seen.
      if ([one, other].some(({ element }) => getComputedStyle(element).pointerEvents === 'none')) continue;
      // Whatever has a ground of its own hides what is below it.
      const ground = upper && groundBetween(upper.element, lower.element);
      if (!upper || ground) continue;
      faults.push(
        `words over words: "${said(one.text)}" and "${said(other.text)}" in ${placeOf(one.element)}`
      );
    }
  }

  function groundBetween(upper: Element, lower: Element): boolean {
    for (
      let around: Element | null = upper;
      around && !around.contains(lower);
      around = around.parentElement
    ) {
      const { backgroundColor } = getComputedStyle(around);
      if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return true;
    }
    return false;
  }

  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.visually-hidden, .sr-only') || element.closest('svg') || !element.checkVisibility())
      continue;
    // Code and bytes are scrolled, and a region that says so and takes the focus was made to be.
    if (element.matches('.json, pre, .cells, .hex, .hex *, textarea, input, [role=region][tabindex="0"]'))
      continue;
    const style = getComputedStyle(element);
    if (!scrolls(style.overflowX) || element.clientWidth === 0) continue;
    if (element.scrollWidth > element.clientWidth + 1) {
      faults.push(
        `scrolls sideways: ${element.tagName.toLowerCase()}.${element.className} in ${placeOf(element)}, ` +
          `${element.scrollWidth} > ${element.clientWidth}`
      );
    }
  }

  // Words of an axis: marked as such, or on one line of a drawing.
  const axes = Map.groupBy(document.querySelectorAll('[data-tick], svg text'), (tick) =>
    tick.matches('[data-tick]') ? tick.parentElement : `${placeOf(tick)} ${tick.getAttribute('y')}`
  );
  for (const ticks of axes.values()) {
    const labels = ticks.map((tick) =>
      [...tick.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map((node) => node.textContent)
        .join('')
        .trim()
    );
    const twice = labels.find((label, at) => label !== '' && label === labels[at - 1]);
    if (twice !== undefined) faults.push(`the same twice on an axis: "${twice}" in ${placeOf(ticks[0]!)}`);
  }
  return [...new Set(faults)];
}
