/**
 * The real file system, with something that happens to the machine just before a call: a directory is renamed, a volume
 * goes away. The calls that follow meet what is left. Those of SQLite are not among the counted ones.
 */
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import type { FileSystem, OpenFile } from '../../src-core/storage/file-system.ts';

export class Strike {
  readonly #at: number;
  readonly #act: () => void;
  /** Calls so far. */
  calls = 0;

  /** `at`: the number of the call, from 1; 0: never. */
  constructor(at: number, act: () => void) {
    this.#at = at;
    this.#act = act;
  }

  get hasHappened(): boolean {
    return this.#at > 0 && this.calls >= this.#at;
  }

  fileSystem(): FileSystem {
    return this.#counted(new NodeFileSystem(), (name, result) =>
      name === 'open' ? this.#counted(result as OpenFile, (_, of) => of) : result
    );
  }

  #counted<T extends object>(target: T, then: (name: string, result: unknown) => unknown): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || name === 'join') return value;
        return (...values: unknown[]): unknown => {
          if (++this.calls === this.#at) this.#act();
          return then(String(name), (value as (...words: unknown[]) => unknown).apply(target, values));
        };
      }
    });
  }
}
