/** The log of a service: one JSON object per line on stderr, which may be a terminal, so hidden characters are escaped. */
import pino from 'pino';
import { visibleJson } from '../../src-core/index.ts';

/** Least level of its lines. */
export type LogLevel = 'error' | 'warn' | 'info';

export function serviceLogger(level: LogLevel): pino.Logger {
  const errors = pino.destination({ fd: 2, sync: true });
  return pino({ level, base: null }, { write: (line: string) => void errors.write(visibleJson(line)) });
}
