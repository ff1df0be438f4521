/**
 * MD5 of up to eight messages at once, in the lanes of two vectors (src-wasm/md5-lanes.ts): a message in a lane takes a third of
 * the time of one that node:crypto hashes alone, as long as the other lanes are in use; with four of them in use 0.4 to 0.6 of it,
 * by processor. Alone it takes 1.5 of it.
 *
 * Bytes wait in their lane until every open lane has some: the code that fills a lane awaits turn() now and then. A lane that
 * is full while others are empty is hashed by itself.
 */
import { createHash } from 'node:crypto';
import { assert } from '../assert.ts';
import { MD5_LANES_CODE } from './md5-lanes-code.ts';

/** Digests bytes in their order. */
export interface Hasher {
  /** Copies or hashes the bytes: their memory may be used again. */
  update(bytes: Uint8Array): void;
  /** Lower-case hex digits of the whole; nothing may follow. */
  digest(): string;
  /** Awaited between updates, so that hashers which work side by side keep step. */
  turn(): Promise<void> | undefined;
  /** Without a digest: what was hashed is of no interest any more. */
  close(): void;
}

/** For one message alone. */
export function md5Hasher(): Hasher {
  const hash = createHash('md5');
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => hash.digest('hex'),
    turn: () => undefined,
    close: () => undefined
  };
}

export const LANES = 8;
/** Two messages take a fifth less time one after the other (2 x 200 MB: 470 ms, side by side 590; three: 710 and 620). */
export const LEAST_SIDE_BY_SIDE = 3;
export const LANES_OF_VECTOR = 4;
const BLOCK_BYTES = 64;
/** A lane with so much waits for the others in its turn. */
const ENOUGH_BYTES = 256 * 1024;
const CHEAP_MOVE_BYTES = 64 * 1024;
/** Several reads of a chunk fit between two turns. */
const LANE_BYTES = 4 * 1024 * 1024;
/** Behind the states, eight of four words, the addresses of the messages, and what the code keeps there: src-wasm/md5-lanes.ts. */
const FIRST_LANE = 4096;
const POINTERS = 128;
/** Lanes begin in different lines of the cache. */
const LANE_STRIDE = LANE_BYTES + 1024;
const WORDS = 4;
const PAGE_BYTES = 64 * 1024;
const INITIAL_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/** The part of it that is used here; the types of the language have none outside of browsers. */
interface WebAssemblyLike {
  Memory: new (options: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyLike };

type HashFour = (state: number, p0: number, p1: number, p2: number, p3: number, blocks: number) => void;
type HashEight = (state: number, pointers: number, blocks: number) => void;

/** Code and memory of the lanes. */
interface Room {
  hashFour: HashFour;
  hashEight: HashEight;
  bytes: Uint8Array;
  states: Uint32Array;
  pointers: Uint32Array;
}

function newRoom(): Room {
  const bytes = FIRST_LANE + LANES * LANE_STRIDE;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const module = new WebAssembly.Module(Buffer.from(MD5_LANES_CODE, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return {
    hashFour: exports['hashFour'] as HashFour,
    hashEight: exports['hashEight'] as HashEight,
    bytes: new Uint8Array(memory.buffer),
    states: new Uint32Array(memory.buffer, 0, WORDS * LANES),
    pointers: new Uint32Array(memory.buffer, POINTERS, LANES)
  };
}

/**
 * One of this thread that nobody uses. To map its 32 MiB, clear them and collect them again is more than the hashing where
 * small databases are verified one after the other.
 */
let spareRoom: Room | undefined;

/** One for each thread and verification; not shared. It has a room while a lane is open. */
export class Md5Lanes {
  #room: Room | undefined;
  readonly #lanes: (Lane | undefined)[] = Array<undefined>(LANES).fill(undefined);
  readonly #waiting = new Map<Lane, () => void>();

  /** A hasher for one message. It must be closed, else the others wait for it. */
  open(): Lane {
    const number = this.#lanes.indexOf(undefined);
    assert(number !== -1, 'no more messages at once than there are lanes');
    if (!this.#room) {
      this.#room = spareRoom ?? newRoom();
      spareRoom = undefined;
    }
    const start = FIRST_LANE + number * LANE_STRIDE;
    const lane = new Lane(this, this.#room.bytes.subarray(start, start + LANE_BYTES), start);
    this.#lanes[number] = lane;
    return lane;
  }

  /** @internal */
  close(lane: Lane): void {
    const number = this.#lanes.indexOf(lane);
    if (number === -1) return;
    this.#lanes[number] = undefined;
    this.#waiting.delete(lane);
    if (this.#lanes.every((one) => !one)) {
      spareRoom = this.#room;
      this.#room = undefined;
    } else this.#goOnIfReady();
  }

  /** @internal Resolves once the lane has less than enough again; undefined if that is now. */
  turn(lane: Lane): Promise<void> | undefined {
    this.#goOnIfReady();
    if (lane.waitingBytes < ENOUGH_BYTES) return undefined;
    return new Promise((resolve) => this.#waiting.set(lane, resolve));
  }

  #goOnIfReady(): void {
    for (const lane of this.#lanes) if (lane && lane.waitingBytes < ENOUGH_BYTES) return;
    this.hash(ENOUGH_BYTES);
  }

  /** @internal Hashes as many blocks as all lanes have that hold at least `leastBytes`. */
  hash(leastBytes: number): void {
    const lanes = this.#lanes.filter(
      (lane) => lane !== undefined && lane.waitingBytes >= leastBytes
    ) as Lane[];
    if (lanes.length === 0) return;
    const blocks = Math.floor(Math.min(...lanes.map((lane) => lane.waitingBytes)) / BLOCK_BYTES);
    if (blocks === 0) return;
    const { states, pointers, hashFour, hashEight } = this.#room!; // a lane is open
    pointers.fill(lanes[0]!.address);
    for (const [i, lane] of lanes.entries()) {
      pointers[i] = lane.address;
      for (let word = 0; word < WORDS; word++) states[stateAt(i, word)] = lane.state[word]!;
    }
    if (lanes.length > LANES_OF_VECTOR) hashEight(0, POINTERS, blocks);
    else {
      const [p0, p1, p2, p3] = pointers as unknown as [number, number, number, number];
      hashFour(0, p0, p1, p2, p3, blocks);
    }
    for (const [i, lane] of lanes.entries()) {
      for (let word = 0; word < WORDS; word++) lane.state[word] = states[stateAt(i, word)]!;
      lane.take(blocks * BLOCK_BYTES);
    }
    for (const [lane, resolve] of this.#waiting) {
      if (lane.waitingBytes >= ENOUGH_BYTES) continue;
      this.#waiting.delete(lane);
      resolve();
    }
  }
}

/** Where a word of a message's state is: a vector holds the same word of four messages. */
function stateAt(message: number, word: number): number {
  const vector = Math.floor(message / LANES_OF_VECTOR) * WORDS + word;
  return vector * LANES_OF_VECTOR + (message % LANES_OF_VECTOR);
}

/** One message. */
export class Lane implements Hasher {
  readonly state = new Uint32Array(INITIAL_STATE);
  readonly #lanes: Md5Lanes;
  readonly #buffer: Uint8Array;
  readonly #start: number;
  #from = 0;
  #to = 0;
  #length = 0;
  #isClosed = false;

  constructor(lanes: Md5Lanes, buffer: Uint8Array, start: number) {
    this.#lanes = lanes;
    this.#buffer = buffer;
    this.#start = start;
  }

  /** Where the bytes begin that are not hashed yet. */
  get address(): number {
    return this.#start + this.#from;
  }

  get waitingBytes(): number {
    return this.#to - this.#from;
  }

  /** So many are hashed. What is left is moved to the front where it is little: a lane keeps to memory that the cache holds. */
  take(bytes: number): void {
    this.#from += bytes;
    if (this.waitingBytes > CHEAP_MOVE_BYTES) return;
    this.#moveToFront();
  }

  update(bytes: Uint8Array): void {
    // Its memory may be another message's by now.
    if (this.#isClosed) return;
    this.#length += bytes.length;
    this.#add(bytes);
  }

  #add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#to === LANE_BYTES) this.#makeRoom();
      const count = Math.min(bytes.length - at, LANE_BYTES - this.#to);
      this.#buffer.set(bytes.subarray(at, at + count), this.#to);
      this.#to += count;
      at += count;
    }
  }

  /** Others may be far behind: together with those that have something, then alone. */
  #makeRoom(): void {
    if (this.waitingBytes > LANE_BYTES / 2) this.#lanes.hash(ENOUGH_BYTES);
    if (this.waitingBytes > LANE_BYTES / 2) this.#lanes.hash(this.waitingBytes);
    this.#moveToFront();
  }

  #moveToFront(): void {
    this.#buffer.copyWithin(0, this.#from, this.#to);
    this.#to -= this.#from;
    this.#from = 0;
  }

  turn(): Promise<void> | undefined {
    return this.waitingBytes < ENOUGH_BYTES ? undefined : this.#lanes.turn(this);
  }

  digest(): string {
    // At least one byte and the length, up to a whole block.
    const padding = new Uint8Array(BLOCK_BYTES - ((this.#length + 8) % BLOCK_BYTES) + 8);
    padding[0] = 0x80;
    const bits = new DataView(padding.buffer);
    bits.setUint32(padding.length - 8, (this.#length * 8) >>> 0, true);
    bits.setUint32(padding.length - 4, Math.floor(this.#length / 0x20000000), true);
    this.#add(padding);
    while (this.waitingBytes > 0) this.#lanes.hash(Math.min(this.waitingBytes, ENOUGH_BYTES));
    this.close();
    return Buffer.from(this.state.buffer).toString('hex');
  }

  close(): void {
    this.#isClosed = true;
    this.#from = this.#to;
    this.#lanes.close(this);
  }
}
