/** Fields of a structure on disk with their places, to show bytes and meaning side by side. */
import type {
  DescribedField,
  FieldMeaning,
  FieldName
} from '../../contract/operations/operation-contract.ts';

/** Collects consecutive fields; `at` makes gaps. */
export class FieldList {
  readonly fields: DescribedField[] = [];
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  add(name: FieldName, value: string | number, length: number, meaning?: FieldMeaning): this {
    this.fields.push({
      name,
      value: String(value),
      offset: this.#offset,
      length,
      ...(meaning === undefined ? {} : { meaning })
    });
    this.#offset += length;
    return this;
  }

  at(offset: number): this {
    this.#offset = offset;
    return this;
  }
}
