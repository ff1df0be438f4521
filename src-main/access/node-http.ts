/**
 * HTTP clients of the runtime, loaded with the first call. An import of node:http as a module evaluates all of its
 * exports, fetch and WebSocket with them: 50 ms in each thread, of commands that never call anyone.
 */
import type http from 'node:http';

/** `protocol` as URL has it. */
export function clientFor(protocol: string): Pick<typeof http, 'request'> {
  return protocol === 'https:'
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');
}
