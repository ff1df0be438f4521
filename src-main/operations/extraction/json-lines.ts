/** JSON Lines: one event, one line. */
import { eventNumberToJson } from '../../../src-core/index.ts';
import type { EventValues, Payload } from './event-values.ts';
import type { RowFormat, RowSink, RowWriter } from './row-writer.ts';

export const jsonLines: RowFormat = {
  leftShare: 0,
  open: (sink) => new JsonLines(sink)
};

/** Characters that are gathered before they become bytes. */
const GATHERED = 64 * 1024;

class JsonLines implements RowWriter {
  readonly #sink: RowSink;
  #lines = '';

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  add(event: EventValues): void {
    this.#lines += jsonLine(event);
    if (this.#lines.length >= GATHERED) this.settle();
  }

  settle(): void {
    if (this.#lines === '') return;
    this.#sink(Buffer.from(this.#lines, 'utf8'));
    this.#lines = '';
  }

  /** A file that ends behind any row is whole. */
  get canBeLeft(): boolean {
    return true;
  }

  left(): undefined {
    return undefined;
  }

  finish(): void {
    this.settle();
  }
}

/** Payloads are placed as they are: parsed and written again, large numbers would become others. */
export function jsonLine(event: EventValues): string {
  const { stream, eventNumber, eventType, eventId, time, position, isJson, isRedacted } = event;
  const facts = {
    stream,
    eventNumber: eventNumberToJson(eventNumber),
    eventType,
    eventId,
    time,
    position,
    isJson
  };
  const head = JSON.stringify(isRedacted ? { ...facts, isRedacted } : facts);
  const { data, metadata } = event;
  const metadataMember = metadata === null ? ',"metadata":null' : member('metadata', metadata);
  return `${head.slice(0, -1)}${member('data', data)}${metadataMember}}\n`;
}

function member(name: string, { text, isJson }: Payload): string {
  return isJson ? `,"${name}":${inOneLine(text)}` : `,"${name}":"${text}","${name}Encoding":"base64"`;
}

/** Line breaks lie between the tokens of a JSON text, never within one. */
const LINE_BREAKS = /\s*[\r\n]\s*/g;
/** Legal in the strings of JSON, and ends of lines to some who read lines. */
const UNUSUAL_BREAKS = /[\u0085\u2028\u2029]/g;

function inOneLine(text: string): string {
  const line = /[\r\n]/.test(text) ? text.replaceAll(LINE_BREAKS, ' ').trim() : text;
  return line.replaceAll(
    UNUSUAL_BREAKS,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  );
}
