/** One line of the menu of a node or a cluster. */
export interface MenuAction {
  label: string;
  run: () => void;
  /** A line above it. */
  isApart?: boolean;
}
