/** The log of a service: one JSON object per line on stderr, which may be a terminal, so hidden characters are escaped. */
import pino from 'pino';
import { visibleJson } from '../../src-core/index.ts';

export function serviceLogger(level: 'info' | 'warn'): pino.Logger {
  const errors = pino.destination({ fd: 2, sync: true });
  return pino({ level, base: null }, { write: (line: string) => void errors.write(visibleJson(line)) });
}
