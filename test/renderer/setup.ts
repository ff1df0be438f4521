/**
 * What happy-dom lacks and the window's libraries need: animations that end, sizes that are not zero (virtual
 * lists show nothing in a window without height), and media queries.
 */
import { configure } from '@testing-library/svelte';
import { afterAll, afterEach } from 'vitest';

// Views are loaded (and under test compiled) when they are first shown.
configure({ asyncUtilTimeout: 90_000 });

const WIDTH = 1000;
const HEIGHT = 560;

Element.prototype.animate = function (): Animation {
  const animation = { currentTime: 0, onfinish: null as null | (() => void), cancel() {}, finish() {} };
  queueMicrotask(() => animation.onfinish?.());
  return animation as unknown as Animation;
};

class FixedSizeObserver implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;

  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    const contentRect = { width: WIDTH, height: rowHeight(target) ?? HEIGHT } as DOMRectReadOnly;
    const entry = { target, contentRect } as ResizeObserverEntry;
    queueMicrotask(() => this.#callback([entry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Items of a virtual list are as high as what they hold; everything else fills the window. */
function rowHeight(target: Element): number | undefined {
  if (target.querySelector(':scope > .row')) return 28;
  return target.querySelector(':scope > .line') ? 24 : undefined;
}

globalThis.ResizeObserver = FixedSizeObserver;
Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
  configurable: true,
  get(this: HTMLElement) {
    return this.parentElement;
  }
});
for (const [name, size] of [
  ['clientWidth', WIDTH],
  ['clientHeight', HEIGHT],
  ['offsetHeight', HEIGHT],
  ['offsetWidth', WIDTH]
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}

/** A page that is closed has no timers: those of a file end with it, not in the page of the next one (files share processes). */
const timers = new Set<ReturnType<typeof setTimeout>>();
const { setTimeout: startTimeout, setInterval: startInterval } = globalThis;
const noted =
  <T extends typeof setTimeout | typeof setInterval>(start: T) =>
  (...words: Parameters<T>) => {
    const timer = (start as (...words: unknown[]) => ReturnType<typeof setTimeout>)(...words);
    timers.add(timer);
    return timer;
  };
globalThis.setTimeout = Object.assign(noted(startTimeout), startTimeout);
globalThis.setInterval = Object.assign(noted(startInterval), startInterval);

/** Whatever a page asks is answered by a test, never by a network: happy-dom would really try. */
const ask = globalThis.fetch;
globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));

afterAll(() => {
  for (const timer of timers) clearTimeout(timer);
  Object.assign(globalThis, { setTimeout: startTimeout, setInterval: startInterval, fetch: ask });
});

afterEach(() => {
  localStorage.clear();
  // Where one window was is no place of the next.
  history.replaceState(null, '', location.pathname);
});
