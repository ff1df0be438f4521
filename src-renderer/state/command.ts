/** What the palette offers. */
export interface Command {
  id: string;
  group: 'recent' | 'actions' | 'views' | 'nodes' | 'streams' | 'go';
  name: string;
  /** Said more quietly after the name. */
  note?: string;
  keys?: string;
  run: () => void;
}
