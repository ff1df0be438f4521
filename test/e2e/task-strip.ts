/** A task as a person does it: each click is counted, and the window is pictured after it. */
import type { TestInfo } from '@playwright/test';
import type { Locator, Page } from 'playwright-core';

export class TaskStrip {
  readonly #page: Page;
  readonly #info: TestInfo;
  readonly #name: string;
  #clicks = 0;

  constructor(page: Page, info: TestInfo, name: string) {
    this.#page = page;
    this.#info = info;
    this.#name = name;
  }

  get clicks(): number {
    return this.#clicks;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks++;
  }

  /** What stands there after the last click, as a picture among the results of the test. */
  async picture(): Promise<void> {
    const path = this.#info.outputPath(`${this.#name}-${this.#clicks}.png`);
    await this.#page.screenshot({ path });
    await this.#info.attach(`${this.#name}, ${this.#clicks} clicks`, { path, contentType: 'image/png' });
  }
}
