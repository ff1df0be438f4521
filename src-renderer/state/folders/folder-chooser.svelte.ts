/**
 * The folder chooser of a page in a browser: what is wanted, the folder that is listed, what is typed. One text says what
 * would be chosen; the list below shows the folder that it is in, narrowed by the name that is begun.
 */
import type {
  ErrorReport,
  FolderEntry,
  FolderKind,
  FolderListing,
  FolderQuestion
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { askAfterRest, askUntilStopped } from '../../api/ask-until-stopped.ts';
import { ask } from '../../api/engine-client.ts';
import { folderFit, type FolderFit } from './folder-fit.ts';
import { commonBeginning, splitTyped, withEnd, withoutEnd } from './typed-path.ts';

/** While somebody types. */
const REST_MS = 150;

export class FolderChooser {
  #question = $state.raw<FolderQuestion | null>(null);
  #listing = $state.raw<FolderListing | null>(null);
  #error = $state.raw<ErrorReport | null>(null);
  #isReading = $state(false);
  #text = $state('');
  #begun = $state('');
  #active = $state(-1);
  #showsHidden = $state(false);
  /** The folder that was asked for last; null: the allowed ones. */
  #folder: string | null = null;
  #answer: (path: string | null) => void = () => undefined;
  #stop: () => void = () => undefined;

  /** null: nothing is wanted, and the dialog is closed. */
  get question(): FolderQuestion | null {
    return this.#question;
  }
  get listing(): FolderListing | null {
    return this.#listing;
  }
  get error(): ErrorReport | null {
    return this.#error;
  }
  get isReading(): boolean {
    return this.#isReading;
  }
  get text(): string {
    return this.#text;
  }
  /** The beginning of a name by which the list is narrowed. */
  get begun(): string {
    return this.#begun;
  }
  /** Row of `shown`; -1: none. */
  get active(): number {
    return this.#active;
  }
  get showsHidden(): boolean {
    return this.#showsHidden;
  }

  /** The rows that are shown. */
  readonly shown: FolderEntry[] = $derived.by(() => {
    const begun = this.#begun.toLowerCase();
    const entries = this.#listing?.entries ?? [];
    return begun === '' ? entries : entries.filter(({ name }) => name.toLowerCase().startsWith(begun));
  });

  /** What would be chosen; null: nothing yet. */
  readonly chosen: { path: string; kind: FolderKind | null; isNew: boolean } | null = $derived.by(() => {
    const { separator = '/', path = null, entries = [], kind = null } = this.#listing ?? {};
    const wanted = withoutEnd(this.#text.trim(), separator);
    if (wanted === '') return null;
    if (wanted === path) return { path: wanted, kind, isNew: false };
    const { begun } = splitTyped(wanted, separator);
    const entry = entries.find((one) => one.path === wanted || (path !== null && one.name === begun));
    if (entry && entry.obstacle !== null) return null;
    if (entry) return { path: wanted, kind: entry.kind, isNew: false };
    // A folder that does not list it, and lists everything.
    const isNew = path !== null && !this.#isReading && !this.#listing?.isCut;
    return { path: wanted, kind: null, isNew };
  });

  readonly fit: FolderFit = $derived.by(() => {
    const { chosen } = this;
    const question = this.#question;
    if (!question || chosen === null || this.#error !== null) return { isPossible: false, words: '' };
    if (chosen.isNew && !question.mayBeNew) return { isPossible: false, words: '' };
    return folderFit(question.purpose, chosen.kind);
  });

  /** Asks; null: nothing was chosen. An earlier question that is still open is answered with null. */
  ask(question: FolderQuestion): Promise<string | null> {
    this.#answer(null);
    this.#question = question;
    this.enter(null);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  /** Chooses what the text says, if it fits. */
  choose(): void {
    if (this.fit.isPossible && this.chosen) this.#end(this.chosen.path);
  }

  cancel(): void {
    this.#end(null);
  }

  /** Lists a folder; null: the allowed ones. */
  enter(path: string | null): void {
    this.#begun = '';
    this.#text = path === null ? '' : withEnd(path, this.#listing?.separator ?? '/');
    this.#read(path, true);
  }

  /** To the folder above, at last to the allowed ones. */
  up(): void {
    const trail = this.#listing?.trail ?? [];
    this.enter(trail.at(-2)?.path ?? null);
  }

  /** What a person types: lists the folder that it is in. */
  type(text: string): void {
    const separator = this.#listing?.separator ?? '/';
    const { folder, begun } = splitTyped(text, separator);
    this.#text = text;
    this.#begun = folder === null && text !== '' ? text : begun;
    this.#active = -1;
    const wanted = folder === null ? null : withoutEnd(folder, separator);
    if (wanted === this.#folder) return;
    this.#begun = folder === null ? '' : begun;
    this.#readAfterRest(wanted);
  }

  /** Adds what all shown names have in common; false: nothing. */
  complete(): boolean {
    const names = this.shown.filter(({ obstacle }) => obstacle === null).map(({ name }) => name);
    const separator = this.#listing?.separator ?? '/';
    if (this.#begun === '' || names.length === 0 || this.#listing?.path == null) return false;
    const [only] = names;
    if (names.length === 1 && only !== undefined) {
      this.enter(this.shown.find(({ name }) => name === only)?.path ?? null);
      return true;
    }
    const common = commonBeginning(names);
    if (common.length <= this.#begun.length) return false;
    this.type((splitTyped(this.#text, separator).folder ?? '') + common);
    return true;
  }

  /** Marks a row and puts its path into the text. */
  mark(index: number): void {
    const entry = this.shown[index];
    if (!entry) return;
    this.#active = index;
    this.#text = entry.path;
  }

  move(by: number): void {
    if (this.shown.length === 0) return;
    this.mark(Math.min(this.shown.length - 1, Math.max(0, this.#active + by)));
  }

  /** Enters the marked folder; nothing marked: chooses. */
  open(index = this.#active): void {
    const entry = this.shown[index];
    if (!entry) return this.choose();
    if (entry.isFolder && entry.obstacle === null) this.enter(entry.path);
    else if (entry.obstacle === null) this.choose();
  }

  setShowsHidden(showsHidden: boolean): void {
    this.#showsHidden = showsHidden;
    this.#read(this.#folder, false);
  }

  again(): void {
    this.#read(this.#folder, false);
  }

  #readAfterRest(path: string | null): void {
    this.#stop();
    this.#folder = path;
    this.#isReading = true;
    this.#stop = askAfterRest(REST_MS, this.#reading(path, false));
  }

  #read(path: string | null, putsText: boolean): void {
    this.#stop();
    this.#folder = path;
    this.#isReading = true;
    this.#active = -1;
    this.#stop = askUntilStopped(this.#reading(path, putsText));
  }

  #reading(path: string | null, putsText: boolean) {
    const purpose = this.#question?.purpose ?? 'database';
    return {
      ask: () => ask('listFolder', { path, showsHidden: this.#showsHidden, extensions: [], purpose }),
      answered: (listing: FolderListing) => {
        [this.#listing, this.#error, this.#isReading] = [listing, null, false];
        // Where links led to.
        if (putsText && listing.path !== null) this.#text = withEnd(listing.path, listing.separator);
        if (putsText) this.#folder = listing.path;
      },
      failed: (error: ErrorReport) => {
        this.#error = error;
        this.#isReading = false;
      }
    };
  }

  #end(path: string | null): void {
    this.#stop();
    this.#question = null;
    this.#listing = null;
    this.#error = null;
    const answer = this.#answer;
    this.#answer = () => undefined;
    answer(path);
  }
}
