/**
 * Looks at the page as a stranger would, and says what no page should show: words of a program in the text, a width
 * that does not fit, a failure without a remedy, nothing at all. Reads only.
 */
import type { Page } from 'playwright-core';
import { lookAtLayout } from './layout-look.ts';

/** What is wrong with the page as it is, in words; nothing: an empty list. */
export async function lookAtPage(page: Page): Promise<string[]> {
  return [...(await page.evaluate(look)), ...(await lookAtLayout(page))];
}

/** What still runs or is on its way. */
export function waitsFor(page: Page): Promise<string> {
  return page.evaluate(() => {
    const WAITING =
      /^(Reading|Loading|Computing|Comparing|Checking|reading again|changing|Looking|Searching)\b.*…$/;
    const texts = [...document.querySelectorAll('#view *, .bands *, aside *')]
      .filter((element) => element.childElementCount === 0 && element.getClientRects().length > 0)
      .map((element) => element.textContent.trim());
    return (
      texts.find((text) => WAITING.test(text)) ??
      (document.querySelector('#view [role=grid] .waiting') ? 'a row' : '')
    );
  });
}

/** Runs in the page: closes over nothing. */
function look(): string[] {
  const faults: string[] = [];
  /** Words of the database itself, or of a page of the documentation, stand there: they may be anything. */
  const OF_THE_DATABASE =
    '.json, pre, .mono, .cells, .hex, [data-at], input, textarea, .row, [role=option], .path, script, style, .selectable, nav[aria-label=Documentation]';
  const PROGRAM =
    /\bundefined\b|\bNaN\b|\[object |\bnull\b|Invalid Date|\bInfinity\b|\bfunction\s*\(|\s{1}at\s\w+\s\(|%[sd]\b/;
  const placeOf = (element: Element | null): string => {
    const named = element?.closest('[aria-label], section, aside, dialog, #view, header, nav');
    return named
      ? `${named.tagName.toLowerCase()} ${named.getAttribute('aria-label') ?? named.className}`
      : 'page';
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const parent = node.parentElement;
    if (!parent || text === '' || !PROGRAM.test(text)) continue;
    // What was typed is said again between quotation marks.
    if (!PROGRAM.test(text.replaceAll(/“[^”]*”?|".*"/gs, ''))) continue;
    if (parent.closest(OF_THE_DATABASE) || parent.getClientRects().length === 0) continue;
    faults.push(`text of a program in ${placeOf(parent)}: ${text.slice(0, 160)}`);
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title', 'placeholder']) {
      const text = element.getAttribute(name) ?? '';
      if (PROGRAM.test(text) && !element.closest(OF_THE_DATABASE)) {
        faults.push(`${name} with text of a program in ${placeOf(element)}: ${text.slice(0, 160)}`);
      }
    }
  }

  const html = document.documentElement;
  if (html.scrollWidth > html.clientWidth) {
    faults.push(`the page is wider than the window: ${html.scrollWidth} > ${html.clientWidth}`);
  }
  if (html.scrollHeight > html.clientHeight + 1) {
    faults.push(`the page is higher than the window: ${html.scrollHeight} > ${html.clientHeight}`);
  }
  const edge = html.clientWidth;
  for (const element of document.querySelectorAll(
    'button, input, select, textarea, h1, h2, h3, [role=tab]'
  )) {
    if (element.closest('.visually-hidden, .sr-only')) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !element.checkVisibility()) continue;
    const words = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60);
    if (box.right > edge + 1 || box.left < -1) {
      faults.push(
        `stands outside the window: ${element.tagName.toLowerCase()} "${words}" in ${placeOf(element)}`
      );
    }
    const isCut = element.tagName === 'BUTTON' && element.scrollWidth > element.clientWidth + 2;
    if (isCut && getComputedStyle(element).overflowX !== 'visible' && !element.querySelector('.ellipsis')) {
      faults.push(`a cut text: button "${words}" in ${placeOf(element)}`);
    }
  }

  for (const panel of document.querySelectorAll('section.panel[role=alert]')) {
    const message = panel.querySelector('.message')?.textContent.trim() ?? '';
    const remedy = panel.querySelector('.message + p')?.textContent.trim() ?? '';
    if (remedy === '') faults.push(`a failure without a remedy: ${message.slice(0, 200)}`);
    if (/winnow\.[a-z]+|\bTypeError\b|Cannot read prop|is not a function|Assertion/i.test(message)) {
      faults.push(`a failure of ours: ${message.slice(0, 200)}`);
    }
  }
  const shown = [document.querySelector('#view'), document.querySelector('.bands')]
    .map((element) => (element instanceof HTMLElement ? element.innerText.trim() : ''))
    .join('');
  const hasPicture = document.querySelector('#view svg, #view canvas, #view input') !== null;
  if (shown === '' && !hasPicture) faults.push('the view is empty');
  return [...new Set(faults)];
}
