/**
 * A task as a person does it in the window: each click counted, the time of each until its answer stands there, and a
 * picture of it where a directory for pictures is named:
 *   WINNOW_FILM=docs/pictures/tasks node scripts/electron-runtime.mjs playwright test -g clicks
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

export class TaskFilm {
  readonly #page: Page;
  readonly #name: string;
  readonly #startMs = performance.now();
  #clicks = 0;
  #pictures = 0;
  readonly #answers: number[] = [];

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
  }

  get clicks(): number {
    return this.#clicks;
  }

  /** Clicks, and waits for what the click was for. */
  async click(target: Locator, answer: Locator): Promise<void> {
    await target.waitFor();
    const startMs = performance.now();
    await target.click();
    this.#clicks++;
    await this.see(answer);
    this.#answers.push(performance.now() - startMs);
  }

  /** What stands there without a click. */
  async see(answer: Locator): Promise<void> {
    await expect(answer.first()).toBeVisible();
    await this.#take();
  }

  /** What the task took: for a person to read, never asserted. */
  tell(): void {
    const answers = this.#answers.map((ms) => `${Math.round(ms)} ms`).join(', ');
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1);
    console.log(`${this.#name}: ${this.#clicks} clicks, ${seconds} s in all, answers after ${answers}`);
  }

  async #take(): Promise<void> {
    const directory = process.env['WINNOW_FILM'];
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true });
    const file = `${this.#name}-${++this.#pictures}.webp`;
    const session = await this.#page.context().newCDPSession(this.#page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 78 });
    await session.detach();
    writeFileSync(path.join(directory, file), Buffer.from(data, 'base64'));
  }
}
