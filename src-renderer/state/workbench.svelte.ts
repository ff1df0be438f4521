/**
 * Everything the window knows, made once and handed to the components by context: places, nodes, the database
 * shown, running work, appearance, the engine's health. Events of the main process arrive here and go on to the
 * concern they belong to.
 */
import { createContext } from 'svelte';
import type {
  Capabilities,
  EngineState,
  ErrorReport,
  WindowEvent
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask, errorReportOf, follow, servedWorkbench } from '../api/engine-client.ts';
import { followAddressBar, placeInAddressBar } from './address-bar.ts';
import { Appearance } from './appearance.svelte.ts';
import { Clusters } from './clusters/clusters.svelte.ts';
import { Database } from './database.svelte.ts';
import { ServedNodes } from './nodes-served.svelte.ts';
import { FolderChooser } from './folders/folder-chooser.svelte.ts';
import { Nodes } from './nodes.svelte.ts';
import { Operations, writesToNode } from './operations.svelte.ts';
import { Places } from './places.svelte.ts';
import { RestoreFlow } from './restore/restore-flow.svelte.ts';
import { Schedule } from './clusters/schedule.svelte.ts';
import { SelfCheck } from './start/self-check.ts';
import { SelfForecast } from './start/self-forecast.ts';
import { SelfWeights } from './weights/self-weights.ts';
import { Session } from './session.svelte.ts';
import { lastPlace } from './frame/last-place.ts';
import { Toasts } from './frame/toasts.svelte.ts';
import { Tour } from './frame/tour.svelte.ts';

export class Workbench {
  readonly places = new Places();
  readonly nodes = new Nodes();
  readonly clusters = new Clusters();
  readonly schedule = new Schedule();
  readonly served = new ServedNodes();
  readonly operations = new Operations();
  readonly restore = new RestoreFlow();
  readonly session = new Session();
  readonly appearance = new Appearance();
  readonly toasts = new Toasts();
  readonly tour = new Tour();
  /** In a browser, what asks where is answered by it. */
  readonly folders = new FolderChooser();
  readonly selfForecast = new SelfForecast(this.operations);
  readonly #selfCheck = new SelfCheck(this.operations);
  readonly #selfWeights = new SelfWeights(this.operations, () => this.#capabilities.isWindow);
  readonly database = new Database((id, result) => {
    this.nodes.learn(id, result);
    if ('code' in result) return;
    void this.#selfCheck.hear(id, result);
    const node = this.nodes.find(id);
    if (node) this.#selfWeights.hear(node, result);
  });
  /** Carries out what was chosen in the application menu; the frame, which knows all commands, sets it. */
  onCommand: (id: string) => void = () => undefined;
  #engine = $state.raw<EngineState>({ isAlive: true, reason: null });
  #capabilities = $state.raw<Capabilities>({
    choosesPaths: true,
    isWindow: true,
    writes: true,
    administers: true,
    user: null
  });
  #version = $state('');
  #platform = $state('linux');
  #hasStarted = $state(false);
  #failure = $state.raw<ErrorReport | null>(null);
  #isPaletteOpen = $state(false);
  #isShowingShortcuts = $state(false);

  get engine(): EngineState {
    return this.#engine;
  }
  /** What may be shown to be asked for: everything in the window, less in a browser. */
  get capabilities(): Capabilities {
    return this.#capabilities;
  }
  get version(): string {
    return this.#version;
  }
  get platform(): string {
    return this.#platform;
  }
  get hasStarted(): boolean {
    return this.#hasStarted;
  }
  /** Something failed that belongs to no view: shown above all of them until dismissed. */
  get failure(): ErrorReport | null {
    return this.#failure;
  }
  get isPaletteOpen(): boolean {
    return this.#isPaletteOpen;
  }
  set isPaletteOpen(isOpen: boolean) {
    this.#isPaletteOpen = isOpen;
  }

  /** The list of all keys. */
  get isShowingShortcuts(): boolean {
    return this.#isShowingShortcuts;
  }
  set isShowingShortcuts(isShowing: boolean) {
    this.#isShowingShortcuts = isShowing;
  }

  /** Asks for the start state and follows; returns how to stop following. */
  start(): () => void {
    servedWorkbench()?.askPathsWith((question) => this.folders.ask(question));
    const stop = follow((event) => this.#hear(event));
    const stopListening = followAddressBar((place) => {
      if (this.nodes.find(place.nodeId)) this.places.go(place);
    });
    void this.attempt(async () => {
      const state = await ask('start', {});
      this.nodes.take(state.nodes);
      this.operations.take(state.work);
      this.appearance.take(state.theme);
      this.appearance.takePreferences(state.preferences);
      this.#engine = state.engine;
      this.#capabilities = state.capabilities;
      this.#version = state.version;
      this.#platform = state.platform;
      // After a reload the page is where it was; a window that has just been opened goes to where the last one was.
      const place = placeInAddressBar() ?? (state.openNodeId === null ? lastPlace() : undefined);
      const isThere = place?.application != null || this.nodes.find(place?.nodeId ?? null) !== undefined;
      if (place !== undefined && isThere) this.places.go(place);
      else if (state.openNodeId !== null) this.places.go({ nodeId: state.openNodeId });
      this.#hasStarted = true;
      await this.clusters.load();
      if (place !== undefined && this.clusters.find(place.cluster)) this.places.go(place);
    });
    return () => {
      stop();
      stopListening();
      this.#selfWeights.end();
    };
  }

  /** Runs something a person asked for; its failure is shown instead of lost. */
  async attempt(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#failure = errorReportOf(error);
    }
  }

  dismissFailure(): void {
    this.#failure = null;
  }

  copy(text: string): void {
    void this.attempt(() => ask('copyText', { text }));
  }

  async restartEngine(): Promise<void> {
    await this.attempt(async () => {
      await ask('restartEngine', {});
      await this.database.refresh();
    });
  }

  #hear(event: WindowEvent): void {
    switch (event.kind) {
      case 'work':
        this.#hearWork(event.snapshot);
        return;
      case 'workForgotten':
        this.operations.forgotten(event.id);
        return;
      case 'nodes':
        this.nodes.take(event.nodes);
        return;
      case 'changed':
        // Half of the old files and half of the new ones are no database; the end brings a reading of everything.
        if (this.operations.isReplacing(event.nodeId)) return;
        void this.database.onFilesChanged(event.nodeId, event.parts, this.operations.isWriting(event.nodeId));
        return;
      case 'engine':
        this.#engine = event.engine;
        return;
      case 'preferences':
        this.appearance.takePreferences(event.preferences);
        return;
      case 'command':
        this.onCommand(event.id);
        return;
      case 'open':
        this.places.go({ nodeId: event.nodeId });
        return;
      case 'clusters':
        this.clusters.take(event.clusters);
        return;
      case 'autoScavenge':
        this.clusters.learn(event.snapshot);
        this.schedule.hear(event.snapshot);
        return;
      case 'licence':
        this.schedule.hearLicence(event.licence);
        return;
      case 'nodeService':
        this.served.hear(event.service);
        return;
      case 'activity': // heard by the view that shows it
    }
  }

  #hearWork(snapshot: Parameters<Operations['hear']>[0]): void {
    const before = this.operations.get(snapshot.id);
    this.operations.hear(snapshot);
    const hasJustEnded = before?.endedMs === null && snapshot.endedMs !== null;
    // What it did is on the disk before it ends; the watch may not have noticed all of it, and after a restore the
    // watched directory may be another one of the same name.
    if (hasJustEnded) this.#selfWeights.hearEnd(snapshot);
    if (!hasJustEnded || snapshot.nodeId === null) return;
    const isCheck =
      snapshot.state === 'done' && (snapshot.name === 'verifyDatabase' || snapshot.name === 'examineStart');
    if (snapshot.nodeId !== this.database.nodeId) {
      if (isCheck || writesToNode(snapshot)) void this.nodes.lookAt(snapshot.nodeId);
    } else if (writesToNode(snapshot)) void this.database.watchAgain();
    else if (isCheck) void this.database.inspectAgain();
  }
}

export const [useWorkbench, provideWorkbench] = createContext<Workbench>();
