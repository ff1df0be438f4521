/** One line of a Facts list. */
export interface Fact {
  name: string;
  value: string;
  isMono?: boolean;
  /** Said more quietly after the value. */
  note?: string;
  title?: string;
}
