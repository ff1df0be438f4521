/** One line of the engine's log, for people. */
export interface LogLine {
  level: 'info' | 'warning';
  message: string;
}
