/** The event a link points to, read from its data, as something that has the name of a stream. */
import { hashStream, hashStreamOf, type NamedRecord, type StreamHash } from '../../index/stream-hash.ts';

const ZERO = 0x30;
const AT_SIGN = 0x40;
const MOST_DIGITS = 16;

export class LinkTarget implements NamedRecord {
  eventNumber = 0;
  readonly hash: StreamHash = { high: 0, low: 0 };
  readonly bytes: Buffer;
  readonly view: DataView;
  streamStart = 0;
  streamEnd = 0;

  /** `data`: that of many links. */
  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.bytes = Buffer.from(buffer, byteOffset, length);
    this.view = new DataView(buffer, byteOffset, length);
  }

  get stream(): string {
    return this.bytes.toString('utf8', this.streamStart, this.streamEnd);
  }

  get isMetastream(): boolean {
    const { bytes, streamStart: at } = this;
    return this.streamEnd - at >= 2 && bytes[at] === 0x24 && bytes[at + 1] === 0x24;
  }

  /** Reads `<number>@<stream>`; false for data that is not a link. */
  read(start: number, end: number): boolean {
    const { bytes } = this;
    let number = 0;
    let at = start;
    for (; at < end && bytes[at] !== AT_SIGN; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9 || at - start >= MOST_DIGITS) return false;
      number = number * 10 + digit;
    }
    if (at === start || at + 1 >= end) return false;
    this.eventNumber = number;
    this.streamStart = at + 1;
    this.streamEnd = end;
    hashStreamOf(this, hashStream, this.hash);
    return true;
  }
}
