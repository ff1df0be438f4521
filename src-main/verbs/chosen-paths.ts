/**
 * The paths and passwords that people gave, by the ids under which pages name them. In memory only: they end with the
 * process.
 */
import { randomUUID } from 'node:crypto';
import { invalidRequest } from '../../src-core/index.ts';
import type { ChosenPath, PathPurpose } from '../contract/verbs/path-contract.ts';

/** Older ones are forgotten. */
const MOST_KEPT = 200;

interface KeptPath {
  purpose: PathPurpose;
  chosen: ChosenPath;
}

export class ChosenPaths {
  readonly #paths = new Map<string, KeptPath>();
  readonly #passwords = new Map<string, string>();

  keep(purpose: PathPurpose, chosen: Omit<ChosenPath, 'id'>): ChosenPath {
    const id = randomUUID();
    const kept = { id, ...chosen };
    this.#paths.set(id, { purpose, chosen: kept });
    forgetOldest(this.#paths);
    return kept;
  }

  /** Throws InvalidRequest where no path was chosen under this id for this purpose. */
  find(id: string, purpose: PathPurpose): ChosenPath {
    const kept = this.#paths.get(id);
    if (kept?.purpose === purpose) return kept.chosen;
    throw invalidRequest('This path is no longer known.', purpose, 'Choose it again.');
  }

  keepPassword(password: string): { id: string } {
    const id = randomUUID();
    this.#passwords.set(id, password);
    forgetOldest(this.#passwords);
    return { id };
  }

  password(id: string): string {
    const password = this.#passwords.get(id);
    if (password !== undefined) return password;
    throw invalidRequest('This password is no longer known.', 'password', 'Enter it again.');
  }
}

function forgetOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}
