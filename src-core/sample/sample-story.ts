/**
 * What happens in the sample database: a small shop. Orders, customers, carts, sessions and accounts are written
 * one after the other, with every kind of rule that makes scavenging interesting. Decides only; the sample
 * writer appends. Deterministic for a seed.
 */
import type { EventAppender, NewEvent } from '../database/event-appender.ts';
import { Random } from './random.ts';

const CITIES = ['Lisbon', 'Osaka', 'Quito', 'Tromsø', 'Windhoek', 'Lviv', 'Hobart', 'Pune'] as const;
const GOODS = ['lamp', 'chair', 'kettle', 'notebook', 'bicycle bell', 'umbrella', 'teapot', 'scarf'] as const;
const NAMES = ['Ada', 'Bo', 'Chioma', 'Dmitri', 'Elif', 'Farid', 'Grace', 'Hana', 'Ivo', 'Jun'] as const;
const ORDER_STEPS = [
  'OrderPlaced',
  'ItemAdded',
  'ItemAdded',
  'PaymentTaken',
  'OrderShipped',
  'OrderDelivered'
] as const;

export interface SampleStory {
  appender: EventAppender;
  random: Random;
  /** How many streams of each category exist at most; writes go round among them. */
  streamCount: number;
}

/** One step of the shop's life: a few records, of a kind chosen at random. */
export class Story {
  readonly #appender: EventAppender;
  readonly #random: Random;
  readonly #streamCount: number;
  readonly #orders: number;
  #nextOrder = 0;
  readonly #deleted = new Set<string>();

  constructor({ appender, random, streamCount }: SampleStory) {
    this.#appender = appender;
    this.#random = random;
    this.#streamCount = streamCount;
    this.#orders = Math.max(Math.floor(streamCount / 2), 4);
  }

  /** System streams and rules that exist from the start. */
  begin(): void {
    this.#appender.setMetadata(
      '$scavenges',
      '{"$maxAge":2592000,"$acl":{"$r":"$ops","$w":[],"$d":[],"$mr":[],"$mw":[]}}'
    );
    this.#appender.append('$settings', [
      json('$settings', { $userStreamAcl: { $r: '$all', $w: '$all' }, $systemStreamAcl: { $r: '$admins' } })
    ]);
    this.#appender.setMetadata('audit', '{"$maxAge":7776000}');
    this.#appender.setMetadata('metrics', '{"$maxAge":172800}');
    this.#appender.setMetadata('prices', '{"$maxCount":20}');
  }

  step(): void {
    const roll = this.#random.below(100);
    if (roll < 34) this.#order();
    else if (roll < 50) this.#cart();
    else if (roll < 64) this.#session();
    else if (roll < 76) this.#account();
    else if (roll < 88) this.#customer();
    else if (roll < 93) this.#shared();
    else if (roll < 96) this.#rules();
    else if (roll < 98) this.#delete();
    else this.#transaction();
  }

  #order(): void {
    const number = this.#nextOrder++ % this.#orders;
    const stream = `order-${String(number).padStart(6, '0')}`;
    const events = ORDER_STEPS.slice(0, 2 + this.#random.below(5)).map((type, step) =>
      json(type, {
        order: number,
        step,
        item: this.#random.pick(GOODS),
        quantity: 1 + this.#random.below(5),
        note: this.#text(40)
      })
    );
    const { firstEventNumber } = this.#appender.append(stream, events);
    this.#link('$ce-order', firstEventNumber, stream);
    this.#link('$et-OrderPlaced', firstEventNumber, stream);
  }

  #cart(): void {
    const stream = `cart-${this.#random.below(this.#streamCount)}`;
    if (this.#isClosed(stream)) return;
    if (this.#appender.lastEventNumber(stream) < 0) this.#appender.setMetadata(stream, '{"$maxCount":3}');
    this.#appender.append(stream, [
      json('CartChanged', {
        items: Array.from({ length: 1 + this.#random.below(4) }, () => this.#random.pick(GOODS))
      })
    ]);
  }

  #session(): void {
    const stream = `session-${this.#random.guid().slice(0, 8)}`;
    this.#appender.setMetadata(stream, `{"$maxAge":${this.#random.pick([3600, 86400, 604800])}}`);
    const clicks = 1 + this.#random.below(6);
    this.#appender.append(
      stream,
      Array.from({ length: clicks }, (_, index) =>
        json('PageViewed', { page: `/shop/${index}`, agent: this.#text(30) })
      )
    );
  }

  #account(): void {
    const stream = `account-${this.#random.below(this.#streamCount)}`;
    const amount = this.#random.below(100_000) / 100;
    const { firstEventNumber } = this.#appender.append(stream, [
      json(this.#random.chance(0.6) ? 'Deposited' : 'Withdrawn', {
        amount,
        currency: 'EUR',
        reference: this.#text(24)
      })
    ]);
    if (firstEventNumber > 0 && firstEventNumber % 12 === 0) {
      this.#appender.append(stream, [json('Snapshot', { balance: amount, upTo: firstEventNumber })]);
      this.#appender.setMetadata(stream, `{"$tb":${firstEventNumber + 1}}`);
    }
  }

  #customer(): void {
    const stream = `customer-${this.#random.below(this.#streamCount)}`;
    if (this.#isClosed(stream)) return;
    this.#appender.append(stream, [
      json(this.#random.pick(['CustomerRegistered', 'AddressChanged', 'NewsletterChosen']), {
        name: this.#random.pick(NAMES),
        city: this.#random.pick(CITIES),
        street: this.#text(24)
      })
    ]);
  }

  #shared(): void {
    const stream = this.#random.pick(['audit', 'metrics', 'prices']);
    const isJson = stream !== 'metrics';
    const data = isJson ? text({ what: this.#text(60) }) : this.#bytes(64 + this.#random.below(400));
    this.#appender.append(stream, [{ eventType: isJson ? 'Noted' : 'Measured', data, isJson }]);
  }

  #rules(): void {
    const stream = `cart-${this.#random.below(this.#streamCount)}`;
    if (this.#isClosed(stream) || this.#appender.lastEventNumber(stream) < 0) return;
    this.#appender.setMetadata(
      stream,
      this.#random.pick([
        '{"$maxCount":1}',
        '{"$maxCount":5,"$maxAge":2592000}',
        '{"$maxAge":1209600,"$cacheControl":15}',
        '{"$acl":{"$r":["ops","shop"]},"$maxCount":10}',
        '{"owner":"shop"}'
      ])
    );
  }

  #delete(): void {
    const number = this.#random.below(this.#streamCount);
    const stream = this.#random.pick([`customer-${number}`, `cart-${number}`]);
    if (this.#isClosed(stream) || this.#appender.lastEventNumber(stream) < 0) return;
    if (this.#random.chance(0.4)) {
      this.#appender.hardDelete(stream);
      this.#deleted.add(stream);
      return;
    }
    this.#appender.softDelete(stream);
    if (this.#random.chance(0.3)) {
      const { firstEventNumber } = this.#appender.append(stream, [
        json('CustomerReturned', { note: this.#text(20) })
      ]);
      this.#appender.setMetadata(stream, `{"$tb":${firstEventNumber}}`);
    }
  }

  #transaction(): void {
    const stream = `ledger-${this.#random.below(Math.max(Math.floor(this.#streamCount / 10), 2))}`;
    const transaction = this.#appender.beginTransaction(stream);
    const count = 1 + this.#random.below(3);
    for (let i = 0; i < count; i++) {
      this.#appender.writeInTransaction(
        transaction,
        json('Posted', { line: i, amount: this.#random.below(5000) })
      );
    }
    if (this.#random.chance(0.85)) this.#appender.commitTransaction(transaction);
  }

  #link(stream: string, eventNumber: number, target: string): void {
    this.#appender.append(stream, [
      { eventType: '$>', data: Buffer.from(`${eventNumber}@${target}`, 'utf8'), isJson: false }
    ]);
  }

  /** Only carts and customers are ever hard-deleted. */
  #isClosed(stream: string): boolean {
    return this.#deleted.has(stream);
  }

  #text(length: number): string {
    let words = '';
    while (words.length < length) words += `${this.#random.pick(GOODS)} `;
    return words.slice(0, length);
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random.below(256));
  }
}

function text(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function json(eventType: string, value: unknown): NewEvent {
  return { eventType, data: text(value) };
}
